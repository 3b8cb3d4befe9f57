/*
 * overlay: what was drawn elsewhere, put over or under the content of pages, as form XObjects (ISO
 * 32000-2, 8.10) that are marked as no part of the document's own content (14.8.2.2, artifacts).
 * Whatever a page's content leaves behind, and whatever other pages share with it, what is put on a
 * page is seen on it alone, where it should be.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/obj.h"

struct overlay;

struct overlay_style {
    bool under;  /* before the content of the page, else after it */
    bool copied; /* the document is copied into another, and closed before that is written */
    const char *artifact; /* which sort of pagination artifact: "/Watermark", "/PageNum" */
    const char *layer;    /* the name of the layer it is in; NULL: in none */
    const char *name;     /* "/Stamp": what the forms are called in the resources of pages */
};

/* A form, and how it is placed: the operands of cm. */
struct overlay_mark {
    size_t form;
    double matrix[6];
};

/* For document q; must not be freed before that is written. The texts in style must outlive it. */
struct overlay *overlay_new(qpdf_data q, const struct overlay_style *style, struct err *err);
void overlay_free(struct overlay **overlay);
#define AUTO_OVERLAY __attribute__((cleanup(overlay_free)))

/* Takes the bytes of a drawing (draw/drawing.h): each of its pages becomes a form, as large as that
 * page, numbered from 0 on. Once. */
int overlay_import(struct overlay *overlay, struct buf *pdf, struct err *err);

/* A form that was imported. */
struct obj overlay_form(const struct overlay *overlay, size_t form);

/* A form of that size that shows others, cut at its edges, each of them with an opacity from 0 to
 * 1. */
int overlay_compose(struct overlay *overlay, double width, double height, double opacity,
                    const struct overlay_mark *marks, size_t n, size_t *form, struct err *err);

/* Shows a form on the page, with a matrix in the coordinates of its content. */
int overlay_place(struct overlay *overlay, struct obj page, const struct overlay_mark *mark,
                  struct err *err);

/* `out` = first `inner`, then `outer`. May be the same as one of them. */
void overlay_multiply(const double inner[static 6], const double outer[static 6],
                      double out[static 6]);
