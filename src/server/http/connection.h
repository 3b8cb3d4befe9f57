/* connection: what libmicrohttpd knows of a connection, and what the kernel knows of its socket. */
#pragma once

#include <stdbool.h>

#include <gnutls/gnutls.h>
#include <linux/tcp.h>
#include <microhttpd.h>

#include "base/system/net.h"

/* The context that watch_notify (server/http/watch.h) gave the connection. */
void *connection_context(struct MHD_Connection *mhd);
/* The address of the other side: the client's, or a proxy's. */
struct net_address connection_peer(struct MHD_Connection *mhd);
/* The connection's TLS session; NULL: it is not encrypted. */
gnutls_session_t connection_tls(struct MHD_Connection *mhd);

/* The kernel's information about a socket (TCP_INFO, tcp(7)); all zero if there is none. */
struct tcp_info connection_tcp(int fd);
/* Whether the other side has ended its stream, by TCP_INFO. */
bool connection_ended(const struct tcp_info *info);
/* Whether neither side has ended its stream. */
bool connection_established(const struct tcp_info *info);
/* The number of bytes that have arrived and were not read yet. */
int connection_unread(int fd);
