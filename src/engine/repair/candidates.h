/*
 * candidates: what the ways make of a document, each looked at as a reader would see it. The best
 * is kept, and pages of which another way saved more are taken from that.
 */
#pragma once

#include "engine/compare/content_score.h"
#include "engine/repair/ways.h"

/* Where a page of the result is from. */
enum candidates_origin {
    CANDIDATES_BEST,  /* the way that gave most */
    CANDIDATES_OTHER, /* another way, in the place of that one's page */
    CANDIDATES_NEW,   /* another way: that one had lost it */
};

struct candidates {
    const struct ways *ways;
    struct content_score scores[WAYS]; /* of what each way makes; one without pages: nothing */
    struct buf kept;                   /* the best result so far */
    struct content_score best;         /* its score */
    size_t best_way;
    bool found;                                /* there is a result */
    size_t joined;                             /* pages that are not from the best way */
    size_t added;                              /* those of them that are new */
    unsigned char origin[CONTENT_SCORE_PAGES]; /* enum candidates_origin of each page */
};

/* Finds the best result, and reports progress from 0.2 to 0.95. ERR_CORRUPT_FILE if no way gives
 * one, ERR_PASSWORD_REQUIRED, ERR_WRONG_PASSWORD, ERR_LIMIT_EXCEEDED. */
int candidates_choose(struct candidates *candidates, struct err *err);
void candidates_free(struct candidates *candidates);
