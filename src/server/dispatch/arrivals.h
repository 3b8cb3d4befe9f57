/*
 * arrivals: remembers when accepted jobs became durable, to measure how long it took until their
 * processes started. The store cannot know: its row is written before it is on disk.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "base/id.h"

struct arrivals;

struct arrivals *arrivals_new(struct err *err);
void arrivals_free(struct arrivals *arrivals);

/* Notes that a job is durable. May drop the note of another job: about a thousand are kept. From
 * any thread. */
void arrivals_note(struct arrivals *arrivals, const char *job_id);
/* Returns and drops a job's time (clock_mono_us); 0: it is not known, or another server accepted
 * the job. From any thread. */
int64_t arrivals_remove(struct arrivals *arrivals, const char *job_id);
