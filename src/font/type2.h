/*
 * type2: writes one charstring of Type 2 (Adobe technical note 5177). Hints come first in it, so
 * that each glyph is written in two passes with the same calls: the first, with a zeroed struct
 * type2, collects its hints, and the second, after type2_start, writes it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define TYPE2_PLACE 30000.0 /* limit of the distance from the origin */
/* limit of the hints in one direction: their operands and the width fit on the stack */
#define TYPE2_STEMS    23
#define TYPE2_OPERANDS 48 /* limit of operands of one operator */

struct type2_point {
    double x, y;
};

struct type2_stems {
    struct type2_stem {
        double at, size;
    } list[TYPE2_STEMS];
    bool active[TYPE2_STEMS];
    size_t n;
};

struct type2 {
    struct buf *out;         /* NULL in the first pass, which collects hints */
    struct type2_stems h, v; /* sorted */
    bool masks;              /* the set of active hints changes within the glyph */
    bool mask_due;           /* that set must be written before the next operator of the path */
    bool crowded;            /* too many hints: the glyph gets none */
    bool wild;               /* a number was out of range: the charstring cannot be used */
    bool moved;              /* a move to `corner` was not written yet */
    struct type2_point corner;
    int64_t x, y; /* the position up to which the path is written, 16.16 */
    unsigned op;  /* the operator that is pending with its operands; 0: none */
    int64_t operands[TYPE2_OPERANDS];
    size_t n_operands;
};

/* Appends a number, as 16.16 if it is not an integer. False if it is out of range. */
bool type2_put_number(double value, struct buf *out);

/* Begins the second pass, with the hints of the first. */
void type2_start(struct type2 *w, const struct type2 *first, struct buf *out);
/* Adds a hint, which is active from here up to type2_new_hints. False for impossible numbers. */
bool type2_stem(struct type2 *w, bool vertical, double at, double size);
/* From here on only the hints that are added after this call are active. */
void type2_new_hints(struct type2 *w);
/* Coordinates are absolute, and at most TYPE2_PLACE from the origin. */
void type2_move(struct type2 *w, struct type2_point to);
void type2_line(struct type2 *w, struct type2_point to);
void type2_curve(struct type2 *w, const struct type2_point points[3]);
/* Ends the charstring. False if it cannot be used. */
bool type2_end(struct type2 *w);
