/*
 * fonts: the glyphs of each font program that a document needs. A program is kept whole if not all
 * its uses are known: fonts of forms, unknown encodings, damaged programs.
 */
#pragma once

#include "compress/fonts/font_need.h"
#include "compress/object_graph/equal_objects.h"
#include "compress/usage/form_fonts.h"
#include "compress/usage/usage.h"

struct fonts {
    struct font_need *needs;
    size_t n, cap;
    struct idmap index; /* by id of the stream */
    struct idmap maps;  /* streams that map CIDs to glyphs, by id: the index of the need */
};

/* Finds all font programs of the document and what is needed of each. ERR_LIMIT_EXCEEDED when out
 * of memory. */
int fonts_read(struct fonts *fonts, struct pdf_doc *doc, const struct equal_objects *objects,
               const struct usage *usage, const struct form_fonts *form_fonts, struct err *err);
void fonts_free(struct fonts *fonts);

/* Whether the stream with this id is a font program, or maps CIDs to the glyphs of one. */
bool fonts_have(const struct fonts *fonts, int64_t id);
/* What is needed of the program with this id; NULL for a stream that is not a font program, or one
 * that must be kept whole. */
const struct font_need *fonts_need(const struct fonts *fonts, int64_t id);
/* What is needed of the one program to whose glyphs the stream with this id maps CIDs (ISO 32000-2,
 * 9.7.4.2); NULL if it is not such a map, or more of it may be used. */
const struct font_need *fonts_map_need(const struct fonts *fonts, int64_t id);
