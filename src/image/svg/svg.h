/*
 * svg: draws SVG files (SVG 1.1, and what librsvg has of SVG 2) as shapes and text of a PDF. The
 * library is not linked, as it is large and only jpg-to-pdf needs it: it is opened when a file
 * needs it, and need not be installed (docs/decisions/0017-libheif-at-run-time.md).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* The resolution of masks and filters, which become pixels: less in a drawing that would have more
 * than SVG_PIXELS of them. */
#define SVG_DPI    300.0
#define SVG_PIXELS 16e6

struct svg_drawing {
    double width, height; /* the size that the file asks for, in points */
    /* A PDF of one page, which is the drawing; its units are not points. Owned. */
    struct buf pdf;
};

/* Opens the library if one of these files is an SVG drawing, and returns whether it is: to be
 * called before the process of a job is confined. Only the first bytes of the files are read. */
bool svg_prepare(const int *fds, size_t n);

/* Draws the file. Nothing outside it is read: neither files nor addresses. ERR_CORRUPT_FILE;
 * ERR_UNSUPPORTED_CONTENT if there is no library; ERR_LIMIT_EXCEEDED. */
int svg_draw(const void *data, size_t n, struct svg_drawing *drawing, struct err *err);
