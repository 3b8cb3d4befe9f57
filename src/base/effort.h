/*
 * effort: a budget for the work that a document asks for, so that a small file cannot keep a job
 * busy for minutes. Work is counted in units of about one nanosecond of a processor's time, by what
 * is asked for (operators, glyphs, painted pixels, blocks of a JPEG scan) and never by the clock,
 * so that the same document ends in the same way on every machine.
 *
 * A process runs one job. The job has a store of EFFORT_JOB units and what its input pays for; each
 * page, or part of a page that is drawn apart, first uses up an allowance of its own, which is
 * given anew for each. Work that depends on an amount of data is charged only beyond what so many
 * bytes usually need.
 *
 * In a corpus of 200 real documents, with all pages drawn at 300 dpi, the page that asks for most
 * needs 9.2 % of EFFORT_PAGE + EFFORT_JOB (0.48e9 units), and the document that takes most from the
 * store of its job takes 9.5 % of it (0.50e9). Read for compress no page needs more than 1.8 %. The
 * program test/hostile/effort prints these figures.
 *
 * Safe from any thread; the allowance is the calling thread's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define EFFORT_JOB  5e9    /* units */
#define EFFORT_PAGE 0.25e9 /* units: the allowance of one page */
#define EFFORT_BYTE 200.0  /* units that each byte of encoded data pays for */

/* Adds to the job's store what so many bytes of input pay for: large documents may need more. */
void effort_allow(double bytes);
/* Gives the calling thread the allowance for `share` (0 to 1) of a page; what is left of the one
 * before is lost. A thread that never calls this has no allowance. */
void effort_begin(double share);
/* Takes `units` from the allowance and then from the job's store. False: there is not so much left;
 * nothing was taken, and effort_is_spent says so from now on. */
bool effort_spend(double units);
/* The same for work on `bytes` of encoded data, which pay for their part. */
bool effort_spend_on(double units, size_t bytes);
/* Whether effort_spend refused anything since the process began. */
bool effort_is_spent(void);

/* For measurements and tests. */
struct effort_used {
    double page; /* the most that one page, or part of one, asked for, its allowance included */
    double job;  /* taken from the job's store */
};
struct effort_used effort_used(void);
/* Begins a new job. No other thread may be at work. */
void effort_reset(void);
