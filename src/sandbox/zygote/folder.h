/*
 * folder: a program's own folder on disk, and one within it for each job. Nothing in them outlives
 * the program: what a killed program left is removed when the next one starts.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"

#define FOLDER_PARENT "/tmp"
#define FOLDER_PATH   80 /* room for the path of a job's folder with its NUL */

struct folder {
    char path[FOLDER_PATH]; /* such as "/tmp/platen-office.k3Jq0z" */
    int fd;                 /* locked while the program lives */
};

#define FOLDER_NONE ((struct folder){ .fd = -1 })

/* Makes a folder in FOLDER_PARENT whose name begins with `name`, and removes those that programs of
 * this name left. -1 with ERR_INTERNAL or ERR_STORAGE_FULL. */
int folder_open(struct folder *folder, const char *name, struct err *err);
/* Removes the folder with its contents. */
void folder_close(struct folder *folder);

/* Makes the folder of job `number`; -1 with ERR_INTERNAL or ERR_STORAGE_FULL. */
int folder_make(const struct folder *folder, unsigned number, char out[static FOLDER_PATH],
                struct err *err);
/* The size of the contents of a job's folder in bytes; an empty file counts as 4096. Stops counting
 * beyond `enough`. */
int64_t folder_bytes(const struct folder *folder, unsigned number, int64_t enough);
/* Removes a job's folder with its contents. */
void folder_sweep(const struct folder *folder, unsigned number);
