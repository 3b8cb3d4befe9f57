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
/* The bytes of the literal string that begins at `data`, with its brackets; 0 if it does not end
 * within n. */
size_t ps_string_length(const void *data, size_t n);
