#include "client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

#define DEADLINE_MS 60000

bool client_try(struct client *client, const char *address, uint16_t port)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(port) };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
    bool is_v4 = inet_pton(AF_INET, address, &v4.sin_addr) == 1;

    *client = (struct client){ .fd = -1 };
    if (!is_v4 && inet_pton(AF_INET6, address, &v6.sin6_addr) != 1)
        return false;
    client->fd = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(client->fd, is_v4 ? (struct sockaddr *) &v4 : (struct sockaddr *) &v6,
                is_v4 ? sizeof(v4) : sizeof(v6)) == 0)
        return true;
    client_close(client);
    return false;
}

struct client client_open(uint16_t port)
{
    struct client client;

    if (!client_try(&client, "127.0.0.1", port)) {
        perror("# connect");
        exit(1);
    }
    return client;
}

struct client client_from(const char *own, uint16_t port)
{
    struct sockaddr_in from = { .sin_family = AF_INET }, to = { .sin_family = AF_INET };
    struct client client = { .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };

    to.sin_port = htons(port);
    inet_pton(AF_INET, own, &from.sin_addr);
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    if (bind(client.fd, (struct sockaddr *) &from, sizeof from) < 0 ||
        connect(client.fd, (struct sockaddr *) &to, sizeof to) < 0) {
        perror("# connect");
        exit(1);
    }
    return client;
}

void client_close(struct client *client)
{
    if (client->fd >= 0)
        close(client->fd);
    client->fd = -1;
    buf_free(&client->in);
}

/* Receives what there is, waiting until `until`. False at the end, a reset or the deadline. */
static bool receive(struct client *client, int64_t until)
{
    struct pollfd poll_in = { .fd = client->fd, .events = POLLIN };
    int64_t left = until - clock_mono_ms();
    char data[65536];
    ssize_t n;

    if (client->ended || poll(&poll_in, 1, left > 0 ? (int) left : 0) <= 0)
        return false;
    n = recv(client->fd, data, sizeof(data), 0);
    if (n <= 0) {
        client->ended = true;
        client->reset = n < 0;
        return false;
    }
    buf_put(&client->in, data, (size_t) n);
    return true;
}

bool client_send(struct client *client, const void *data, size_t n)
{
    int64_t until = clock_mono_ms() + DEADLINE_MS;
    const char *p = data;

    while (n > 0) {
        struct pollfd poll_out = { .fd = client->fd, .events = POLLOUT };
        int64_t left = until - clock_mono_ms();
        ssize_t sent = send(client->fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent >= 0) {
            p += sent;
            n -= (size_t) sent;
        } else if (errno != EAGAIN || poll(&poll_out, 1, left > 0 ? (int) left : 0) <= 0) {
            return false;
        }
    }
    return true;
}

bool client_puts(struct client *client, const char *text)
{
    return client_send(client, text, strlen(text));
}

void client_hold(struct client *client)
{
    int yes = 1;

    setsockopt(client->fd, IPPROTO_TCP, TCP_CORK, &yes, sizeof(yes));
}

void client_end(struct client *client)
{
    shutdown(client->fd, SHUT_WR);
}

static const char *find_header(const char *head, const char *name, size_t *n)
{
    for (const char *line = strstr(head, "\r\n"); line && line[2];
         line = strstr(line + 2, "\r\n")) {
        const char *value = line + 2 + strlen(name);

        if (strncasecmp(line + 2, name, strlen(name)) != 0 || *value != ':')
            continue;
        value += 1 + strspn(value + 1, " ");
        *n = strcspn(value, "\r");
        return value;
    }
    return NULL;
}

struct answer client_answer(struct client *client, bool head)
{
    int64_t until = clock_mono_ms() + DEADLINE_MS;
    struct answer answer = { 0 };
    const char *length, *end;
    size_t n;

    while (!(end = strstr(buf_text(&client->in), "\r\n\r\n")))
        if (!receive(client, until))
            return answer;
    n = (size_t) (end - client->in.data) + 2;
    answer.head = strndup(client->in.data, n);
    buf_drop(&client->in, n + 2);
    length = find_header(answer.head, "Content-Length", &n);
    if (length && !head)
        answer.body_len = (size_t) strtoull(length, NULL, 10);
    while (client->in.len < answer.body_len)
        if (!receive(client, until)) {
            answer.body_len = client->in.len;
            break;
        }
    answer.body = malloc(answer.body_len + 1);
    memcpy(answer.body, buf_text(&client->in), answer.body_len);
    answer.body[answer.body_len] = '\0';
    if (answer.body_len)
        buf_drop(&client->in, answer.body_len);
    answer.status = (int) strtol(answer.head + strlen("HTTP/1.1 "), NULL, 10);
    return answer;
}

void answer_free(struct answer *answer)
{
    free(answer->head);
    free(answer->body);
    *answer = (struct answer){ 0 };
}

const char *answer_header(const struct answer *answer, const char *name)
{
    static char copy[1024];
    size_t n;
    const char *value = answer->head ? find_header(answer->head, name, &n) : NULL;

    if (!value)
        return NULL;
    snprintf(copy, sizeof(copy), "%.*s", (int) n, value);
    return copy;
}

bool client_sees(struct client *client, const char *text)
{
    int64_t until = clock_mono_ms() + DEADLINE_MS;
    const char *at;

    while (!(at = strstr(buf_text(&client->in), text)))
        if (!receive(client, until))
            return false;
    buf_drop(&client->in, (size_t) (at - client->in.data) + strlen(text));
    return true;
}

bool client_sees_end(struct client *client)
{
    int64_t until = clock_mono_ms() + DEADLINE_MS;

    if (client->in.len == 0)
        receive(client, until);
    return client->ended && client->in.len == 0;
}

bool client_sees_nothing(struct client *client, int ms)
{
    if (client->in.len == 0)
        receive(client, clock_mono_ms() + ms);
    return !client->ended && client->in.len == 0;
}
