/*
 * mcp_resources: the results of jobs as resources of the protocol. `job:ID` is the job as the API
 * describes it, `job:ID/NAME` one of its files, with NAME percent-encoded: the same that the tools
 * take as handles.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/id.h"
#include "server/mcp/mcp_message.h"

#define MCP_RESOURCE_BYTES ((size_t) 1024 * 1024) /* limit of a file that is read */

/* The array of resources/templates/list. */
json_t *mcp_resources_templates(void);
/* The result of resources/list for a page of the API's list of jobs. */
json_t *mcp_resources_list(const json_t *page, bool modern);
/* The job that an address names. False: it is of another form. */
bool mcp_resources_job(const char *uri, char id[static ID_TEXT]);
/* The output of a job that an address names, borrowed; NULL: it names the job itself, or, with
 * *missing, what the job does not have. */
const json_t *mcp_resources_output(const json_t *job, const char *uri, bool *missing);
/* The result of resources/read: n bytes of a file whose name is given, as text or in base64. */
json_t *mcp_resources_contents(const char *uri, const char *name, const void *data, size_t n,
                               bool modern);
/* The result of resources/read for a job itself. */
json_t *mcp_resources_job_contents(const char *uri, const json_t *job, bool modern);

/* The faults: there is no such resource; the API refused (`body`, or NULL) with a status; the file
 * is too large to be read. `uri` is borrowed. */
void mcp_resources_unknown(const char *uri, bool modern, struct mcp_fault *fault);
void mcp_resources_refused(const json_t *body, int status, struct mcp_fault *fault);
void mcp_resources_too_large(const char *uri, const json_t *output, struct mcp_fault *fault);
