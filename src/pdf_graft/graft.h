/*
 * graft: copies a graph of objects from one document into another, as a whole.
 *
 * qpdf copies foreign objects itself, but recursively: a chain of ten thousand links, outline items
 * or annotations would overflow the stack. So the graph is walked here first, without recursion and
 * in qpdf's order; where a path grows too deep the object is cut out, copied empty, and filled
 * afterwards. qpdf also stops at pages: whoever wants pages in the graph gives them another /Type
 * before, and /Page again in the copy.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pdf/doc.h"
#include "pdf/key_map.h"
#include "pdf/obj.h"
#include "pdf_graft/graft_text.h"

enum graft_state { GRAFT_NEW, GRAFT_OPEN, GRAFT_DONE, GRAFT_CUT, GRAFT_SKIPPED };

struct graft_object {
    int id, gen;
    size_t first_ref; /* in struct graft's refs */
    uint32_t n_refs;
    int copy; /* number of the copy, 0: not known yet */
    int kept; /* number of what is stored in its place (graft_share.h) */
    uint16_t marks;
    uint8_t state;
    bool stream;
    bool closed;     /* it reaches no cycle, no page and no loner: it may equal another */
    bool appearance; /* of an annotation: viewers rewrite these in place */
};

/* What an object refers to: an index in struct graft's objects, and how many direct containers
 * stand around the reference. */
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
    uint32_t *order; /* objects, each after all those it refers to but for cycles and cuts */
    size_t n_order, cap_order;
    uint32_t *cuts;
    size_t n_cuts, cap_cuts;
    struct key_map index; /* (number, generation) to index in objects */
    struct graft_text text;

    /*
     * Called for each object of the graph that has one of the marks, before it is copied; may
     * change what it holds (in the source, in memory). May be NULL.
     */
    void (*visit)(void *cls, struct obj object, unsigned marks);
    void *cls;
    unsigned marks;
};

/* Copies the indirect object `root` and all it reaches. Returns the copy's number, 0 on failure.
 * All handles of both documents are released. */
int graft_copy(struct graft *graft, struct obj root, struct err *err);
/* The number of an object's copy, 0 if it has none. */
int graft_copied(struct graft *graft, size_t index);
/* The text of an object as graft_text reads it; of a stream, its dictionary's. Borrowed until the
 * next call for the document. */
const char *graft_object_text(struct graft *graft, size_t index, size_t *n);
void graft_free(struct graft *graft);
#define AUTO_GRAFT __attribute__((cleanup(graft_free)))
