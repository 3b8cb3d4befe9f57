/* deadline: decides by the kernel's counters how long a connection may stay in its phase. */
#pragma once

#include "http/watch.h"

/* For the watch's thread, under its lock: cuts off a client that was too slow, so that its
 * request ends. */
void deadline_enforce(const struct watch_limits *limits, struct watch_conn *conn, int64_t now);
/* Ends the client's side, so that libmicrohttpd sees the end of the stream and the exchange can
 * still answer 408; ends both sides if that was done before without effect. */
void deadline_cut(struct watch_conn *conn, const char *why);
