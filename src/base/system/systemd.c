#include "base/system/systemd.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/num.h"
#include "base/scope.h"
#include "base/system/log.h"

#define LISTEN_FIRST 3 /* SD_LISTEN_FDS_START */

/* Accepts a path, or '@' and an abstract name, which begins with a NUL and ends with its length.
 * 0: it is neither. */
static socklen_t socket_address(const char *name, struct sockaddr_un *out)
{
    size_t n = strlen(name);

    if (n < 2 || n >= sizeof out->sun_path || (name[0] != '/' && name[0] != '@'))
        return 0;
    *out = (struct sockaddr_un){ .sun_family = AF_UNIX };
    memcpy(out->sun_path, name, n);
    if (name[0] == '@')
        out->sun_path[0] = '\0';
    return (socklen_t) (offsetof(struct sockaddr_un, sun_path) + n + (name[0] == '/'));
}

void systemd_notify(const char *lines)
{
    const char *name = getenv("NOTIFY_SOCKET");
    AUTO_CLOSE int fd = -1;
    struct sockaddr_un to;
    socklen_t size;

    if (!name)
        return;
    size = socket_address(name, &to);
    if (size)
        fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 ||
        sendto(fd, lines, strlen(lines), MSG_NOSIGNAL, (const struct sockaddr *) &to, size) < 0)
        log_warn("systemd.unheard", KV("socket", name), KV("why", strerrordesc_np(errno)));
}

/* The number in an environment variable, 0 if it is missing or is not a number. */
static int64_t number(const char *name)
{
    const char *text = getenv(name);
    int64_t n = 0;

    return text && num_parse_i64(text, strlen(text), 0, INT64_MAX, &n) ? n : 0;
}

int64_t systemd_watchdog_ms(void)
{
    int64_t pid = number("WATCHDOG_PID");

    return pid && pid != getpid() ? 0 : number("WATCHDOG_USEC") / 1000;
}

static int option(int fd, int name)
{
    int value = -1;
    socklen_t size = sizeof value;

    return getsockopt(fd, SOL_SOCKET, name, &value, &size) < 0 ? -1 : value;
}

static bool is_tcp_listener(int fd)
{
    int domain = option(fd, SO_DOMAIN);

    return (domain == AF_INET || domain == AF_INET6) && option(fd, SO_TYPE) == SOCK_STREAM &&
           option(fd, SO_ACCEPTCONN) == 1;
}

int systemd_listener(struct err *err)
{
    int64_t n = number("LISTEN_PID") == getpid() ? number("LISTEN_FDS") : 0;

    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    if (n == 0)
        return 0;
    if (n > 1)
        return err_set(err, ERR_INVALID_PARAMETER,
                       "the service manager passed %lld sockets; the server takes one: give the "
                       "socket unit one ListenStream",
                       (long long) n);
    if (!is_tcp_listener(LISTEN_FIRST))
        return err_set(err, ERR_INVALID_PARAMETER,
                       "the service manager passed something other than a listening TCP socket");
    if (fcntl(LISTEN_FIRST, F_SETFD, FD_CLOEXEC) < 0 ||
        fcntl(LISTEN_FIRST, F_SETFL, fcntl(LISTEN_FIRST, F_GETFL) | O_NONBLOCK) < 0)
        return err_sys(err, "take the passed socket");
    return LISTEN_FIRST;
}
