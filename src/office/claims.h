/*
 * claims: what LibreOffice 7 says of its PDF and should not. It calls each PDF/A-1 of level A,
 * which nobody asked for and a validator then holds it to; and a spreadsheet tagged that has no
 * structure.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

/* Mends the file in place: what takes the place of a claim is as long. */
int claims_mend(const char *path, struct err *err);
