/* redact_shape: plain geometry of redaction: matrices, and four-sided areas that overlap. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pdf/redact/redact_hits.h"

/* The transformation [a b c d e f] of ISO 32000-1, 8.3.4. */
struct redact_matrix {
    double at[6];
};

#define REDACT_IDENTITY                                                                            \
    (struct redact_matrix)                                                                         \
    {                                                                                              \
        {                                                                                          \
            1, 0, 0, 1, 0, 0                                                                       \
        }                                                                                          \
    }

/* The transformation m, followed by n. */
struct redact_matrix redact_shape_multiply(struct redact_matrix m, struct redact_matrix n);
/* False: the matrix has no inverse. */
bool redact_shape_invert(struct redact_matrix m, struct redact_matrix *inverse);
void redact_shape_move(struct redact_matrix m, double *x, double *y);
/* The image of a box. */
struct redact_quad redact_shape_quad(struct redact_matrix m, double x0, double y0, double x1,
                                     double y1);

/* An area of a page from which everything is removed. */
struct redact_area {
    struct redact_quad quad;
    double box[4]; /* around it: left, bottom, right, top */
    bool region;   /* a client drew it: whatever reaches into it is removed */
    size_t hit;    /* the index of its hit */
    bool picture;  /* found: a picture reaches into it */
    bool moved;    /* found: holes of other widths are drawn in its place */
};

void redact_shape_box(const struct redact_quad *quad, double box[static 4]);
bool redact_shape_has(const struct redact_area *area, double x, double y);
/* Whether the insides of two areas meet. */
bool redact_shape_meet(const struct redact_area *area, const struct redact_quad *quad);
