/*
 * systemd: the protocols between a service and its manager (sd_notify(3), sd_listen_fds(3)): a few
 * lines over a socket, so that no library is loaded for them. Without a manager the functions do
 * nothing.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"

/* Sends lines such as "READY=1" or "STATUS=..." to the manager. Without one (NOTIFY_SOCKET)
 * nothing is sent, which is not an error. */
void systemd_notify(const char *lines);

/* The interval within which the manager expects "WATCHDOG=1" from this process, in milliseconds;
 * 0: never (WATCHDOG_USEC, WATCHDOG_PID). */
int64_t systemd_watchdog_ms(void);

/*
 * Returns the listening socket that the manager opened (LISTEN_FDS, LISTEN_PID), or 0 if there is
 * none. The caller owns it; it is close-on-exec and non-blocking. The variables are removed, so
 * that child processes do not see them. Call once, before the first thread. ERR_INVALID_PARAMETER
 * if there is more than one, or if it is not a listening TCP socket.
 */
int systemd_listener(struct err *err);
