/* deadline: decides by the kernel's counters how long a connection may stay in its phase. */
#pragma once

#include "server/http/watch.h"

/* For the watch's thread, under its lock: cuts off a client that was too slow, so that its
 * request ends. */
void deadline_enforce(const struct watch_limits *limits, struct watch_conn *conn, int64_t now);
/* Ends the client's side, so that libmicrohttpd sees the end of the stream and the exchange can
 * still answer 408. Ends both sides if conn->late was set before by somebody else, or if this was
 * done DEADLINE_ANSWER_MS ago without effect. */
#define DEADLINE_ANSWER_MS 5000 /* a busy machine may not come to the answer sooner */
void deadline_cut(struct watch_conn *conn, const char *why);
