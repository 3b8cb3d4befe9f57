/*
 * lock: reads the objects of a damaged document that is encrypted, and encrypts what is made of
 * them as it was (salvage/unlock.h): the same passwords open it, and forbid the same.
 */
#pragma once

#include "pdf/doc.h"
#include "salvage/unlock.h"

struct lock {
    const char *password; /* borrowed; NULL: none */
    struct pdf_doc shell;
};

/* What salvage takes; `lock` outlives it. lock_end frees what was opened. */
struct salvage_lock lock_of(struct lock *lock);
void lock_end(struct lock *lock);
#define AUTO_LOCK __attribute__((cleanup(lock_end)))
