/*
 * arrivals: when the jobs that were accepted last became durable, to tell how long it took until
 * their work began. The store cannot know: its row is written before the disk has it.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "base/id.h"

struct arrivals;

struct arrivals *arrivals_new(struct err *err);
void arrivals_free(struct arrivals *arrivals);

/* Now its 202 may be sent. It may push out what was noted for another job: about a thousand are
 * kept. From any thread. */
void arrivals_note(struct arrivals *arrivals, const char *job_id);
/* When that was (clock_mono_us), once; 0: nobody knows any more, or another server took it. From
 * any thread. */
int64_t arrivals_take(struct arrivals *arrivals, const char *job_id);
