/*
 * places: which jobs a dispatcher may begin. It has a place for each job that runs at a time. While
 * every one of them has been held for PLACES_STUCK_MS, two more are open, so that long jobs do
 * not keep others waiting: one for short jobs (store_claim), and one for accounts that hold no
 * place. While a job lacks room on the disk, only one place is open: that job, or another one,
 * then has what is left of the disk to itself, and frees what its input held when it ends.
 *
 * The caller has a lock around all calls. Times are monotonic ms.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "data/store/store.h"

#define PLACES_STUCK_MS 2000
#define PLACES_LACKING  64
#define PLACES_RETRY_MS 250 /* how often a further place for which there was no job is tried */

struct places;

/* Places for this number of jobs, and the two further ones. NULL without memory. */
struct places *places_new(int workers, struct err *err);
void places_free(struct places *places);

/* Takes a place that is open: its number, or -1. */
int places_claim(struct places *places, int64_t now);
/* Whether a place is one of the two further ones. */
bool places_is_further(const struct places *places, int place);
/* What may be claimed for a place. Valid until the place is taken again. */
const struct store_choice *places_choice(struct places *places, int place);
/* A job of this account has begun in a place. */
void places_begin(struct places *places, int place, int64_t account, int64_t now);
/* A place is free again. */
void places_leave(struct places *places, int place, int64_t now);
/* A job lacks room on the disk. True if no other did. At most PLACES_LACKING jobs are known. */
bool places_lack(struct places *places, const char *job_id);
/* A job has ended, or waits for nothing any more. True if it was the last that lacked room. */
bool places_forget(struct places *places, const char *job_id);
/* How many jobs lack room, and the id of one of them, counted from 0. */
size_t places_lacking(const struct places *places);
const char *places_lacking_at(const struct places *places, size_t i);
/* Whether all places but the further ones are taken. */
bool places_are_full(const struct places *places);
