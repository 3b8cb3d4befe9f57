/* page_numbers: arrays of numbers, boxes and matrices as objects of a document. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "pdf/object/obj.h"

/* Appends a number as PDF writes it: without an exponent. */
void page_numbers_put(struct buf *out, double value);
/* A new array of numbers. */
struct obj page_numbers_new(qpdf_data q, const double *values, size_t n);
/* Reads an array of four numbers as left, bottom, right, top; false for anything else. */
bool page_numbers_box(struct obj array, double box[static 4]);
/* A copy of a form or pattern whose /Matrix is followed by another one; the object itself if it
 * cannot be copied. */
struct obj page_numbers_moved(struct obj form, const double matrix[static 6]);
