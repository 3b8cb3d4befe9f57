/*
 * declared: asks a worker program for the declarations of its tools without starting it as a
 * worker: no sandbox, no warmed-up libraries, milliseconds instead of seconds. For shell
 * completion.
 */
#pragma once

#include <jansson.h>

#include "declare/tool/tool.h"

struct declared {
    json_t *json; /* owns the texts */
    struct tool **tools;
    size_t n;
};

/* Asks the program `name` in `folder` ("": the folder of this program). -1, with nothing to
 * free, if it is missing or does not answer. */
int declared_read(const char *folder, const char *name, struct declared *out, struct err *err);
void declared_free(struct declared *declared);
