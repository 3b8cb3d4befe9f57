/*
 * internals: what this folder does by knowledge of libmicrohttpd's source, and not by its
 * documentation. It was read from one version. The library is shared, so that an update can put
 * another version under a server that was built before: then all of this is switched off, and one
 * line of the log says so (docs/decisions/0015-internals-of-libmicrohttpd.md).
 *
 * The following is not switched off, because it relies on documented functions alone, and another
 * version can at most make it useless:
 *   reply.c, reply_now: writes to the socket that MHD_get_connection_info names while the library
 *       has no response that it could send, and ends that side of the socket.
 *   watch.c, watch_linger: duplicates that descriptor, to read what a client still sends.
 *   watch.c, hand_over: accepts connections itself, for MHD_add_connection.
 *   watch.c, drop: no thread uses a descriptor after MHD_CONNECTION_NOTIFY_CLOSED.
 *   watch.c, watch_empty; deadline.c: shutdown(2) of a socket, of which the library sees the end.
 */
#pragma once

#include <stdbool.h>

#define INTERNALS_VERSION "0.9.75" /* of libmicrohttpd, whose source was read */

enum internals {
    /* pool.c: the memory that the library keeps for a connection begins where the connection's
     * first request begins, and pages of zeros in it are given back to the kernel. Off: an idle
     * connection without TLS keeps FRAMING_MEMORY. */
    INTERNALS_POOL,
    /* exchange.c, hide_query: the target is in the library's buffer, and is cut there before the
     * library makes a record of each parameter of the query, for which its memory may not suffice.
     * Off: a request of too many parameters is refused. */
    INTERNALS_TARGET,
    /* framing.c: the first line and the headers are where the library received them, so that their
     * addresses show what it skipped. Off: the library is set to be strict, and a request is the
     * last of its connection unless strictness is enough (internals_strict). */
    INTERNALS_LINES,
    /* exchange.c, MHD_queue_response: the library makes its own answers by this function, and calls
     * it through the dynamic linker. Off: they are not in the API's form. */
    INTERNALS_REFUSALS,
    /* tls.c, tls_tap: GnuTLS reads from the socket by recv(2), with nothing of the library's in
     * between. Off: a client with TLS that is too slow is cut off without a response. */
    INTERNALS_TLS,
};

/* Whether the library is of the version that was read. The answer is the same for each of them; the
 * argument says what asks. Thread-safe. */
bool internals_use(enum internals what);
/* Whether MHD_OPTION_STRICT_FOR_CLIENT makes the library refuse all that framing.c finds by
 * INTERNALS_LINES, as it does from 1.0.0 on. */
bool internals_strict(void);
/* Logs it if the library is of another version; once in a process. */
void internals_log(void);
