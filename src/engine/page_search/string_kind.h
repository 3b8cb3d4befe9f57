/* string_kind: what a string of a document is, by the dictionary that it is in. */
#pragma once

#include <mupdf/pdf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct string_place {
    const char *kind; /* as a hit's */
    size_t page;      /* of the annotation or field, from 1; 0: none */
    bool metadata;    /* the object is the information dictionary */
};

/* Sets the kind of a string below `key` of a dictionary. */
void string_kind_find(fz_context *ctx, pdf_obj *dict, const char *key, struct string_place *place);
/* Whether the data of a stream is text, and sets its kind, and whether it is markup. Adds 1 to
 * *n_not_text for an attachment that is not. */
bool string_kind_of_stream(fz_context *ctx, pdf_obj *dict, struct string_place *place, bool *markup,
                           size_t *n_not_text);
/* Reads the character reference of markup (&amp;) at *at, which is moved past it. */
uint32_t string_kind_entity(const char *text, size_t n, size_t *at);
