/*
 * page_numbers: numbers of pages in a message, such as "1,2,3,7". A document may have many pages to
 * name, and a number that is cut off would be another page's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes a list of numbers and ranges with commas between them, in ascending order, into `out` of
 * `size` bytes, at least 16: as it is if there is room, else with ranges ("1-3,7"), and if these
 * are too long, too, as many as there is room for and "...". Returns whether nothing is left out.
 */
bool page_numbers_shorten(const char *list, char *out, size_t size);

/* The same as an expression: the text lives until the end of the block that it is used in. `size`:
 * a constant. */
#define PAGE_NUMBERS(list, size) page_numbers_said((list), (char[size]){ 0 }, (size))
const char *page_numbers_said(const char *list, char *out, size_t size);
