/*
 * syntax: objects read from bytes nobody vouches for, and written again in clean form (ISO 32000-1,
 * 7.2 and 7.3). What is missing is closed, what cannot be is left out: the result of reading
 * anything at all is the syntax of an object.
 *
 * Clean form: one blank between tokens, no comments, references as "N 0 R" whatever generation
 * they gave, names with unusual bytes as #xx.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define SYNTAX_DEPTH  120      /* arrays and dictionaries in each other, at most */
#define SYNTAX_NUMBER 8388607U /* the greatest object number readers agree on (annex C) */

struct syntax {
    const unsigned char *data;
    size_t n, at;
    bool mended; /* something had to be closed, guessed or left out */
    bool deep;   /* nested too deeply: everything around ends here */
    size_t lost; /* bytes searched for the ends of strings that have none */
};

/* Reads the object that begins at or after `at` (blanks and comments are skipped) and appends it
 * to out (NULL: only skips it). False if none begins there: `at` is then behind the blanks. */
bool syntax_read(struct syntax *syntax, struct buf *out);
void syntax_skip_space(struct syntax *syntax);
/* Skips `word` if it stands at `at`. */
bool syntax_skip_word(struct syntax *syntax, const char *word);
/* Reads a plain unsigned integer of at most ten digits. */
bool syntax_unsigned(struct syntax *syntax, uint64_t *value);
