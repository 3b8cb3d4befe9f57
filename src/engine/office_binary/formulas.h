/*
 * formulas: what workbooks of the binary formats (xls, [MS-XLS]; xlsb, [MS-XLSB]) store of their
 * formulas. LibreOffice computes all of them itself and shows an error where it cannot, whatever
 * result the file has; those of xlsx files are in engine/office_parts/values.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct formulas {
    size_t n;       /* all of the workbook */
    size_t errors;  /* those of which the stored result is an error */
    bool encrypted; /* what results are is not known */
};

/* Counts the formulas of an xls file. ERR_CORRUPT_FILE. */
int formulas_xls(int fd, struct formulas *formulas, struct err *err);
/* Those of an xlsb file. */
int formulas_xlsb(const char *path, struct formulas *formulas, struct err *err);
/* Counts the formulas that show an error, in a flat ODF file that LibreOffice wrote. */
int formulas_failed(const char *flat, size_t *n, struct err *err);
