/*
 * cut_update: an update at the end of a file (ISO 32000-1, 7.5.6) that was not written to its end.
 * Some programs do not notice it and show the revision before it; others search the file's objects.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CUT_UPDATE_END 1024 /* bytes at the end of a file that cut_update_is_excluded reads */

/* Whether the last `n` bytes of a file, up to CUT_UPDATE_END, show that no update is cut: nothing
 * but blanks follows the last "%%EOF". */
bool cut_update_is_excluded(const unsigned char *end, size_t n);
/*
 * Whether an object, a cross-reference table, a trailer or a "startxref" follows the last revision
 * that is whole: one whose startxref leads to a cross-reference table. `*whole`: where this
 * revision ends. False also if no revision is whole: then all of the file is damaged. Other bytes
 * at the end, such as comments, padding or a web page, are no update.
 */
bool cut_update_find(const unsigned char *file, size_t n, size_t *whole);
