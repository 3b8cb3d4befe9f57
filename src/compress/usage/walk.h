/* walk: interprets content streams as far as images and fonts need it, for walk_page.c. */
#pragma once

#include "compress/usage/usage.h"

/* The linear part of a transformation [a b c d], without translation. */
struct matrix {
    double a, b, c, d;
};

struct gstate {
    struct matrix ctm;
    size_t font;          /* index in the usage, or IDMAP_NONE */
    double size, stretch; /* font size in units of text space; horizontal scaling, 1 for 100 % */
};

struct walk {
    struct usage *usage;
    qpdf_data q;
    double page_area; /* of the current page, in square points */
    bool no_memory;
    struct idmap run_index; /* by id of a stream that was interpreted: its index in `ran` */
    struct ran {
        double x, y; /* the scales of user space at that time */
        size_t font; /* the font that was selected, as in struct gstate */
    } * ran;
    size_t n_ran, cap_ran;
};

/* A content stream that is being interpreted. */
struct frame {
    struct walk *walk;
    struct obj resources;
    /* base: the transformation at the beginning of the content; text: the text matrix (9.4.2) */
    struct matrix base, text;
    struct gstate now, *saved;
    size_t n_saved, cap_saved;
    int depth;
};

/* The transformation m, followed by n. */
struct matrix walk_multiply(const struct matrix *m, const struct matrix *n);
/* The matrix in holder[key], an array of six numbers; a scaling by `unit` if there is none. */
struct matrix walk_matrix(struct obj holder, const char *key, double unit);
/* Interprets content that `outer` names; `ctm` combines its own matrix and the outer one. */
void walk_data(struct frame *outer, struct obj resources, const struct matrix *ctm,
               const unsigned char *data, size_t n);
/* Interprets a form XObject or tiling pattern; `ctm` is the current matrix. */
void walk_form(struct frame *f, struct obj form, const struct matrix *ctm);
