/*
 * folder: a program's own folder on disk, and one within it for each job. Nothing in them outlives
 * the program: what a killed program left is removed when the next one starts.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"

#define FOLDER_PARENT "/tmp"
#define FOLDER_PATH   80

struct folder {
    char path[FOLDER_PATH]; /* such as "/tmp/platen-office.k3Jq0z" */
    int fd;                 /* locked while the program lives */
};

#define FOLDER_NONE ((struct folder){ .fd = -1 })

int folder_open(struct folder *folder, const char *name, struct err *err);
void folder_close(struct folder *folder);

/* Makes the folder of job `number`; -1 with ERR_INTERNAL or ERR_STORAGE_FULL. */
int folder_make(const struct folder *folder, unsigned number, char out[static FOLDER_PATH],
                struct err *err);
/* The size of its contents, where an empty file counts as 4096 bytes. Stops counting beyond
 * `enough`. */
int64_t folder_bytes(const struct folder *folder, unsigned number, int64_t enough);
/* Removes it with its contents. */
void folder_sweep(const struct folder *folder, unsigned number);
