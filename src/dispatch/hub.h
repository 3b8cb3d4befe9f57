/* hub: who waits for which job to end. The long polls of one server; later its event streams. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/id.h"

struct hub;

struct hub *hub_new(struct err *err);
/* Wakes everybody and ends the thread. No wait may be added any more. */
void hub_free(struct hub *hub);

/*
 * Calls woken(arg) once, from some thread: when the job ends or is deleted, after wait_ms, or when
 * the hub closes. A ticket to take the wait back with; 0 without memory or when the hub is closed:
 * woken is then never called.
 */
uint64_t hub_wait(struct hub *hub, const char *job_id, int64_t wait_ms, void (*woken)(void *arg),
                  void *arg);
/* Takes a wait back. True: woken was not and will not be called. False: it was or will be. */
bool hub_cancel(struct hub *hub, const char *job_id, uint64_t ticket);

/* This job has ended. */
void hub_wake(struct hub *hub, const char *job_id);
/* Wakes everybody who waits now, and from now on at once. */
void hub_close(struct hub *hub);
