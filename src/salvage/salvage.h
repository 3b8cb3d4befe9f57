/*
 * salvage: a PDF put together again from what can be found of it, without trust in its
 * cross-reference table, its trailer or its page tree.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "salvage/unlock.h"

#define SALVAGE_BYTES (512U << 20) /* of the file when what was done to it is undone */
#define SALVAGE_PAGES 4000         /* of which it is told how sure they are */

/* How sure it is that a page is as it was. */
enum salvage_sureness {
    SALVAGE_COMPLETE, /* nothing of it was damaged, or that was undone, and proved to be */
    SALVAGE_PARTIAL,  /* something of it was damaged or is missing */
    SALVAGE_GUESSED,  /* no page tree lists it: its place is guessed, and perhaps its content */
};

struct salvage_report {
    size_t objects, pages;
    size_t lost_pages;     /* the page tree lists them, and they are not there */
    size_t duplicates;     /* objects whose number another, newer one has */
    size_t dangling;       /* references to objects that are not there; sound files may have some */
    size_t mended_streams; /* whose data was damaged */
    size_t restored_streams; /* of these, are proved to be as they were */
    bool tree_rebuilt, catalog_rebuilt;
    bool unwrapped; /* from what it was sent in (undo/wrapping.h) */
    bool text_mode; /* the whole file had been changed as text (undo/text_mode.h) */
    bool encrypted;
    unsigned char sure[SALVAGE_PAGES]; /* enum salvage_sureness of each page */
};

/*
 * Reads the file of n bytes at `data` and appends a document to `out`. ERR_CORRUPT_FILE if no page
 * is left, ERR_LIMIT_EXCEEDED beyond what salvage/objects.h states.
 *
 * `lock`: for a file that is encrypted, which then stays so; it may fail with the errors of
 * lock->open. NULL, or what the lock cannot open: objects are put in order as they are, and what
 * lies in object streams is not found.
 */
int salvage(const void *data, size_t n, const struct salvage_lock *lock, struct buf *out,
            struct salvage_report *report, struct err *err);
