/*
 * proof: reads what was written. Every page is compared with the words it was made of before it
 * goes into the file, and once that is closed its text is compared with what went in.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "page/words.h"

/* The text of a part, as it comes. */
struct proof {
    struct buf text; /* of the last page, without blanks; if `keep` */
    bool keep;
    uint64_t *sums; /* of the pages' texts */
    size_t n_sums, cap_sums;
    long depth; /* of elements: 0 at the end of a whole document */
    int first;  /* number of the first footnote of a page that Word counts */
    int number; /* and of the next one */
    bool failed;
    /* For proof.c. */
    enum proof_state { PROOF_OUTSIDE, PROOF_TAG, PROOF_TEXT, PROOF_ENTITY } state;
    char part[80]; /* of a tag, or an entity */
    size_t n_part;
    char before; /* the last character of a tag */
};

void proof_feed(struct proof *proof, const char *xml, size_t n);
/* A page whose text has this sum. */
void proof_add(struct proof *proof, uint64_t sum);
void proof_free(struct proof *proof);
/* Reopens the document: every part is whole, and in the one named the pages have the texts of
 * `written`. ERR_INTERNAL. */
int proof_file(const char *path, const char *part, const struct proof *written, struct err *err);
