/*
 * syntax: reads objects from untrusted bytes, and writes them in clean form (ISO 32000-1, 7.2 and
 * 7.3). Missing ends are added and invalid parts dropped: the result of reading any bytes is valid
 * syntax.
 *
 * Clean form: one blank between tokens, no comments, references as "N 0 R" whatever their
 * generation, names with unusual bytes as #xx.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define SYNTAX_DEPTH  120      /* limit of nested arrays and dictionaries */
#define SYNTAX_NUMBER 8388607U /* the greatest object number that all readers accept (annex C) */

struct syntax {
    const unsigned char *data;
    size_t n, at;
    bool mended; /* something had to be added, guessed or dropped */
    bool deep;   /* nested too deep: all enclosing objects end here */
    size_t lost; /* bytes searched for the ends of strings that have none */
};

/* Reads the object that begins at or after `at` (white space and comments are skipped) and
 * appends it to out (NULL: only skips it). False if none begins there: `at` is then after the
 * white space. */
bool syntax_read(struct syntax *syntax, struct buf *out);
void syntax_skip_space(struct syntax *syntax);
/* Skips `word` if it is at `at`; false if it is not. */
bool syntax_skip_word(struct syntax *syntax, const char *word);
/* Reads the digits at `at`, at most ten, as an unsigned integer. False if there are none. */
bool syntax_unsigned(struct syntax *syntax, uint64_t *value);
