/* deadline: how long a connection may stay where it stands, by what the kernel counted. */
#pragma once

#include "http/watch.h"

/* For the watch's thread, under its lock: cuts off a client that took too long, so that its
 * request ends. */
void deadline_judge(const struct watch_limits *limits, struct watch_conn *conn, int64_t now);
/* Ends the client's side, so that libmicrohttpd sees the end of the stream and the exchange can
 * still answer 408; if that was done before and did not help, both sides. */
void deadline_cut(struct watch_conn *conn, const char *why);
