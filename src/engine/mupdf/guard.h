/*
 * guard: stops a page that needs too much work or memory. The work of each call that the page makes
 * to its device is charged to the budget of the page and of the job (base/effort.h), and the memory
 * that it needs is estimated: nested form XObjects, millions of glyphs, areas painted again and
 * again, nested groups, patterns of a million cells, pictures of a billion pixels, run lengths of
 * gigabytes.
 */
#pragma once

#include <mupdf/fitz.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define GUARD_PIXELS 1073741824 /* limit of one picture, which is decoded whole */
#define GUARD_CELLS  1000000    /* limit of a pattern: more cells are too dense to be seen */
/* limit of the decoded bytes of one RunLengthDecode stream */
#define GUARD_UNPACKED ((int64_t) 256 << 20)
/* Estimated limit in bytes of what is recorded of one page until it is drawn; in the corpus
 * (base/effort.h) no page needs more than 1.7 % of it. */
#define GUARD_KEPT (160 << 20)
/* Estimated limit in bytes of groups and clips that are open at the same time: a page that needs
 * more is drawn in smaller bands of rows. */
#define GUARD_OPEN  (192 << 20)
#define GUARD_DEPTH 512 /* limit of nested groups and clips whose size is recorded */

enum guard_end {
    GUARD_GOES_ON,
    GUARD_NO_EFFORT, /* the budget of the page, or of the job, is used up */
    GUARD_NO_ROOM,   /* the page has more objects than can be recorded */
    GUARD_TOO_DEEP,  /* open groups and clips need more than GUARD_OPEN: fewer rows may fit */
};

/* Zeroed, except for the members that the caller sets. */
struct guard {
    fz_cookie *cookie; /* stops the run of the page; set by the caller, must outlive the run */
    double max_pixels; /* limit of one picture; set by the caller */
    fz_irect box;      /* the painted pixels; empty if nothing is painted; set by the caller */
    /* the device's scale in addition to the matrices it gets; 0 means 1; set by the caller */
    float zoom;
    size_t kept_glyph;  /* bytes that the device records for a glyph; set by the caller */
    enum guard_end end; /* why the run was stopped */
    bool too_large;     /* a picture was omitted */

    /* Private to the guard. */
    struct engine_most *most;
    double kept, open;
    double layered; /* pixels of images and shadings so far */
    double opened[GUARD_DEPTH];
    size_t depth;
};

/* Puts a guard in front of *device (hook_device.h), as the first device that a run gets. `ctx` is
 * of engine.h; `guard` must outlive the device. May throw. */
void guard_push(fz_context *ctx, fz_device **device, struct guard *guard);
/* Notes that a stream was cut, because it unpacks to too many bytes. */
void guard_cut(fz_context *ctx);
/* Fails with ERR_LIMIT_EXCEEDED if the run of the page, counted from 0, was stopped. */
int guard_check(fz_context *ctx, const struct guard *guard, size_t page, struct err *err);
