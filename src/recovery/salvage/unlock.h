/*
 * unlock: decrypts the objects of an encrypted document. This folder has no ciphers: the caller
 * provides them, and the password.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "recovery/objects/objects.h"

struct salvage_lock {
    void *arg;
    /*
     * Opens `shell` with the password and takes ownership of it: a document with one empty page and
     * all objects of the file, still encrypted and with their numbers
     * (recovery/salvage/skeleton.h). ERR_PASSWORD_REQUIRED, ERR_WRONG_PASSWORD; with any other
     * error the document is rebuilt without decryption.
     */
    int (*open)(void *arg, struct buf *shell, struct err *err);
    /* Appends the decrypted text of an object of the shell, and for a stream its decrypted data,
     * whose filters stay. False: it cannot be read. */
    bool (*read)(void *arg, uint32_t number, struct buf *text, struct buf *data);
    /* Appends to `out` the document `plain`, of which it takes ownership, encrypted like the
     * shell. */
    int (*close)(void *arg, struct buf *plain, struct buf *out, struct err *err);
};

/* Decrypts all objects through the lock. Returns 1 if the lock cannot be opened: nothing has
 * changed then. */
int unlock_objects(struct objects *objects, const struct salvage_lock *lock, struct err *err);
