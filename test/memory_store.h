/* memory_store: a store for tests of its callers: SQLite in a folder that is in memory, if the
 * system has /dev/shm. One at a time. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "data/store_sqlite/store_sqlite_open.h"

static char memory_store_folder[48];

/* An empty store; ends the program if none can be made. */
static inline struct store *memory_store_open(void)
{
    char path[64];
    struct err err = { 0 };
    struct store *store = NULL;

    snprintf(memory_store_folder, sizeof memory_store_folder, "/dev/shm/platen-store.XXXXXX");
    if (!mkdtemp(memory_store_folder)) {
        snprintf(memory_store_folder, sizeof memory_store_folder, "/tmp/platen-store.XXXXXX");
        if (!mkdtemp(memory_store_folder))
            perror("mkdtemp"), exit(1);
    }
    snprintf(path, sizeof path, "%s/db", memory_store_folder);
    if (!(store = store_sqlite_open(path, &err)))
        fprintf(stderr, "%s\n", err.msg), exit(1);
    return store;
}

/* Closes the store and removes its folder. */
static inline void memory_store_close(struct store *store)
{
    static const char *const names[] = { "db", "db-wal", "db-shm" };
    char path[64];

    store_close(store);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", memory_store_folder, names[i]);
        unlink(path);
    }
    rmdir(memory_store_folder);
}
