/* pdf_date: dates of document information (ISO 32000-2, 7.9.4: D:20260501120000+02'00') and of XMP
 * (ISO 8601: 2026-05-01T12:00:00+02:00), with as many parts as they have. */
#pragma once

#include <stdbool.h>

#define PDF_DATE 40 /* room for a date of either kind with its NUL */

/* Converts a date of document information, with or without D:. False if it is not one. */
bool pdf_date_to_iso(const char *text, char out[static PDF_DATE]);
/* Converts a date of XMP. False if it is not one. */
bool pdf_date_from_iso(const char *text, char out[static PDF_DATE]);
