/*
 * graft_share: stores objects that several grafted documents have in common once in the result:
 * streams (pictures, font programs, profiles, page contents), fonts, and what belongs to them
 * alone.
 *
 * Two objects are equal if their texts are, with references to equal objects, and, for streams,
 * their bytes. Objects with an identity (pages, annotations, layers, structure elements), and
 * objects that refer to them, are never shared; nor are appearances of annotations, which viewers
 * rewrite in place.
 */
#pragma once

#include "pdf/graft/graft.h"

struct graft_share {
    qpdf_data q;
    struct graft_shared *kept;
    size_t n_kept, cap_kept;
    /* maps the digest of a text to the first object in `kept` that has it, and the digest of a
     * stream's text and data to the object */
    struct key_map index;
};

/* After graft_copy: makes the copies refer to equal objects that existed before. */
int graft_share(struct graft_share *share, struct graft *graft, struct err *err);
void graft_share_free(struct graft_share *share);
