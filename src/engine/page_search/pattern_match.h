/*
 * pattern_match: finds a pattern (declare/value/pattern.h) in text. All ways to match are followed
 * at the same time, so that the time is in proportion to the length of the text and of the pattern,
 * whatever both are. Of matches that begin at the same place, the one is found that Perl would
 * find.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "declare/value/pattern.h"

#define PATTERN_MATCH_LONGEST 2000 /* limit of the characters of a match */

struct pattern_thread;

struct pattern_match {
    const struct pattern *pattern;
    bool first[128];    /* whether a match can begin with this character */
    bool first_other;   /* or with one of the others */
    bool first_unknown; /* or without any: every place is tried */

    /* Private to pattern_match.c: the ways that are followed, in order of preference. */
    struct pattern_thread *now, *next;
    size_t *stack;
    uint32_t *seen, turn;
};

/* The text that is searched. `line`: whether a line begins at this character; or NULL. */
struct pattern_text {
    const uint32_t *codes;
    const bool *line;
    size_t n;
};

/* Prepares the search for a pattern, which is borrowed. ERR_INTERNAL without memory. */
int pattern_match_open(struct pattern_match *match, const struct pattern *pattern, struct err *err);
void pattern_match_close(struct pattern_match *match);
/* Finds the first match that begins at `from` or later and is not empty: from *begin to before
 * *end. */
bool pattern_match_find(struct pattern_match *match, const struct pattern_text *text, size_t from,
                        size_t *begin, size_t *end);
/* Whether a character is a part of a word: a letter, mark, digit or low line. */
bool pattern_match_is_word(uint32_t code);
