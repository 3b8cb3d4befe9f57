/*
 * lock: decrypts the objects of a damaged encrypted document, and encrypts the rebuilt document in
 * the same way (recovery/salvage/unlock.h): with the same passwords and permissions.
 */
#pragma once

#include "pdf/document/doc.h"
#include "recovery/salvage/unlock.h"

struct lock {
    const char *password; /* borrowed; NULL: none */
    /* a document with only the trailer and encryption dictionary of the damaged one */
    struct pdf_doc shell;
};

/* The interface that salvage uses; `lock` must outlive it. lock_end frees what was opened. */
struct salvage_lock lock_of(struct lock *lock);
void lock_end(struct lock *lock);
/* Appends to `out` the document `plain`, of which it takes ownership, encrypted like a document
 * that is open: with its encryption dictionary, whatever crypt filters that has. */
int lock_encrypt(struct pdf_doc *like, struct buf *plain, struct buf *out, struct err *err);
#define AUTO_LOCK __attribute__((cleanup(lock_end)))
