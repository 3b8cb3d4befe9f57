/*
 * png_trial: chooses the PNG filter of a band of rows. Text, lines and flat colours compress best
 * unfiltered, since their pixels repeat; photographs and shadings hardly ever repeat and need
 * differences; scans may be either. Where counting pixels does not decide, a few rows are
 * compressed both ways. A band has one filter: a row that is filtered differently from the one
 * above does not repeat it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "image/encode/png_filter.h"

#define PNG_TRIAL_ROWS 8  /* number of rows that are examined */
#define PNG_TRIAL_BAND 64 /* number of rows that the choice is made for */

struct png_trial;

struct png_trial *png_trial_new(struct err *err);
void png_trial_free(struct png_trial *trial);
/* Begins a new image; results of earlier images are dropped. */
void png_trial_begin(struct png_trial *trial);

/* Chooses the filter of the next band. rows: n_rows of n bytes each, one after the other; the first
 * is only the one above the second. n_rows is 2 to PNG_TRIAL_ROWS + 1. pixel as for
 * png_filter_apply. last: the filter of the rows before. */
enum png_filter png_trial_choose(struct png_trial *trial, const uint8_t *rows, size_t n_rows,
                                 size_t n, size_t pixel, enum png_filter last);
