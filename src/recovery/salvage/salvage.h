/*
 * salvage: rebuilds a PDF from its remains, without trusting its cross-reference table, its trailer
 * or its page tree.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "recovery/salvage/unlock.h"

#define SALVAGE_BYTES (512U << 20) /* limit of the file's size for undoing transformations */
#define SALVAGE_PAGES 4000         /* limit of the pages whose certainty is reported */

/* How certain it is that a page is as it was. */
enum salvage_sureness {
    SALVAGE_COMPLETE, /* nothing of it was damaged, or it was provably restored */
    SALVAGE_PARTIAL,  /* something of it was damaged or is missing */
    SALVAGE_GUESSED,  /* no page tree lists it: its place is guessed, and perhaps its content */
};

struct salvage_report {
    size_t objects, pages;
    size_t lost_pages;     /* the page tree lists them, and they are not there */
    size_t duplicates;     /* objects whose number another, newer one has */
    size_t attached;       /* PDFs that are the data of streams, without compression */
    size_t documents;      /* PDFs one after the other in the file; one of them is the result */
    size_t dangling;       /* references to objects that are not there; sound files may have some */
    size_t missing;        /* the same, before anything was put in their place */
    size_t mended_streams; /* streams whose data was damaged */
    size_t wrong_contents; /* pages whose content is something else than streams */
    size_t restored_streams; /* damaged streams that are proved to be as they were */
    bool tree_rebuilt, catalog_rebuilt;
    bool unwrapped; /* it was in an envelope (recovery/undo/wrapping.h) */
    bool cut;       /* the file ends within the object that is its last one */
    bool text_mode; /* the whole file had been converted as text (recovery/undo/text_mode.h) */
    bool encrypted;
    unsigned char sure[SALVAGE_PAGES]; /* enum salvage_sureness of each page */
};

/*
 * Reads the file of n bytes at `data` and appends a document to `out`. ERR_CORRUPT_FILE if no page
 * is left, ERR_LIMIT_EXCEEDED beyond the limits in recovery/objects/objects.h.
 *
 * `lock`: for an encrypted file, which then stays encrypted; it may fail with the errors of
 * lock->open. NULL, or a lock that cannot be opened: objects are arranged without decryption, and
 * those in object streams are not found.
 */
int salvage_file(const void *data, size_t n, const struct salvage_lock *lock, struct buf *out,
                 struct salvage_report *report, struct err *err);
/* The same for a file of which undo_file() has found that there is nothing to undo, or all of that
 * was undone. */
int salvage_undone(const void *data, size_t n, const struct salvage_lock *lock, struct buf *out,
                   struct salvage_report *report, struct err *err);
