/* functions: the functions of Excel's formulas that LibreOffice 7.4 computes when it reads them
 * from an xlsx file (ECMA-376-1, 18.17.7, and those that came later). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* `name`: as the file has it, with its prefix. */
bool functions_known(const char *name, size_t n);
