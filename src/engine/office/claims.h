/*
 * claims: corrects wrong claims in LibreOffice 7's PDF files. LibreOffice declares each PDF/A-1 as
 * level A, which was not requested and fails validation; and a spreadsheet without structure as
 * tagged.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

/* Changes the file in place: each replacement has the same length. */
int claims_mend(const char *path, struct err *err);
