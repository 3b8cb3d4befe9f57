/*
 * plain_text: text without what differs only in form, as a search compares it: ligatures,
 * full-width and presentation forms become letters, letters with separate marks become one
 * character, all kinds of spaces, quotation marks and dashes one of each, and characters that are
 * not seen (soft hyphens, joiners, marks of direction) are left out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What becomes of the break between two lines. */
enum plain_breaks {
    PLAIN_WORDS, /* a hyphen goes with the break; else it becomes a space */
    PLAIN_SIGNS, /* a hyphen stays, as do other signs of words and addresses; only the break goes */
    PLAIN_JOINED, /* as PLAIN_SIGNS, and the break goes between letters, too: words may be cut */
};

struct plain_text {
    uint32_t *codes;
    uint32_t *from; /* index of the character of the source that it is from */
    uint32_t *to;   /* index of the last one: a mark may be separate */
    bool *line;     /* a line begins here */
    size_t n, cap;
    bool failed; /* out of memory */
};

struct plain_source {
    const uint32_t *codes;
    const bool *line; /* a line begins here; or NULL */
    size_t n;
    bool hyphens; /* soft hyphens, which are seen if they are drawn, count as hyphens */
};

/* Makes the plain text of a source in place of what `out` had. False without memory. */
bool plain_text_make(struct plain_text *out, const struct plain_source *source,
                     enum plain_breaks breaks);
void plain_text_free(struct plain_text *text);
/* Whether a line of the source ends with one of the signs that PLAIN_SIGNS keeps, so that both ways
 * differ. */
bool plain_text_has_signs(const struct plain_source *source);
bool plain_text_has_soft_hyphens(const struct plain_source *source);
