#include "engine/browser/devtools.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/clock.h"
#include "base/fdio.h"
#include "base/scope.h"

#define CHUNK   65536
#define LOOK_MS 1000
#define NUMBERS (1 << 24) /* of the commands of one job; Chromium reads 31 bits */

void devtools_open(struct devtools *devtools, const int ends[static 2], unsigned jobs)
{
    *devtools = (struct devtools){
        .from = ends[0], .to = ends[1], .other = -1, .number = (long long) jobs * NUMBERS
    };
}

void devtools_close(struct devtools *devtools)
{
    buf_free(&devtools->in);
}

/* The browser has ended, or does not speak the protocol. */
static _Noreturn void lost(void)
{
    _exit(EXIT_FAILURE);
}

const char *devtools_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

static void read_more(struct devtools *devtools)
{
    void *room = buf_room(&devtools->in, CHUNK);
    ssize_t got = -1;

    if (!room || devtools->in.len > DEVTOOLS_MESSAGE)
        lost();
    do
        got = read(devtools->from, room, CHUNK);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        lost();
    buf_added(&devtools->in, (size_t) got);
}

/* The next message if a whole one is there, else NULL. */
static json_t *next_message(struct devtools *devtools)
{
    struct buf *in = &devtools->in;
    const char *end = in->len > devtools->searched
                          ? memchr(in->data + devtools->searched, 0, in->len - devtools->searched)
                          : NULL;
    json_t *message;

    devtools->searched = in->len;
    if (!end)
        return NULL;
    message = json_loadb(in->data, (size_t) (end - in->data), JSON_ALLOW_NUL, NULL);
    if (!json_is_object(message))
        lost();
    buf_drop(in, (size_t) (end - in->data) + 1);
    devtools->searched = 0;
    return message;
}

static void handle_event(struct devtools *devtools, json_t *message)
{
    if (devtools->event && *devtools_text(message, "method"))
        devtools->event(devtools->arg, devtools_text(message, "sessionId"),
                        devtools_text(message, "method"), json_object_get(message, "params"));
}

static void write_all(struct devtools *devtools, const char *data, size_t n)
{
    while (n > 0) {
        struct pollfd polls[] = { { .fd = devtools->to, .events = POLLOUT },
                                  { .fd = devtools->from, .events = POLLIN } };
        ssize_t put;

        if (poll(polls, COUNT(polls), -1) < 0 && errno != EINTR)
            lost();
        /* Chromium may wait for what it writes to be read before it reads on. */
        if (polls[1].revents)
            read_more(devtools);
        if (!polls[0].revents)
            continue;
        put = write(devtools->to, data, n < CHUNK ? n : CHUNK);
        if (put < 0 && errno != EINTR && errno != EAGAIN)
            lost();
        data += put > 0 ? put : 0;
        n -= put > 0 ? (size_t) put : 0;
    }
}

long long devtools_send(struct devtools *devtools, const char *session, const char *method,
                        json_t *params)
{
    json_t *message = json_pack("{sI ss so}", "id", (json_int_t) ++devtools->number, "method",
                                method, "params", params ? params : json_object());
    AUTO_FREE char *text = NULL;

    if (*session)
        json_object_set_new(message, "sessionId", json_string(session));
    text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    if (!text)
        lost();
    write_all(devtools, text, strlen(text) + 1);
    return devtools->number;
}

static int refused(const json_t *message, const char *method, struct err *err)
{
    return err_set(err, ERR_INTERNAL, "Chromium refused %s: %.150s", method,
                   devtools_text(json_object_get(message, "error"), "message"));
}

/* Waits for bytes of Chromium, and for those of the other descriptor. Whether there were some. */
static bool wait_for_bytes(struct devtools *devtools, int64_t ms)
{
    struct pollfd polls[] = { { .fd = devtools->from, .events = POLLIN },
                              { .fd = devtools->other, .events = POLLIN } };

    if (poll(polls, COUNT(polls), ms > LOOK_MS ? LOOK_MS : (int) ms) <= 0)
        return false;
    if (polls[0].revents)
        read_more(devtools);
    if (polls[1].revents)
        devtools->readable(devtools->arg);
    return true;
}

static int await_more(struct devtools *devtools, struct err *err)
{
    int64_t left = devtools->until_ms - clock_mono_ms();

    if (left <= 0)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the page kept the browser busy for too long");
    wait_for_bytes(devtools, left);
    return 0;
}

json_t *devtools_call(struct devtools *devtools, const char *session, const char *method,
                      json_t *params, struct err *err)
{
    long long number = devtools_send(devtools, session, method, params);

    for (;;) {
        json_t *message = next_message(devtools), *result;

        if (!message && await_more(devtools, err) < 0)
            return NULL;
        if (!message)
            continue;
        if (json_integer_value(json_object_get(message, "id")) != number) {
            handle_event(devtools, message);
            json_decref(message);
            continue;
        }
        result = json_incref(json_object_get(message, "result"));
        if (!result)
            refused(message, method, err);
        json_decref(message);
        return result;
    }
}

int devtools_write(const json_t *base64, int out, struct err *err)
{
    const char *text = json_string_value(base64);
    size_t n = json_string_length(base64), got = 0;
    AUTO_FREE char *bytes = malloc(n + 1);

    if (!bytes)
        return err_set(err, ERR_INTERNAL, "out of memory");
    if (!base64_read(text ? text : "", n, bytes, n, &got))
        return err_set(err, ERR_INTERNAL, "what Chromium sent cannot be read as base64");
    return fdio_write(out, bytes, got, err);
}

bool devtools_wait(struct devtools *devtools, int64_t until_ms)
{
    for (;;) {
        json_t *message = next_message(devtools);
        int64_t left;

        if (message) {
            handle_event(devtools, message);
            json_decref(message);
            return true;
        }
        left = until_ms - clock_mono_ms();
        if (left <= 0 || (!wait_for_bytes(devtools, left) && left <= LOOK_MS))
            return false;
    }
}
