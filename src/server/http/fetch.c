#include "server/http/fetch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/clock.h"
#include "base/num.h"
#include "base/scope.h"

#define ANSWER_BYTES (16 << 20)

static int connect_to(const struct fetch *fetch, struct err *err)
{
    AUTO_CLOSE int fd = -1;
    struct timeval patience = { .tv_sec = (time_t) (fetch->timeout_ms / 1000),
                                .tv_usec = (suseconds_t) (fetch->timeout_ms % 1000 * 1000) };
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(fetch->port) };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(fetch->port) };
    bool is_v4 = inet_pton(AF_INET, fetch->address, &v4.sin_addr) == 1;
    int done;

    if (!is_v4 && inet_pton(AF_INET6, fetch->address, &v6.sin6_addr) != 1)
        return err_set(err, ERR_INVALID_PARAMETER, "\"%s\" is not an address", fetch->address);
    if (is_v4 && v4.sin_addr.s_addr == htonl(INADDR_ANY))
        v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (!is_v4 && IN6_IS_ADDR_UNSPECIFIED(&v6.sin6_addr))
        v6.sin6_addr = in6addr_loopback;
    fd = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return err_sys(err, "socket");
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    done = is_v4 ? connect(fd, (struct sockaddr *) &v4, sizeof v4)
                 : connect(fd, (struct sockaddr *) &v6, sizeof v6);
    if (done < 0)
        return err_sys(err, "no program answers at %s port %u", fetch->address, fetch->port);
    return scope_take_fd(&fd);
}

/* A connection, encrypted or not. */
struct wire {
    int fd;
    gnutls_session_t tls;
    gnutls_certificate_credentials_t credentials;
};

static void close_wire(struct wire *wire)
{
    if (wire->tls)
        gnutls_deinit(wire->tls);
    if (wire->credentials)
        gnutls_certificate_free_credentials(wire->credentials);
    scope_close(&wire->fd);
}

static int encrypt(struct wire *wire, struct err *err)
{
    int code = gnutls_certificate_allocate_credentials(&wire->credentials);

    if (code >= 0)
        code = gnutls_init(&wire->tls, GNUTLS_CLIENT);
    if (code >= 0)
        code = gnutls_set_default_priority(wire->tls);
    if (code >= 0)
        code = gnutls_credentials_set(wire->tls, GNUTLS_CRD_CERTIFICATE, wire->credentials);
    if (code < 0)
        return err_set(err, ERR_INTERNAL, "TLS: %s", gnutls_strerror(code));
    gnutls_transport_set_int(wire->tls, wire->fd);
    do
        code = gnutls_handshake(wire->tls);
    while (code == GNUTLS_E_INTERRUPTED);
    return code < 0 ? err_set(err, ERR_INTERNAL, "no TLS: %s", gnutls_strerror(code)) : 0;
}

static ssize_t wire_read(const struct wire *wire, void *data, size_t n)
{
    return wire->tls ? gnutls_record_recv(wire->tls, data, n) : recv(wire->fd, data, n, 0);
}

static int exchange(const struct wire *wire, const struct fetch *fetch, struct buf *answer,
                    struct err *err)
{
    int64_t until = clock_mono_ms() + fetch->timeout_ms;
    AUTO_BUF struct buf request = BUF_EMPTY;
    char chunk[8192];
    ssize_t got;

    buf_printf(&request, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n",
               fetch->path);
    if (*fetch->token)
        buf_printf(&request, "Authorization: Bearer %s\r\n", fetch->token);
    buf_puts(&request, "\r\n");
    if (request.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    got = wire->tls ? gnutls_record_send(wire->tls, request.data, request.len)
                    : send(wire->fd, request.data, request.len, MSG_NOSIGNAL);
    explicit_bzero(request.data, request.len);
    if (got != (ssize_t) request.len)
        return err_set(err, ERR_INTERNAL, "the server does not read the whole request");
    while ((got = wire_read(wire, chunk, sizeof chunk)) > 0) {
        buf_put(answer, chunk, (size_t) got);
        if (answer->len > ANSWER_BYTES || clock_mono_ms() > until)
            return err_set(err, ERR_INTERNAL, "the server's answer does not end");
    }
    return answer->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int fetch_get(const struct fetch *fetch, struct buf *body, struct err *err)
{
    __attribute__((cleanup(close_wire))) struct wire wire = { .fd = connect_to(fetch, err) };
    AUTO_BUF struct buf answer = BUF_EMPTY;
    const char *text, *end;
    int64_t status;

    if (wire.fd < 0 || (fetch->tls && encrypt(&wire, err) < 0) ||
        exchange(&wire, fetch, &answer, err) < 0)
        return -1;
    text = buf_text(&answer);
    end = strstr(text, "\r\n\r\n");
    if (!end || strncmp(text, "HTTP/1.1 ", 9) != 0 ||
        !num_parse_i64(text + 9, 3, 100, 599, &status))
        return err_set(err, ERR_INTERNAL, "the program that answers is not a web server%s",
                       fetch->tls ? "" : ", or wants TLS");
    buf_put(body, end + 4, answer.len - (size_t) (end + 4 - text));
    return body->failed ? err_set(err, ERR_INTERNAL, "out of memory") : (int) status;
}
