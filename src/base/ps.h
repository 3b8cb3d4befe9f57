/*
 * ps: the characters and strings of the syntax that PDF (ISO 32000-2, 7.2.3 and 7.3.4.2), Type 1
 * fonts and calculator functions have from PostScript.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* NUL, tab, line feed, form feed, carriage return, space. */
bool ps_is_space(int c);
/* Neither space nor one of ()<>[]{}/%. */
bool ps_is_regular(int c);
/* Behind what is no token: spaces and comments. */
const unsigned char *ps_skip_space(const unsigned char *at, const unsigned char *end);
/* The next byte of a name, behind its solidus (7.3.5): moves on, over the two digits of a #xx too.
 */
int ps_name_byte(const unsigned char **at, const unsigned char *end);
/* The bytes of the literal string that begins at `data`, with its brackets; 0 if it does not end
 * within n. */
size_t ps_string_length(const void *data, size_t n);
