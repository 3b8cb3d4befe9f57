/* place: where the result of `platen run` goes: a file, or a folder that is there already. */
#pragma once

#include <stdbool.h>

#include "worker/worker.h"

/* A file without a name beside OUT, or in it if it is a folder, so that OUT appears whole or not at
 * all. The caller closes it. -1 on failure, and where OUT is a device or the like, which a file
 * must not take the place of. */
int place_stage(const char *out, bool folder, struct err *err);
/* Gives the result in fd its name: OUT; in a folder `name`, or those of its parts. */
int place_save(const char *out, bool folder, const char *name, int fd,
               const struct worker_result *result, struct err *err);
