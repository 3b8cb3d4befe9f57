/*
 * pace: estimates how long a job will run, by the size and run time of the last jobs of its tool.
 * The estimate only needs to distinguish a page from a book: the store corrects the cost later.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"

struct pace;

struct pace *pace_new(struct err *err);
void pace_free(struct pace *pace);

/* Estimates the run time of a job in milliseconds, at least 1. May be called from any thread, like
 * pace_note. */
int64_t pace_expect(struct pace *pace, const char *tool, int64_t input_bytes);
/* Records how long a job of that size took. */
void pace_note(struct pace *pace, const char *tool, int64_t input_bytes, int64_t run_ms);
