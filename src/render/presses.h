/*
 * presses: threads that make whole pages into files, each with an engine and the document for
 * itself, so that none waits for another; pages come out in order. For as many pages as there are
 * cores, or more: with fewer, painters share out one page.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "render/document.h"
#include "render/drawing.h"
#include "render/format.h"

struct presses;

struct press_order {
    const struct document
        *doc; /* open; outlives the presses, and only lends what it is read from */
    const char *path, *password;
    const struct drawing_options *drawing;
    const struct format *format;
    bool smooth;         /* edges are antialiased */
    size_t whole_pixels; /* a larger page is left to the caller */
    const size_t *pages; /* borrowed */
    size_t n_pages;
};

struct press_page {
    struct buf file;
    bool damaged; /* something of it could not be read */
    bool large;   /* there is no file */
};

/* Starts n of them. */
struct presses *presses_start(const struct press_order *order, int n, struct err *err);
/* Waits for the next page, which is borrowed until the next call. -1: as drawing_open has it, or
 * the document could not be opened again. */
int presses_next(struct presses *presses, struct press_page **page, struct err *err);
/* Waits for the pages at work, and forgets what is left. */
void presses_free(struct presses *presses);
