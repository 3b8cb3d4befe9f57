/*
 * space: the luminance of colours in all colour spaces (ISO 32000-2, 8.6): equal to the gray of the
 * drawn page. CMYK is converted as for drawing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "pdf/object/obj.h"

#define SPACE_COMPONENTS 32 /* limit of the components of a colour space */

enum space_kind {
    SPACE_STAYS,      /* it has no colour that is to be converted */
    SPACE_IS_NOTHING, /* the separation None, which paints nothing */
    SPACE_IS_PATTERN, /* with or without `base` */
    SPACE_IS_COLOUR,
};

struct space {
    enum space_kind kind;
    size_t n; /* number of components */
    enum {    /* how its colours are converted */
           SPACE_BY_RGB,
           SPACE_BY_CMYK,
           SPACE_BY_LAB,
           SPACE_BY_TINT,
           SPACE_BY_TABLE,
           SPACE_BY_GRAY,
           SPACE_BY_PROFILE /* to sRGB, by an ICC profile (recolour/part.h) */
    } by;
    struct space *base;    /* of patterns, tints and palettes */
    struct function *tint; /* NULL if it cannot be read */
    uint8_t *table;        /* of a palette */
    size_t n_table;        /* bytes */
    double ranges[4];      /* of a* and b* */
    size_t profile;        /* its index */
};

/*
 * Opens the colour space of a name or array; `resources` (may be null) defines other names. One
 * that cannot be read counts as gray, RGB or CMYK by its number of components, if that is known.
 * NULL when out of memory.
 */
struct space *space_open(struct obj obj, struct obj resources);
void space_close(struct space **space);
#define AUTO_SPACE __attribute__((cleanup(space_close)))

/* The gray level, 0 (black) to 1, of a colour with space->n components; for a pattern, of its
 * base. */
double space_gray(const struct space *space, const double *colour);
/* The initial colour (8.6.3). */
void space_first(const struct space *space, double colour[static SPACE_COMPONENTS]);
/* The default Decode array of one component; for a palette an index, with samples of `bits`. */
void space_decode(const struct space *space, size_t component, unsigned bits, double *low,
                  double *high);

/* The gray level, 0 to 1, of a device colour with components from 0 to 1. */
double space_gray_of_rgb(const double rgb[static 3]);
double space_gray_of_cmyk(const double cmyk[static 4]);
/* Reads an array of numbers, of which at most SPACE_COMPONENTS are used; an item that is not a
 * number leaves its component as it was. Returns whether all are numbers. */
bool space_read_colour(struct obj array, double colour[static SPACE_COMPONENTS]);
/* Appends a component of a colour, 0 to 1, as content streams have it, and a space. */
void space_put_level(struct buf *out, double level);
/* The gray levels, 0 to 255, of all sample values of `bits` bits (1 to 8) of one component;
 * `decode`: the image's Decode array, or null. */
void space_table(const struct space *space, struct obj decode, unsigned bits, uint8_t table[256]);
