/* mcp_form: the arguments of run as the form that the API takes (multipart/form-data). */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "base/buf.h"
#include "sandbox/worker/catalog.h"

#define MCP_BOUNDARY 33 /* room for a boundary with its NUL */

struct mcp_form {
    const char *tool; /* the part of the address; borrowed from the arguments or a literal */
    char boundary[MCP_BOUNDARY];
    struct buf body;
};

/* Makes the form of arguments that mcp_tools_check accepts. -1 with a sentence for the model in
 * `why`. buf_free(&form->body) in any case. */
int mcp_form_make(struct mcp_form *form, const struct catalog *catalog, const json_t *arguments,
                  char *why, size_t cap);
