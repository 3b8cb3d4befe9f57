/*
 * text_layer: puts the recognised words of scanned pages under their pictures, as invisible text
 * (ISO 32000-2, 9.3.6, mode 3) that readers can search, select and copy. Nothing of the page is
 * changed: the layer is a form XObject that is shown before the page's content, which stays as it
 * is. Its font has no outlines, and a code for each piece of text, so that it has every script.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pdf/object/obj.h"

/* A word. Lengths are points of the page as it is displayed, from its bottom left corner. */
struct layer_word {
    uint32_t text, n;               /* where its UTF-8 begins in the page's text, and its bytes */
    float x0, y0, x1, y1;           /* the baseline, in reading direction */
    float left, bottom, right, top; /* the box of its ink */
    float stem, bar;                /* how thick its upright and level strokes are; 0: not known */
    uint8_t confidence;             /* 0 to 100 */
    bool spaced;                    /* a space comes between it and the next word of the line */
};

enum layer_direction { LAYER_RIGHTWARDS, LAYER_LEFTWARDS, LAYER_DOWNWARDS };

struct layer_line {
    uint32_t word, n;      /* its words */
    float ascent, descent; /* above and below the baseline, both positive */
    enum layer_direction direction;
    bool paragraph, block; /* it begins one */
};

/* The recognised text of one page, in reading order. */
struct layer_page {
    struct layer_line *lines;
    struct layer_word *words;
    char *text;           /* UTF-8, without NUL */
    const char *language; /* its BCP 47 tag, for text that is shown; NULL: not known; borrowed */
    uint32_t n_lines, n_words, n_text;
};

/* The key of a layer's form XObject by which it is known as ours. */
#define TEXT_LAYER_MARK "/PLTN_TextLayer"

/* The key, in the properties of marked content, of how sure it is that a word is right: percent. */
#define TEXT_LAYER_SURE "/PLTN_Sure"

struct text_layer;

/* Begins to add layers to document q; to be freed after the document was written. */
struct text_layer *text_layer_new(qpdf_data q, struct err *err);
/* The same, but of text that programs take for visible (mode 0), though its glyphs are blank, in a
 * font of this name ("/Name", which is not copied): for programs that read the document next.
 * Marked content says its language, and for each word how sure it is that it was read right. */
struct text_layer *text_layer_new_shown(qpdf_data q, const char *font, struct err *err);
void text_layer_free(struct text_layer **layer);
#define AUTO_TEXT_LAYER __attribute__((cleanup(text_layer_free)))

/* Adds the layer of a page. A page without words gets none. ERR_LIMIT_EXCEEDED when out of
 * memory. */
int text_layer_add(struct text_layer *layer, struct obj page, const struct layer_page *text,
                   struct err *err);
/* Writes the font that the layers share; to be called after the last page. */
int text_layer_finish(struct text_layer *layer, struct err *err);
