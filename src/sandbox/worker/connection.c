#include "sandbox/worker/connection.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "base/system/thread.h"
#include "sandbox/process/program.h"
#include "sandbox/protocol/message.h"

#define HELLO_MS     30000
#define PAUSE_MIN_MS 100
#define PAUSE_MAX_MS 30000
/* a zygote that lived shorter than this counts as one that died at once */
#define SHORT_MS    10000
#define TRIALS_MOST 3   /* limit of consecutive failures of self-tests, each after a restart */
#define SLICE_MS    250 /* how often a waiting thread checks whether it should stop */

struct connection {
    char *name, *program;
    json_t *hello;

    pthread_t tender; /* a thread that runs until the program is ready; see tend */
    bool tended;
    _Atomic bool closing, ready; /* ready: the program said so, or has no self-tests */
    _Atomic bool given_up;       /* its self-tests failed TRIALS_MOST times */
    int n_failed;                /* number of failures, used by the tender only */

    pthread_mutex_t words; /* guards why_not only, and is held only for a moment */
    char why_not[160];

    pthread_mutex_t lock; /* guards all members below; held while a message is sent */
    pthread_cond_t changed;
    struct program zygote; /* control < 0: there is none */
    unsigned life;         /* number of zygotes so far */
    bool starting;         /* a thread is starting one */
    int64_t started_ms, pause_ms;
};

/* A caller that waits for a program to start, and how to ask whether it still does. */
struct waiter {
    bool (*stopped)(void *arg);
    void *arg;
};

static bool says_something(int control, const struct waiter *waiter)
{
    struct pollfd said = { .fd = control, .events = POLLIN };
    int64_t until = clock_mono_ms() + HELLO_MS;

    while (!waiter->stopped(waiter->arg) && clock_mono_ms() < until)
        if (poll(&said, 1, SLICE_MS) == 1)
            return true;
    return false;
}

static json_t *receive_hello(int control, const struct waiter *waiter, struct err *err)
{
    AUTO_MESSAGE struct message message = { 0 };
    const char *absent;
    json_t *hello;
    int protocol;

    if (!says_something(control, waiter)) {
        err_set(err, ERR_INTERNAL, "it sent nothing");
        return NULL;
    }
    switch (message_recv(control, &message, err)) {
    case 0:
        err_set(err, ERR_INTERNAL, "it ended at once");
        return NULL;
    case -1:
        return NULL;
    }
    hello = json_loadb(message.data, message.n, 0, NULL);
    absent = json_string_value(json_object_get(hello, "absent"));
    if (json_unpack(hello, "{si}", "protocol", &protocol) < 0 || protocol != ZYGOTE_PROTOCOL) {
        err_set(err, ERR_INTERNAL, "it is of another version");
        json_decref(hello);
        return NULL;
    }
    if (absent) {
        err_set(err, ERR_INTERNAL, "%.200s", absent);
        json_decref(hello);
        return NULL;
    }
    return hello;
}

static void end_zygote(const struct connection *connection, struct program *zygote)
{
    if (!program_end(zygote))
        log_warn("worker.killed", KV("worker", connection->name));
}

/* Starts a new zygote and returns its hello (a new reference). */
static json_t *start_zygote(const struct connection *connection, const struct waiter *waiter,
                            struct program *zygote, struct err *err)
{
    json_t *hello = NULL;

    if (program_start(connection->program, PROGRAM_APART, zygote, err) == 0) {
        hello = receive_hello(zygote->control, waiter, err);
        if (!hello)
            end_zygote(connection, zygote);
    }
    if (!hello) {
        err_wrap(err, "worker program %s", connection->name);
        return NULL;
    }
    log_info("worker.start", KV("worker", connection->name), KV("pid", (int64_t) zygote->pid),
             KV("layers", json_string_value(json_object_get(hello, "layers"))));
    return hello;
}

json_t *connection_hello(const struct connection *connection)
{
    return connection->hello;
}

/* The caller of the next four functions holds the lock. */

static void drop(struct connection *connection)
{
    if (connection->zygote.pid < 0)
        return;
    log_warn("worker.gone", KV("worker", connection->name),
             KV("pid", (int64_t) connection->zygote.pid));
    end_zygote(connection, &connection->zygote);
    if (clock_mono_ms() - connection->started_ms >= SHORT_MS)
        connection->pause_ms = 0;
}

