/*
 * effort: a budget for the work that a document asks for, so that a small file cannot keep a job
 * busy for minutes. Work is counted in units of about one nanosecond of a processor's time, by what
 * is asked for (operators, glyphs, painted pixels, blocks of a JPEG scan) and never by the clock,
 * so that the same document ends in the same way on every machine.
 *
 * A process runs one job. The job's budget is EFFORT_JOB units and what its input adds to them.
 * Each page, or part of a page that is drawn separately, first uses an allowance of its own. Work
 * on encoded data is charged only where it exceeds what that number of bytes usually needs.
 *
 * In a corpus of 200 real documents, with all pages drawn at 300 dpi, the most expensive page needs
 * 9.2 % of EFFORT_PAGE + EFFORT_JOB (0.48e9 units), and the most expensive document uses 9.5 % of
 * its job's budget (0.50e9). No page that is read for compress needs more than 1.8 %. The program
 * test/hostile/effort prints these figures.
 *
 * All functions may be called from any thread; the allowance belongs to the calling thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define EFFORT_JOB  5e9    /* units */
#define EFFORT_PAGE 0.25e9 /* units: the allowance of one page */
#define EFFORT_BYTE 200.0  /* units: for each byte of input, and free for each encoded byte */

/* Adds to the job's budget what an input of `bytes` bytes adds: large documents may need more. */
void effort_allow(double bytes);
/* Gives the calling thread the allowance for `share` (0 to 1) of a page and drops the rest of
 * the previous one. A thread that never calls this has no allowance. */
void effort_begin(double share);
/* Uses `units` of the allowance and then of the job's budget. False if there is not as much
 * left: nothing was used, and effort_is_spent returns true from now on. */
bool effort_spend(double units);
/* The same for work on `bytes` bytes of encoded data: only what exceeds EFFORT_BYTE units for each
 * byte is used. */
bool effort_spend_on(double units, size_t bytes);
/* Whether effort_spend refused anything since the process began. */
bool effort_is_spent(void);

/* For measurements and tests. */
struct effort_used {
    double page; /* the most that one page, or part of one, used, its allowance included */
    double job;  /* used of the job's budget */
};
struct effort_used effort_used(void);
/* Begins a new job. No other thread may be working. */
void effort_reset(void);
