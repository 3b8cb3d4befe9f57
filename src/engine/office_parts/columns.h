/*
 * columns: formats of whole columns in OOXML sheets. LibreOffice takes minutes to hours to print a
 * sheet whose columns have formats up to the last one (16384), where the sheet has drawings or is
 * scaled to a number of pages.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

/*
 * Writes the workbook at `from` to `to` without the formats of columns in such sheets. Cells in the
 * file keep their own formats; empty cells lose their column's. `scaled`: every sheet will be
 * scaled to a number of pages. Returns 1; 0 if there is no such sheet, and nothing is written; -1
 * with ERR_CORRUPT_FILE.
 */
int columns_trim(const char *from, const char *to, bool scaled, struct err *err);
