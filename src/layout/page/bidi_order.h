/* bidi_order: the logical order of signs whose visual order is known: the inverse of the reordering
 * of Unicode Standard Annex 9. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A character on a line, or the white space between two words. */
struct bidi_sign {
    uint32_t code;  /* ' ' for white space, '\t' for a tab */
    uint32_t drawn; /* its place in the file's order; white space: not used */
    bool odd;       /* result: it is in text from right to left, where brackets are mirrored */
    bool rtl;       /* result: it belongs to such text, as the numbers in it do */
};

/* The direction of the last letter. Numbers after Arabic ones are divided at other signs. */
enum bidi_letter { BIDI_NONE, BIDI_LEFT_TO_RIGHT, BIDI_HEBREW, BIDI_ARABIC };

bool bidi_is_letter_ltr(uint32_t code);
bool bidi_is_letter_rtl(uint32_t code);
bool bidi_is_digit(uint32_t code);
/* What may stand between two digits of one number or date. */
bool bidi_is_separator(uint32_t code);
/* A mark that is drawn over or below a letter. */
bool bidi_is_mark(uint32_t code);
/* The sign that a mirrored one looks like; or 0. */
uint32_t bidi_mirrored(uint32_t code);
/* 1: an opening bracket or quotation mark, -1: a closing one, 0: neither. */
int bidi_bracket(uint32_t code);

/* Finds the logical order of n signs, which are given from left to right: order[0] is read first.
 * `rtl`: the paragraph is from right to left. *last: the last letter of the paragraph's lines
 * before; afterwards, that of this one. */
void bidi_order(struct bidi_sign *signs, size_t n, bool rtl, enum bidi_letter *last, size_t *order);
