#include "server/http/connection.h"

#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* TCP_ESTABLISHED and TCP_CLOSE_WAIT of netinet/tcp.h, which cannot be included together with
 * linux/tcp.h */
#define ESTABLISHED 1
#define CLOSE_WAIT  8

void *connection_context(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

struct net_address connection_peer(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);

    return net_of_socket(info ? info->client_addr : NULL);
}

gnutls_session_t connection_tls(struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_GNUTLS_SESSION);

    return info ? info->tls_session : NULL;
}

struct tcp_info connection_tcp(int fd)
{
    struct tcp_info info = { 0 };
    socklen_t size = sizeof(info);

    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) < 0)
        return (struct tcp_info){ 0 };
    return info;
}

bool connection_ended(const struct tcp_info *info)
{
    return info->tcpi_state == CLOSE_WAIT;
}

bool connection_established(const struct tcp_info *info)
{
    return info->tcpi_state == ESTABLISHED;
}

int connection_unread(int fd)
{
    int n = 0;

    return ioctl(fd, FIONREAD, &n) < 0 ? 0 : n;
}
