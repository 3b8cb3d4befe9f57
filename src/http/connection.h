/* connection: what libmicrohttpd knows of a connection, and the kernel of its socket. */
#pragma once

#include <stdbool.h>

#include <gnutls/gnutls.h>
#include <linux/tcp.h>
#include <microhttpd.h>

#include "base/net.h"

/* What watch_notify gave it. */
void *connection_context(struct MHD_Connection *mhd);
/* Whose it is: the client's, or a proxy's. */
struct net_address connection_peer(struct MHD_Connection *mhd);
/* NULL: it is not encrypted. */
gnutls_session_t connection_tls(struct MHD_Connection *mhd);

/* All zero if the kernel does not say. */
struct tcp_info connection_tcp(int fd);
/* Whether the other side has ended its stream, as TCP_INFO says. */
bool connection_ended(const struct tcp_info *info);
/* Whether neither side has. */
bool connection_established(const struct tcp_info *info);
/* Bytes that have come and that nobody has read. */
int connection_unread(int fd);
