/*
 * declared: the tools of a worker program as it declares them, without starting it as a worker: no
 * sandbox, no libraries made warm, milliseconds instead of seconds. For completing words.
 */
#pragma once

#include <jansson.h>

#include "tool/tool.h"

struct declared {
    json_t *json; /* holds the texts */
    struct tool **tools;
    size_t n;
};

/* Asks the program `name` in `folder` ("": where platen itself is). -1, with nothing to free, if it
 * is not there or does not answer. */
int declared_read(const char *folder, const char *name, struct declared *out, struct err *err);
void declared_free(struct declared *declared);
