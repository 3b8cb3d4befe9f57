/* numeral: numbers as page labels write them (ISO 32000-2, table 161), and the words that stand for
 * them in the format of page numbers (tool/template.h). */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* "/D" for n, "/r" for roman, ...; NULL for a word of n bytes that stands for no number. */
const char *numeral_style(const char *word, size_t n);
/* What a style sensibly counts to: 3999 for the Romans, 780 for thirty letters, all for digits. */
long long numeral_most(const char *style);
/* A number as a style writes it; as digits if it is below 1 or above numeral_most. */
void numeral_put(struct buf *out, const char *style, long long number);

/* Whether all words in a format, which was checked, can write that number: else
 * ERR_INVALID_PARAMETER of the field format. */
int numeral_check(const char *format, long long number, struct err *err);
