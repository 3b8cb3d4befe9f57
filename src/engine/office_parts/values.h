/*
 * values: the results of formulas that an OOXML workbook stores. Programs that write workbooks
 * without computing them store 0 and ask that Excel calculates when it opens the file
 * (ECMA-376-1, 18.2.2); LibreOffice shows the 0.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define VALUES_NAME_BYTES 40

struct values {
    /* Formulas that LibreOffice cannot compute, and the function of the first. */
    size_t n_unknown;
    char unknown[VALUES_NAME_BYTES + 1];
};

/*
 * Writes the workbook at `from` to `to` without the stored results if it asks to be calculated, so
 * that LibreOffice computes them. A formula that LibreOffice cannot compute keeps its result,
 * unless that is 0. Returns 1; 0 if nothing has to be changed, and nothing is written; -1 with
 * ERR_CORRUPT_FILE.
 */
int values_drop(const char *from, const char *to, struct values *values, struct err *err);
