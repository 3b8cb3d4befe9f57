/*
 * systemd: what a service and its manager say to each other (sd_notify(3), sd_listen_fds(3)): a few
 * lines over a socket, so that no library is loaded for them. Without a manager all of it is
 * nothing.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"

/* Tells the manager, in lines such as "READY=1" or "STATUS=...". Nothing is sent, and nothing is
 * wrong, if there is none (NOTIFY_SOCKET). */
void systemd_notify(const char *lines);

/* How often the manager wants to hear "WATCHDOG=1" from this process at least, in milliseconds; 0:
 * not at all (WATCHDOG_USEC, WATCHDOG_PID). */
int64_t systemd_watchdog_ms(void);

/*
 * The listening socket that the manager opened (LISTEN_FDS, LISTEN_PID): the caller's, not to be
 * inherited by what this process starts, and not blocking. 0: there is none. Other programs do not
 * see the variables any more. Call once, before the first thread.
 * ERR_INVALID_PARAMETER when it is more than one, or no TCP socket that listens.
 */
int systemd_listener(struct err *err);
