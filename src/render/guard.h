/*
 * guard: a page that asks for more than anyone would wait for. What it asks of a device is counted:
 * forms that draw forms that draw forms, patterns of a million cells, pictures of a billion pixels,
 * run lengths of gigabytes.
 */
#pragma once

#include <mupdf/fitz.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define GUARD_STEPS    5000000    /* paths, texts, pictures, clips and groups of one page */
#define GUARD_PIXELS   1073741824 /* of one picture: it is decoded whole */
#define GUARD_CELLS    1000000    /* of a pattern: beyond them they lie closer than can be seen */
#define GUARD_UNPACKED ((int64_t) 256 << 20) /* bytes that run lengths of one stream become */

struct guard {
    fz_cookie *cookie; /* what runs the page: it is stopped */
    double max_pixels; /* of one picture */
    long steps;        /* left */
    bool stopped;      /* there were too many */
    bool too_large;    /* a picture was left out */
};

/*
 * Wraps a device that was just made, before anything is run on it. One device at a time in a
 * thread. `guard` outlives the run.
 */
void guard_watch(fz_device *device, struct guard *guard);
/* What is being read is longer than GUARD_UNPACKED: the rest is left out. */
void guard_too_long(void);
/* ERR_LIMIT_EXCEEDED if the page, counted from 0, asked for too much. */
int guard_check(const struct guard *guard, size_t page, struct err *err);
