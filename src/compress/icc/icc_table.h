/* icc_table: reduces the precision of conversion tables in ICC profiles (lut8Type and lut16Type;
 * ISO 15076-1, 10.10 and 10.11). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Appends a table of 8-bit numbers, with at most 9 points along each input, that gives the same Lab
 * colours as a table of 16-bit numbers, or of more points: the mean difference is under 1, the
 * largest under 5, in units of Lab. False for a table that is damaged, of another kind, or that
 * cannot be reduced so.
 */
bool icc_table_coarsen(const void *table, size_t n, struct buf *out);

/*
 * Appends a table of three inputs with every second point along each of them, repeatedly as long as
 * 17 points or more are left along each; the remaining points keep their colours. False for a table
 * that is damaged, of another kind, or has too few points.
 */
bool icc_table_thin(const void *table, size_t n, struct buf *out);
