/*
 * redact_hits: what is to be removed from a document: texts with their places on pages, areas of
 * pages, and texts elsewhere in the document. The list is what a search finds, what a client may
 * shorten, and what redact removes; its JSON form is an array of objects:
 *
 *   {"id": "3-7", "kind": "text", "page": 3, "quads": [[x1, y1, x2, y2, x3, y3, x4, y4], ...],
 *    "text": "Smith", "context": "Mr Smith said"}
 *
 * or an object whose member "hits" is such an array. An area may be given as "box": [x0, y0, x1,
 * y1] in place of "quads".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define REDACT_HITS_ID    40     /* room for an id, and a NUL */
#define REDACT_HITS_KIND  24     /* room for a kind, and a NUL */
#define REDACT_HITS_MOST  200000 /* limit of a list */
#define REDACT_HITS_QUADS 4000   /* limit of the quads of one hit */

/* A four-sided area in the default user space of its page (ISO 32000-1, 8.3.2.3): points, as the
 * page is stored, before /Rotate, with PDF's origin. In reading direction of the text: top left,
 * top right, bottom left, bottom right; each an x and a y. */
struct redact_quad {
    double at[8];
};

struct redact_hit {
    char id[REDACT_HITS_ID]; /* unique in its list; the same for the same document and search */
    /* "text", "pattern", the name of a preset or "region" for what is on a page; "field",
     * "annotation", "outline", "metadata", "attachment", "link", "layer" and so on for text that is
     * found elsewhere */
    char kind[REDACT_HITS_KIND];
    size_t page; /* from 1; 0: it belongs to no page */
    struct redact_quad *quads;
    size_t n_quads;
    /* UTF-8, never NULL, in one piece of memory that the list owns: the text, or "" for an area
     * whose text is not known; and the text with some words around it */
    const char *text, *context;
};

struct redact_hits {
    struct redact_hit *items;
    size_t n, cap;
};

/* Appends a hit whose members are copied; `text` and `context` may be NULL, and `id` may be "": a
 * number is made. ERR_LIMIT_EXCEEDED when out of memory, or beyond the limits above. */
int redact_hits_add(struct redact_hits *hits, const struct redact_hit *hit, struct err *err);
void redact_hits_free(struct redact_hits *hits);
#define AUTO_REDACT_HITS __attribute__((cleanup(redact_hits_free)))

/* A quad around a box. */
struct redact_quad redact_hits_box(double x0, double y0, double x1, double y1);

/* Appends what the text, the value of the field `name`, lists. ERR_INVALID_PARAMETER, which names
 * the index of the faulty hit, ERR_LIMIT_EXCEEDED. */
int redact_hits_read(struct redact_hits *hits, const char *name, const char *text, struct err *err);
/* Appends the list as JSON, a hit a line. */
int redact_hits_write(const struct redact_hits *hits, struct buf *out, struct err *err);
