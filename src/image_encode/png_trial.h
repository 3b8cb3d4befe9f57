/*
 * png_trial: which filter a stretch of rows should have. Text, lines and flat colours are best left
 * as they are, since their pixels repeat; photographs and shadings hardly ever repeat and want the
 * difference to their neighbours; scans may be either. Where a look at the pixels does not tell,
 * a few rows are compressed both ways. One filter for many rows: a row that is filtered in another
 * way than the one above no longer repeats it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "image_encode/png_filter.h"

#define PNG_TRIAL_ROWS 8  /* looked at */
#define PNG_TRIAL_BAND 64 /* of so many rows that they speak for */

struct png_trial;

struct png_trial *png_trial_new(struct err *err);
void png_trial_free(struct png_trial *trial);
/* Of a new image: what was seen before says nothing. */
void png_trial_begin(struct png_trial *trial);

/* rows: n_rows of n bytes each, one after the other, of which the first is only the one above the
 * second; n_rows is 2 to PNG_TRIAL_ROWS + 1. pixel as for png_filter_apply. last: what the rows
 * before were given. */
enum png_filter png_trial_choose(struct png_trial *trial, const uint8_t *rows, size_t n_rows,
                                 size_t n, size_t pixel, enum png_filter last);
