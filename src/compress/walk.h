/* walk: runs content streams as far as images and fonts go. For usage.h; walk_page.c begins it. */
#pragma once

#include "compress/usage.h"

/* The linear part of a transformation [a b c d]: where something is does not matter. */
struct matrix {
    double a, b, c, d;
};

struct gstate {
    struct matrix ctm;
    size_t font; /* index in the usage, or IDMAP_NONE */
    double size, stretch;
};

struct walk {
    struct usage *usage;
    qpdf_data q;
    double page_area; /* of the page at hand, in square points */
    bool no_memory;
    struct idmap run_index; /* streams that ran, by id */
    struct ran {
        double x, y; /* scales */
        size_t font;
    } * ran;
    size_t n_ran, cap_ran;
};

/* One content stream that runs. */
struct frame {
    struct walk *walk;
    struct obj resources;
    struct matrix base, text;
    struct gstate now, *saved;
    size_t n_saved, cap_saved;
    int depth;
};

struct matrix walk_multiply(const struct matrix *m, const struct matrix *n);
/* Of an array of six numbers; one of `unit` where there is none. */
struct matrix walk_matrix(struct obj holder, const char *key, double unit);
/* Runs content that `outer` names, where `ctm` is its own matrix and what is around it. */
void walk_data(struct frame *outer, struct obj resources, const struct matrix *ctm,
               const unsigned char *data, size_t n);
/* A form or tiling pattern in a place where `ctm` holds. */
void walk_form(struct frame *f, struct obj form, const struct matrix *ctm);
