/*
 * unlock: an encrypted document's objects made readable. Ciphers are no business of this folder:
 * whoever has them, and the password, lends them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "salvage/objects.h"

struct salvage_lock {
    void *cls;
    /*
     * `shell`: a document with one empty page and all objects of the file, encrypted as they are
     * and under their numbers, which it takes over. ERR_PASSWORD_REQUIRED, ERR_WRONG_PASSWORD; with
     * any other error the document is put together again without being read.
     */
    int (*open)(void *cls, struct buf *shell, struct err *err);
    /* The text of an object of the shell, and the data of a stream, filters and all. */
    bool (*read)(void *cls, uint32_t number, struct buf *text, struct buf *data);
    /* Appends to `out` the document at `plain`, which it takes over, encrypted as the shell is. */
    int (*close)(void *cls, struct buf *plain, struct buf *out, struct err *err);
};

/* Reads all objects through the lock. 1: it cannot be opened, and nothing has changed. */
int unlock(struct objects *objects, const struct salvage_lock *lock, struct err *err);
