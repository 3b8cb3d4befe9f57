/*
 * field_painter: the interface of code that draws text of form fields in scripts that no font of
 * the document has. Pictures are collected while the fields are processed, and become form XObjects
 * of the document all at once, so that they share their fonts.
 */
#pragma once

#include "base/err.h"
#include "pdf/forms/field_text.h"

struct field_painter {
    /* Draws UTF-8 text (field_text_read) by the properties in `text`; of text->font only the
     * name is used. *number is the picture's, from 0 in each document. False if it cannot be
     * drawn. */
    bool (*draw)(struct field_painter *painter, const struct field_text *text, const char *utf8,
                 size_t n, size_t *number);
    /* Adds the pictures to document q, which must not outlive the painter; later pictures are
     * for another document. */
    int (*import)(struct field_painter *painter, qpdf_data q, struct err *err);
    /* A picture, after import: a form XObject whose box is [0 0 width height] of the field. */
    struct obj (*picture)(struct field_painter *painter, size_t number);
};
