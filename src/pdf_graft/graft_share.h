/*
 * graft_share: keeps what several grafted documents have in common once in the result: streams
 * (pictures, font programs, profiles, page contents), fonts, and what belongs to them alone.
 *
 * Two objects are the same when their texts are, with what they refer to being the same already,
 * and, for streams, their bytes. Objects with an identity of their own (pages, annotations, layers,
 * structure elements) and what reaches them never are; nor are appearances of annotations, which
 * viewers rewrite in place.
 */
#pragma once

#include "pdf_graft/graft.h"

struct graft_share {
    qpdf_data q;
    struct graft_shared *kept;
    size_t n_kept, cap_kept;
    struct key_map index; /* digest of the text to the first in kept that has it, and of a stream's
                             text and data to the one */
};

/* After graft_copy: makes the copies refer to what was there before where that is the same. */
int graft_share(struct graft_share *share, struct graft *graft, struct err *err);
void graft_share_free(struct graft_share *share);
