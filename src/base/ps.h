/*
 * ps: characters, names and strings of the syntax that PDF (ISO 32000-2, 7.2.3 and 7.3.4.2), Type 1
 * fonts and calculator functions inherited from PostScript.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* NUL, tab, line feed, form feed, carriage return or space. */
bool ps_is_space(int c);
/* Neither white space nor one of ()<>[]{}/%. */
bool ps_is_regular(int c);
/* Skips white space and comments. */
const unsigned char *ps_skip_space(const unsigned char *at, const unsigned char *end);
/* Returns the next byte of a name whose solidus was read (7.3.5) and moves past it; #xx counts
 * as one byte. */
int ps_name_byte(const unsigned char **at, const unsigned char *end);
/* The length of the literal string that begins at `data`, brackets included; 0 if it does not
 * end within n bytes. */
size_t ps_string_length(const void *data, size_t n);
