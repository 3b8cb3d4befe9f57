/*
 * redact_overlap: which letters go with a removed text although they are not its own: those of
 * another text that is drawn over it, or reaches into its place. What the places of a hit have is
 * compared with its text, which may be drawn there several times.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pdf/redact/redact_hits.h"
#include "pdf/redact/redact_words.h"

struct redact_overlap {
    const struct redact_hits *hits;
    struct redact_lost {
        size_t hit;
        uint32_t letter; /* folded */
        bool own;        /* it can be that of another hit, too, or was found by its text */
        bool faint;      /* it is not seen, or another text replaces it */
    } * items;           /* of the page */
    size_t n, cap;
    struct redact_folded folded; /* of one glyph */
    bool failed;                 /* out of memory */
};

/* A glyph that is removed. */
struct redact_overlap_glyph {
    const uint32_t *text;
    size_t n_text;
    const size_t *in; /* the indices of the hits in whose places it is */
    size_t n_in;
    bool found; /* one of the texts has it */
    bool faint; /* as in struct redact_lost */
};
void redact_overlap_note(struct redact_overlap *overlap, const struct redact_overlap_glyph *glyph);
/* Returns how many letters of other texts were removed from the page, with the first hit that they
 * overlap. Afterwards the notes are empty. */
size_t redact_overlap_count(struct redact_overlap *overlap, size_t *hit);
void redact_overlap_free(struct redact_overlap *overlap);
