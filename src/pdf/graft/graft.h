/*
 * graft: copies a graph of objects from one document into another, as a whole.
 *
 * qpdf copies foreign objects itself, but recursively: a chain of ten thousand links, outline items
 * or annotations would overflow the stack. So the graph is walked here first, without recursion and
 * in qpdf's order; an object that is too deep is cut out, copied empty, and filled afterwards. qpdf
 * also stops at pages: a caller that needs pages in the graph gives them another /Type before, and
 * /Page again in the copy.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/graft/graft_text.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

enum graft_state { GRAFT_NEW, GRAFT_OPEN, GRAFT_DONE, GRAFT_CUT, GRAFT_SKIPPED };

struct graft_object {
    int id, gen;
    size_t first_ref; /* index in struct graft's refs */
    uint32_t n_refs;
    int copy;       /* object number of the copy, 0: not known yet */
    int kept;       /* number of the equal object that replaces it (graft_share.h) */
    uint16_t marks; /* bits of enum graft_mark */
    uint8_t state;  /* an enum graft_state */
    bool stream;
    /* it reaches no cycle, no page and no object with an identity: it may equal another */
    bool closed;
    bool appearance; /* of an annotation: viewers rewrite these in place */
};

/* A reference: the index of its target in struct graft's objects, and the number of direct
 * containers around it. */
struct graft_edge {
    uint32_t to;
    uint32_t depth;
};

struct graft {
    qpdf_data from, to;
    struct graft_object *objects;
    size_t n_objects, cap_objects;
    struct graft_edge *refs;
    size_t n_refs, cap_refs;
    /* objects, each after all those that it refers to, except for cycles and cuts */
    uint32_t *order;
    size_t n_order, cap_order;
    uint32_t *cuts; /* objects that are too deep: copied empty, and filled afterwards */
    size_t n_cuts, cap_cuts;
    struct key_map index; /* from (number, generation) to the index in objects */
    struct graft_text text;

    /*
     * Called for each object of the graph that has one of the marks, before it is copied; may
     * change its value (in the source, in memory). May be NULL.
     */
    void (*visit)(void *arg, struct obj object, unsigned marks);
    void *arg;
    unsigned marks; /* bits of enum graft_mark: for `visit` */
};

/* Copies the indirect object `root` and all that it reaches. Returns the copy's number, 0 on
 * failure. All handles of both documents are released. */
int graft_copy(struct graft *graft, struct obj root, struct err *err);
/* The number of an object's copy, 0 if it has none. */
int graft_copied(struct graft *graft, size_t index);
/* The text of an object as graft_text reads it; for a stream, its dictionary's. Borrowed until
 * the next call for the document. */
const char *graft_object_text(struct graft *graft, size_t index, size_t *n);
void graft_free(struct graft *graft);
#define AUTO_GRAFT __attribute__((cleanup(graft_free)))