static void await_change(struct connection *connection)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += SLICE_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&connection->changed, &connection->lock, &until);
}

static int pause_over(const struct connection *connection, const struct waiter *waiter,
                      struct err *err)
{
    int64_t left;

    while ((left = connection->started_ms + connection->pause_ms - clock_mono_ms()) > 0) {
        if (waiter->stopped(waiter->arg))
            return err_set(err, ERR_INTERNAL, "stopped while its worker was being started");
        poll(NULL, 0, left < SLICE_MS ? (int) left : SLICE_MS);
    }
    return 0;
}

/* Starts a new zygote in this thread, and in no other; the lock is released meanwhile. */
static int restart(struct connection *connection, const struct waiter *waiter, struct err *err)
{
    struct program zygote = PROGRAM_NONE;
    json_t *hello = NULL;

    connection->starting = true;
    pthread_mutex_unlock(&connection->lock);
    if (pause_over(connection, waiter, err) == 0) {
        metric_add(METRIC_WORKER_RESTARTS, connection->name, 1);
        hello = start_zygote(connection, waiter, &zygote, err);
        if (hello && !json_equal(json_object_get(hello, "tools"),
                                 json_object_get(connection->hello, "tools"))) {
            err_set(err, ERR_INTERNAL, "worker program %s is not what it was", connection->name);
            end_zygote(connection, &zygote);
        }
        json_decref(hello);
        pthread_mutex_lock(&connection->lock);
        connection->started_ms = clock_mono_ms();
        connection->pause_ms = connection->pause_ms ? connection->pause_ms * 2 : PAUSE_MIN_MS;
        if (connection->pause_ms > PAUSE_MAX_MS)
            connection->pause_ms = PAUSE_MAX_MS;
    } else {
        pthread_mutex_lock(&connection->lock);
    }
    connection->starting = false;
    connection->zygote = zygote;
    connection->life++;
    pthread_cond_broadcast(&connection->changed);
    return zygote.pid < 0 ? -1 : 0;
}

static int revive(struct connection *connection, const struct waiter *waiter, struct err *err)
{
    while (connection->starting) {
        await_change(connection);
        if (waiter->stopped(waiter->arg))
            return err_set(err, ERR_INTERNAL, "stopped while its worker was being started");
    }
    return connection->zygote.pid >= 0 ? 0 : restart(connection, waiter, err);
}

int connection_send(struct connection *connection, const struct buf *text, const int *fds,
                    size_t n_fds, bool (*stopped)(void *arg), void *arg, unsigned *life,
                    struct err *err)
{
    const struct waiter waiter = { stopped, arg };
    int sent = -1;

    pthread_mutex_lock(&connection->lock);
    /* A zygote that died meanwhile has not begun this job: it is sent once more. */
    for (int tries = 0; sent < 0 && tries < 2; tries++) {
        if (revive(connection, &waiter, err) < 0)
            break;
        *life = connection->life;
        sent = message_send(connection->zygote.control, text->data, text->len, fds, n_fds, err);
        if (sent < 0)
            drop(connection);
    }
    pthread_mutex_unlock(&connection->lock);
    return sent;
}

void connection_lost(struct connection *connection, unsigned life)
{
    pthread_mutex_lock(&connection->lock);
    if (life == connection->life && !connection->starting)
        drop(connection);
    pthread_mutex_unlock(&connection->lock);
}

static void set_why_not(struct connection *connection, const char *why)
{
    pthread_mutex_lock(&connection->words);
    snprintf(connection->why_not, sizeof connection->why_not, "%s", why);
    pthread_mutex_unlock(&connection->words);
}

/* Self-tests may have failed because the machine was busy: the program is restarted, but not for
 * ever. */
static void fail_trial(struct connection *connection, const char *why)
{
    if (++connection->n_failed < TRIALS_MOST) {
        drop(connection);
        return;
    }
    log_error("program.absent", KV("program", connection->name), KV("why", why),
              KV("trials", connection->n_failed),
              KV("do", "run platen doctor, and restart the server when its advice was followed"));
    connection->given_up = true;
}

