/*
 * overlay: places drawings over or under the content of pages, as form XObjects (ISO 32000-2, 8.10)
 * that are marked as artifacts (14.8.2.2). The graphics state that a page's content leaves, or a
 * token that it leaves open, does not affect them, and pages that share content or resources are
 * separated, so that a drawing is visible only on its page and at its place.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/object/obj.h"

struct overlay;

struct overlay_style {
    bool under;  /* before the content of the page, else after it */
    bool copied; /* the document will be copied into another, and closed before that is written */
    const char *artifact; /* subtype of pagination artifact: "/Watermark", "/PageNum" */
    const char *layer;    /* the name of its layer; NULL: none */
    /* prefix of the forms' names in the resources of pages, such as "/Stamp" */
    const char *name;
};

/* A form XObject and its position: the operands of cm. */
struct overlay_mark {
    size_t form;
    double matrix[6];
};

/* Makes an overlay for document q, to be freed after the document was written. The texts in `style`
 * must outlive it. */
struct overlay *overlay_new(qpdf_data q, const struct overlay_style *style, struct err *err);
void overlay_free(struct overlay **overlay);
#define AUTO_OVERLAY __attribute__((cleanup(overlay_free)))

/* Imports a drawing (stamp/draw/drawing.h), of which it takes ownership: each of its pages becomes
 * a form XObject of the page's size, numbered from 0. May be called once. */
int overlay_import(struct overlay *overlay, struct buf *pdf, struct err *err);

/* The form XObject that was made of page `form` of the drawing. */
struct obj overlay_form(const struct overlay *overlay, size_t form);

/* Adds a form XObject that the document has; *number is its number. */
int overlay_add(struct overlay *overlay, struct obj form, size_t *number, struct err *err);

/* Transforms the content of a page by a matrix; patterns of the page are left where they are. */
int overlay_transform(struct overlay *overlay, struct obj page, const double matrix[static 6],
                      struct err *err);

/* Makes a form XObject of this width and height in points that shows others, clipped to its edges,
 * each with an opacity from 0 to 1. */
int overlay_compose(struct overlay *overlay, double width, double height, double opacity,
                    const struct overlay_mark *marks, size_t n, size_t *form, struct err *err);

/* Places a form XObject on the page, with a matrix in the coordinates of its content. */
int overlay_place(struct overlay *overlay, struct obj page, const struct overlay_mark *mark,
                  struct err *err);

/* `out` = first `inner`, then `outer`. May be the same array as one of them. */
void overlay_multiply(const double inner[static 6], const double outer[static 6],
                      double out[static 6]);
