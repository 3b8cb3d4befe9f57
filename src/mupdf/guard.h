/*
 * guard: a page that asks for more than anyone would wait for. What it asks of a device is charged
 * to the effort of the page and of the job (base/effort.h), and counted in memory: forms that draw
 * forms that draw forms, millions of glyphs, areas painted again and again, groups within groups,
 * patterns of a million cells, pictures of a billion pixels, run lengths of gigabytes.
 */
#pragma once

#include <mupdf/fitz.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define GUARD_PIXELS   1073741824 /* of one picture: it is decoded whole */
#define GUARD_CELLS    1000000    /* of a pattern: beyond them they lie closer than can be seen */
#define GUARD_UNPACKED ((int64_t) 256 << 20) /* bytes that run lengths of one stream become */
/* Bytes, about, of what is kept of one page until it is drawn; of the corpus (base/effort.h) no
 * page needs more than 1.7 % of it. */
#define GUARD_KEPT (160 << 20)
/* Bytes, about, of groups and clips that are open at a time: a page with more is drawn in fewer
 * rows at a time. */
#define GUARD_OPEN  (192 << 20)
#define GUARD_DEPTH 512 /* groups and clips within each other whose size is known */

enum guard_end {
    GUARD_GOES_ON,
    GUARD_NO_EFFORT, /* the page, or the job, has asked for too much work */
    GUARD_NO_ROOM,   /* the page has too many things to be kept */
    GUARD_TOO_DEEP,  /* open groups and clips take more than GUARD_OPEN: fewer rows may do */
};

/* All zero but for what the caller sets. */
struct guard {
    fz_cookie *cookie;  /* of what runs the page: it is stopped; set by the caller, and alive */
    double max_pixels;  /* of one picture; set by the caller */
    fz_irect box;       /* pixels that are painted; empty if nothing is; set by the caller */
    float zoom;         /* that the device adds to what it is told; set by the caller; 0 is 1 */
    size_t kept_glyph;  /* bytes that the device keeps of a glyph; set by the caller */
    enum guard_end end; /* why it stopped */
    bool too_large;     /* a picture was left out */

    /* The guard's own. */
    double kept, open;
    double layered; /* pixels of images and shadings so far */
    double opened[GUARD_DEPTH];
    size_t depth;
};

/*
 * Wraps a device that was just made, before anything is run on it. One device at a time in a
 * thread. `guard` outlives the run, which guard_end ends.
 */
void guard_watch(fz_device *device, struct guard *guard);
void guard_end(void);
/* What is being read is longer than GUARD_UNPACKED: the rest is left out. */
void guard_too_long(void);
/* For measurements: bytes, about, of the page that kept most and of what was open at most at a time
 * in this thread. */
void guard_most(double *kept, double *open);
/* ERR_LIMIT_EXCEEDED if the page, counted from 0, asked for too much. */
int guard_check(const struct guard *guard, size_t page, struct err *err);
/* The error of a page, counted from 0, that asks for too much work; -1. */
int guard_no_effort(size_t page, struct err *err);
