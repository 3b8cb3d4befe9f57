/*
 * layer_fit: whether the text layer that a program made of a scanned page fits the page's picture:
 * the words by how they are written, and their places by the ink in the picture. It reads no
 * letters: a layer with words of its language in their places fits, whether they are right or not.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"

struct layer_fit {
    size_t words;     /* tokens of the layer with letters or digits */
    double odd;       /* part of the longer words that no language writes so */
    double symbols;   /* part of the tokens that have neither letters nor digits */
    double unknown;   /* part of the characters that say nothing, such as U+FFFD */
    double uncovered; /* part of the letters of the picture that are outside of words */
    double bare;      /* part of the words without ink in their boxes */
    double crossed;   /* part of the spaces between words that have ink throughout */
    size_t letters;   /* letters that stand in rows in the picture */
    size_t spaces;    /* between words that were looked at */
};

enum layer_fault {
    LAYER_FITS,
    LAYER_ODD,      /* no language has its words */
    LAYER_SHORT,    /* most of the text of the picture has no words */
    LAYER_MISPLACED /* its words are not where their ink is */
};

/* Measures a page. ERR_LIMIT_EXCEEDED for a page that needs too much work or memory. Must be called
 * by the thread that owns the document. */
int layer_fit_measure(struct mupdf_document *doc, size_t page, struct layer_fit *fit,
                      struct err *err);
/* What is wrong with the layer, if that is clear. */
enum layer_fault layer_fit_fault(const struct layer_fit *fit);
