/*
 * proof: reads back what was written. Every page is compared with the words that it was made of
 * before it is written to the file, and the text of the closed file is compared with that of the
 * pages.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "layout/page/words.h"

/* Collects the text of a part from its XML, which comes in pieces. */
struct proof {
    bool keep;       /* collect `text` */
    struct buf text; /* of the last page, without blanks */
    uint64_t *sums;  /* hashes of the pages' texts */
    size_t n_sums, cap_sums;
    long depth; /* open elements: 0 at the end of a whole document */
    int first;  /* number of the first automatic footnote of a page */
    int number; /* number of the next automatic footnote */
    bool failed;
    /* Private to proof.c. */
    enum proof_state { PROOF_OUTSIDE, PROOF_TAG, PROOF_TEXT, PROOF_ENTITY } state;
    char part[80]; /* of a tag, or an entity */
    size_t n_part;
    char before; /* the last character of a tag */
};

/* Reads the next n bytes of the part. */
void proof_feed(struct proof *proof, const char *xml, size_t n);
/* Adds a page whose text has this hash. */
void proof_add(struct proof *proof, uint64_t sum);
void proof_free(struct proof *proof);
/* Opens the document that was closed, and verifies that every part is whole, and that the pages in
 * the part `part` have the texts that were added to `written`. ERR_INTERNAL if not. */
int proof_file(const char *path, const char *part, const struct proof *written, struct err *err);
