/*
 * field_painter: draws the text of form fields that no font of their document has the characters
 * for. Pictures are collected while the fields are looked at, and become form XObjects of the
 * document all at once, so that they share their fonts.
 */
#pragma once

#include "base/err.h"
#include "pdf_forms/field_text.h"

struct field_painter {
    /* Draws text in UTF-8 (field_text_read) as `text` says; text->font stands for nothing but its
     * name. *number is the picture's, from 0 on in each document. False if it cannot be drawn. */
    bool (*draw)(struct field_painter *painter, const struct field_text *text, const char *utf8,
                 size_t n, size_t *number);
    /* Puts the pictures into document q, which must not outlive the painter; the next ones are for
     * another document. */
    int (*import)(struct field_painter *painter, qpdf_data q, struct err *err);
    /* A picture, after import: a form XObject whose box is [0 0 width height] of the field. */
    struct obj (*picture)(struct field_painter *painter, size_t number);
};
