/* svg_references: reads which fonts an SVG file names, and counts what it refers to that is not
 * drawn: files and addresses outside it, scripts, animations, embedded HTML, pictures of other
 * formats. */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define SVG_SHOWN 80  /* bytes of an address that are kept */
#define SVG_LISTS 32  /* different lists of fonts that are kept; further ones are ignored */
#define SVG_LIST  120 /* bytes of a list of fonts; a longer one is cut */

/* The kinds of what is not drawn. */
enum svg_reference {
    SVG_OUTSIDE,   /* pictures, drawings, style sheets and fonts outside the file */
    SVG_SCRIPT,    /* scripts */
    SVG_ANIMATION, /* animations: the drawing is as it begins */
    SVG_FOREIGN,   /* parts in HTML or another language */
    SVG_PICTURE,   /* pictures in the file that are neither PNG nor JPEG */
    SVG_LINK,      /* links, which pictures do not have */
    SVG_TEXT,      /* texts, which are drawn: without one fonts do not matter */
    SVG_REFERENCES,
};

struct svg_references {
    size_t n[SVG_REFERENCES];
    char outside[SVG_SHOWN]; /* the first address; printable */
    /* The values of font-family and font (CSS Fonts 4): names of families in the order of
     * preference, separated by commas, some of them in quotes. */
    char fonts[SVG_LISTS][SVG_LIST];
    size_t n_fonts;
};

#define SVG_DEPTH 500 /* limit of elements within each other, as they are drawn by recursion */

/* Reads the file as XML, as far as it is well-formed. ERR_LIMIT_EXCEEDED beyond SVG_DEPTH. */
int svg_references_find(const void *data, size_t n, struct svg_references *references,
                        struct err *err);
