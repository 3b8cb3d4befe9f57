/*
 * type2: writes one charstring of Type 2 (Adobe technical note 5177). Hints come first there, so
 * that a glyph is told twice: at first with no buffer, which collects its hints, then with one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define TYPE2_PLACE    30000.0 /* nothing is farther from the origin */
#define TYPE2_STEMS    23      /* in one direction: their operands and the width fit on the stack */
#define TYPE2_OPERANDS 48      /* of one operator */

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
    struct buf *out;         /* NULL while hints are collected */
    struct type2_stems h, v; /* sorted */
    bool masks;              /* which hints hold changes within the glyph */
    bool mask_due;
    bool crowded; /* there are more hints than there is room for: it gets none */
    bool wild;    /* a number was out of range: the charstring is no good */
    bool moved;   /* to `corner`, which is not written yet */
    struct type2_point corner;
    int64_t x, y; /* written up to here, 16.16 */
    unsigned op;  /* pending, with its operands; 0: none */
    int64_t operands[TYPE2_OPERANDS];
    size_t n_operands;
};

/* Appends a number, as 16.16 where it is no integer. False if it is out of range. */
bool type2_put_number(double value, struct buf *out);

/* Begins the second telling, with the hints of the first. */
void type2_start(struct type2 *w, const struct type2 *first, struct buf *out);
/* A hint: it holds from here up to type2_new_hints. False for impossible numbers. */
bool type2_stem(struct type2 *w, bool vertical, double at, double size);
void type2_new_hints(struct type2 *w);
/* Places are absolute; at most TYPE2_PLACE from the origin. */
void type2_move(struct type2 *w, struct type2_point to);
void type2_line(struct type2 *w, struct type2_point to);
void type2_curve(struct type2 *w, const struct type2_point points[3]);
/* False if it cannot be used. */
bool type2_end(struct type2 *w);