/* Reads what the program has reported about its self-tests. The caller holds the lock. */
static void hear(struct connection *connection)
{
    struct pollfd said = { .fd = connection->zygote.control, .events = POLLIN };
    struct err ignored;

    while (poll(&said, 1, 0) == 1) {
        AUTO_MESSAGE struct message message = { 0 };
        const char *why = NULL;
        json_t *news;
        int ready = 0;

        if (message_recv(connection->zygote.control, &message, &ignored) <= 0) {
            drop(connection);
            return;
        }
        news = json_loadb(message.data, message.n, 0, NULL);
        if (json_unpack(news, "{sb ss}", "ready", &ready, "why", &why) == 0) {
            set_why_not(connection, why);
            if (ready)
                connection->ready = true;
            else
                fail_trial(connection, why);
        }
        json_decref(news);
        if (connection->zygote.pid < 0)
            return;
    }
}

static bool is_closing(void *arg)
{
    const struct connection *connection = arg;

    return connection->closing;
}

/* The tender: a thread that waits for the result of a program's self-tests, so that
 * connection_ready does not wait. */
static void *tend(void *arg)
{
    struct connection *connection = arg;
    const struct waiter waiter = { is_closing, connection };
    struct err err;

    pthread_mutex_lock(&connection->lock);
    while (!connection->ready && !connection->given_up && !connection->closing) {
        if (connection->zygote.pid >= 0)
            hear(connection);
        else if (!connection->starting && restart(connection, &waiter, &err) < 0)
            set_why_not(connection, err.msg);

        /* After the lock is released, the descriptor may become another one; then this only
         * wakes up for nothing. */
        struct pollfd said = { .fd = connection->zygote.control, .events = POLLIN };

        pthread_mutex_unlock(&connection->lock);
        if (!connection->ready)
            poll(&said, 1, SLICE_MS);
        pthread_mutex_lock(&connection->lock);
    }
    pthread_mutex_unlock(&connection->lock);
    return NULL;
}

bool connection_given_up(const struct connection *connection)
{
    return connection->given_up;
}

bool connection_ready(struct connection *connection, char *why, size_t cap)
{
    pthread_mutex_lock(&connection->words);
    snprintf(why, cap, "%s: %s", connection->name, connection->why_not);
    pthread_mutex_unlock(&connection->words);
    return connection->ready;
}

struct connection *connection_open(const char *name, const char *program, struct err *err)
{
    struct connection *connection = calloc(1, sizeof *connection);
    pthread_condattr_t attr;

    if (!connection) {
        err_sys(err, "worker");
        return NULL;
    }
    pthread_mutex_init(&connection->words, NULL);
    pthread_mutex_init(&connection->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&connection->changed, &attr);
    pthread_condattr_destroy(&attr);
    connection->zygote = PROGRAM_NONE;
    connection->name = strdup(name);
    connection->program = strdup(program);
    connection->started_ms = clock_mono_ms();
    metric_add(METRIC_WORKER_RESTARTS, name, 0);
    if (!connection->name || !connection->program)
        err_set(err, ERR_INTERNAL, "out of memory");
    else
        connection->hello = start_zygote(connection, &(struct waiter){ is_closing, connection },
                                         &connection->zygote, err);
    if (connection->hello) {
        connection->ready = !json_is_true(json_object_get(connection->hello, "trials"));
        set_why_not(connection, "it tries itself out");
        connection->tended =
            !connection->ready &&
            thread_start(&connection->tender, "worker-trials", tend, connection, err) == 0;
    }
    if (!connection->tended && !connection->ready) {
        connection_close(connection);
        return NULL;
    }
    return connection;
}

void connection_close(struct connection *connection)
{
    if (!connection)
        return;
    connection->closing = true;
    if (connection->tended) {
        pthread_mutex_lock(&connection->lock);
        if (connection->zygote.pid >= 0)
            shutdown(connection->zygote.control, SHUT_RDWR); /* wakes the tender */
        pthread_mutex_unlock(&connection->lock);
        pthread_join(connection->tender, NULL);
    }
    end_zygote(connection, &connection->zygote);
    json_decref(connection->hello);
    pthread_cond_destroy(&connection->changed);
    pthread_mutex_destroy(&connection->lock);
    pthread_mutex_destroy(&connection->words);
    free(connection->name);
    free(connection->program);
    free(connection);
}
