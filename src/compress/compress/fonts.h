/*
 * fonts: the glyphs of each font program that a document needs. A program is kept whole if not all
 * its uses are known: fonts of forms, unknown encodings, damaged programs.
 */
#pragma once

#include "compress/compress/inventory.h"
#include "compress/compress/usage.h"

struct font_need {
    int64_t id;      /* of the stream */
    bool whole;      /* the program must be kept as it is */
    bool form;       /* forms refer to it by its name */
    bool cmap;       /* characters are found by the program's own map */
    bool names;      /* characters are found by the names of its glyphs */
    uint64_t *keep;  /* set of glyphs (font/subset.h) */
    uint64_t *codes; /* set of USAGE_CODES codes that are looked up in a TrueType program's own map;
                        NULL if there are none */
    int64_t name;    /* a hash of its font's name without the tag of a subset; 0: none */
};

struct fonts {
    struct font_need *needs;
    size_t n, cap;
    struct idmap index; /* by id of the stream */
    struct idmap maps;  /* streams that map CIDs to glyphs, by id: the index of the need */
};

/* Finds all font programs of the document and what is needed of each. ERR_LIMIT_EXCEEDED when out
 * of memory. */
int fonts_read(struct fonts *fonts, struct pdf_doc *doc, const struct inventory *objects,
               const struct usage *usage, struct err *err);
void fonts_free(struct fonts *fonts);
#define AUTO_FONTS __attribute__((cleanup(fonts_free)))

/* The font program of a font, or of the descendant of a composite one; null if it has none. */
struct obj fonts_program(struct obj font);
/* What is needed of the program with this id; NULL for a stream that is not a font program, or one
 * that must be kept whole. */
const struct font_need *fonts_need(const struct fonts *fonts, int64_t id);
/* What is needed of the one program to whose glyphs the stream with this id maps CIDs (ISO 32000-2,
 * 9.7.4.2); NULL if it is not such a map, or more of it may be used. */
const struct font_need *fonts_map_need(const struct fonts *fonts, int64_t id);
