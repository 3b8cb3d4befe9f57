/*
 * scan_text: writes the recognised text of scanned pages, page after page: as plain text, as hOCR
 * (version 1.2) or as ALTO (version 4.4). Places are pixels of the page at the resolution at which
 * it was read, from its top left corner.
 */
#pragma once

#include "base/err.h"
#include "pdf/text_layer/text_layer.h"

struct scan_text_page {
    size_t number;                 /* from 1 */
    double width, height;          /* as displayed, in points */
    double dpi;                    /* at which it was read; 0: unknown */
    const struct layer_page *text; /* NULL: the page was not read */
    const char *languages;         /* Tesseract's codes, joined by '+' */
    int confidence;                /* 0 to 100 */
};

enum scan_text_format { SCAN_TEXT_PLAIN, SCAN_TEXT_HOCR, SCAN_TEXT_ALTO };

/* Writes the beginning of a text to a file, the pages in their order, and its end. Pages that were
 * not read are empty, so that pages keep their numbers; in a plain text a form feed comes between
 * two pages. */
int scan_text_begin(int fd, enum scan_text_format format, struct err *err);
int scan_text_add(int fd, enum scan_text_format format, const struct scan_text_page *page,
                  struct err *err);
int scan_text_end(int fd, enum scan_text_format format, struct err *err);
