/* numeral: numbers in the styles of page labels (ISO 32000-2, table 161), and the words for the
 * styles in formats of page numbers (declare/value/template.h). */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* The style of a word of n bytes: "/D" for n, "/r" for roman, ...; NULL if it is not a style. */
const char *numeral_style(const char *word, size_t n);
/* Appends a number in a style; as digits if the style cannot write it: if it is below 1,
 * above 3999 in Roman numerals, or above 780 in letters. */
void numeral_put(struct buf *out, const char *style, long long number);

/* Checks that all words in a format, whose syntax was checked, can write that number; else
 * ERR_INVALID_PARAMETER of the field `format`. */
int numeral_check(const char *format, long long number, struct err *err);
