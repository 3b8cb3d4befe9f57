/*
 * folder: a program's own folder on the disk, and one within it for every job. Nothing in them
 * outlives the program: whatever a killed one left behind is removed when the next begins.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"

#define FOLDER_PARENT "/tmp"
#define FOLDER_PATH   80

struct folder {
    char path[FOLDER_PATH]; /* "/tmp/platen-office.k3Jq0z" */
    int fd;                 /* locked while the program lives */
};

#define FOLDER_NONE ((struct folder){ .fd = -1 })

int folder_open(struct folder *folder, const char *name, struct err *err);
void folder_close(struct folder *folder);

/* Makes the folder of job `number`; -1 with ERR_INTERNAL or ERR_STORAGE_FULL. */
int folder_make(const struct folder *folder, unsigned number, char out[static FOLDER_PATH],
                struct err *err);
/* What lies in it, an empty file counted as 4096 bytes. Does not count beyond `enough`. */
int64_t folder_bytes(const struct folder *folder, unsigned number, int64_t enough);
/* Removes it with all that is in it. */
void folder_sweep(const struct folder *folder, unsigned number);
