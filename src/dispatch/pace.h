/*
 * pace: how long a job will run, judged by what the last jobs of its tool took for their size. It
 * need not be right, only tell a page from a book: the store corrects what came out otherwise.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"

struct pace;

struct pace *pace_new(struct err *err);
void pace_free(struct pace *pace);

/* Milliseconds, at least 1. From any thread, as is pace_note. */
int64_t pace_expect(struct pace *pace, const char *tool, int64_t input_bytes);
/* A job of that size took so long. */
void pace_note(struct pace *pace, const char *tool, int64_t input_bytes, int64_t run_ms);
