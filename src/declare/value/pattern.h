/*
 * pattern: a regular expression as a client writes it, compiled into a program whose matching needs
 * time in proportion to the text (engine/page_search/pattern_match.h). The syntax is that of RE2:
 * no backreferences and no lookaround.
 *
 *   x*  x+  x?  x{n}  x{n,}  x{n,m}  and the same with ? (as few as possible)   x|y  (x)  (?:x)
 *   (?i:x)  .  [a-z]  [^a-z]  [[:alpha:]]  \d \w \s \D \W \S  \p{L} \P{Lu}  \b \B  ^ $ (of a line)
 *   \t \n \x41 \x{1F600}  \Q...\E  and a backslash before any sign
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define PATTERN_CODE   4000 /* limit of the instructions of one pattern */
#define PATTERN_REPEAT 1000 /* limit of n and m */

enum pattern_op {
    PATTERN_CHAR,  /* the character `value` */
    PATTERN_CLASS, /* one of a class: the items from `value` on, `n` of them */
    PATTERN_ANY,   /* any character */
    PATTERN_SPLIT, /* continues at both x and y, and prefers x */
    PATTERN_JUMP,  /* continues at x */
    PATTERN_LINE_BEGIN,
    PATTERN_LINE_END,
    PATTERN_WORD_EDGE,
    PATTERN_NO_WORD_EDGE,
    PATTERN_MATCH,
};

struct pattern_code {
    enum pattern_op op;
    uint32_t value;
    int x, y; /* relative to this instruction */
    uint16_t n;
    bool negated;  /* PATTERN_CLASS: any character but these */
    bool any_case; /* letters match in both cases */
};

/* Characters from `first` to `last`, or all of some general categories. */
struct pattern_item {
    uint32_t first, last;
    /* A bit for each of PATTERN_CATEGORIES; 0: it is a range */
    uint32_t categories;
    bool negated; /* all but those of the categories */
};

/* General categories of Unicode, in the order of the bits. */
#define PATTERN_CATEGORIES "LuLlLtLmLoMnMcMeNdNlNoPcPdPsPePiPfPoSmScSkSoZsZlZpCcCfCsCoCn"

struct pattern {
    struct pattern_code *code;
    struct pattern_item *items;
    size_t n, cap, n_items, cap_items;
};

/* Compiles `text`, a part of the field `name`'s value; with any_case letters match in both cases.
 * ERR_INVALID_PARAMETER says what is wrong at which character, counted from 1. The caller frees the
 * pattern, also after -1. */
int pattern_compile(struct pattern *pattern, const char *name, const char *text, size_t n,
                    bool any_case, struct err *err);
void pattern_free(struct pattern *pattern);
#define AUTO_PATTERN __attribute__((cleanup(pattern_free)))

/* The next line of a text that has one pattern (or word) a line, without white space at its ends;
 * blank lines are skipped. False: there are no more. *at starts at 0. */
bool pattern_next_line(const char *text, size_t *at, const char **line, size_t *n);
