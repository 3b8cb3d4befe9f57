#include "data/store_postgres/postgres_bell.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "base/system/thread.h"
#include "data/store_postgres/postgres_connection.h"
#include "data/store_postgres/postgres_db.h"

#define AGAIN_MS  2000  /* delay before a lost connection is opened again */
#define POOLED_MS 60000 /* before a pooler is tried again */
#define ALL       0xffu /* everything that can be rung */

struct postgres_bell {
    char *url;
    void (*heard)(void *arg, unsigned what);
    void *arg;
    pthread_t thread;
    int wake; /* eventfd */
    atomic_uint rung;
    atomic_bool works, ending;
    /* the thread's alone */
    PGconn *conn;
    int64_t next_at; /* monotonic ms: when a connection may be made, or something may be sent */
};

static void disconnect(struct postgres_bell *bell)
{
    atomic_store(&bell->works, false);
    PQfinish(bell->conn);
    bell->conn = NULL;
    bell->next_at = clock_mono_ms() + AGAIN_MS;
}

static void connect_bell(struct postgres_bell *bell)
{
    struct err err;

    bell->conn = postgres_connection_connect(bell->url, &err);
    if (bell->conn && postgres_connection_is_pooled(bell->conn)) {
        log_info("store.bell_silent",
                 KV("why", "a pooler stands before the database: new jobs are found by asking"));
        disconnect(bell);
        bell->next_at = clock_mono_ms() + POOLED_MS;
        return;
    }
    AUTO_RESULT PGresult *r = bell->conn ? PQexec(bell->conn, "LISTEN platen") : NULL;
    if (PQresultStatus(r) != PGRES_COMMAND_OK) {
        disconnect(bell);
        return;
    }
    atomic_store(&bell->works, true);
    bell->heard(bell->arg, ALL);
}

/* Sends the bits that were rung since the last time. */
static void send_rung(struct postgres_bell *bell)
{
    unsigned what = atomic_exchange(&bell->rung, 0);
    char sql[64];

    if (!what)
        return;
    snprintf(sql, sizeof sql, "NOTIFY platen, '%u'", what & ALL);
    AUTO_RESULT PGresult *r = PQexec(bell->conn, sql);
    bell->next_at = clock_mono_ms() + POSTGRES_BELL_MS;
    if (PQresultStatus(r) != PGRES_COMMAND_OK)
        disconnect(bell);
}

/* Reports the bits that others rang. */
static void hear(struct postgres_bell *bell)
{
    PGnotify *said;
    unsigned what = 0;

    if (!PQconsumeInput(bell->conn)) {
        disconnect(bell);
        return;
    }
    while ((said = PQnotifies(bell->conn)) != NULL) {
        if (said->be_pid != PQbackendPID(bell->conn))
            what |= (unsigned) strtoul(said->extra, NULL, 10) & ALL;
        PQfreemem(said);
    }
    if (what)
        bell->heard(bell->arg, what);
}

/* Until something was rung here or elsewhere, or it is time. */
static void wait_for_more(struct postgres_bell *bell)
{
    struct pollfd ready[2] = { { .fd = bell->wake, .events = POLLIN },
                               { .fd = bell->conn ? PQsocket(bell->conn) : -1, .events = POLLIN } };
    const bool waits = !bell->conn || atomic_load(&bell->rung);
    int64_t left = bell->next_at - clock_mono_ms();
    uint64_t count;

    poll(ready, 2, waits ? (int) (left > 0 ? left : 0) : -1);
    if ((ready[0].revents & POLLIN) && read(bell->wake, &count, sizeof count) < 0)
        return;
}

static void *listen_all(void *arg)
{
    struct postgres_bell *bell = arg;

    while (!atomic_load(&bell->ending)) {
        if (!bell->conn && clock_mono_ms() >= bell->next_at)
            connect_bell(bell);
        if (bell->conn && clock_mono_ms() >= bell->next_at)
            send_rung(bell);
        if (bell->conn)
            hear(bell);
        wait_for_more(bell);
    }
    PQfinish(bell->conn);
    return NULL;
}

struct postgres_bell *postgres_bell_new(const char *url, void (*heard)(void *arg, unsigned what),
                                        void *arg, struct err *err)
{
    struct postgres_bell *bell = calloc(1, sizeof *bell);

    if (!bell) {
        err_sys(err, "listen to the database");
        return NULL;
    }
    bell->heard = heard;
    bell->arg = arg;
    bell->url = strdup(url);
    bell->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (!bell->url || bell->wake < 0)
        err_sys(err, "listen to the database");
    else if (thread_start(&bell->thread, "bell", listen_all, bell, err) == 0)
        return bell;
    if (bell->wake >= 0)
        close(bell->wake);
    free(bell->url);
    free(bell);
    return NULL;
}

static void knock(struct postgres_bell *bell)
{
    const uint64_t one = 1;

    if (write(bell->wake, &one, sizeof one) < 0)
        return; /* it is about to wake anyway */
}

void postgres_bell_free(struct postgres_bell *bell)
{
    if (!bell)
        return;
    atomic_store(&bell->ending, true);
    knock(bell);
    pthread_join(bell->thread, NULL);
    close(bell->wake);
    free(bell->url);
    free(bell);
}

void postgres_bell_ring(struct postgres_bell *bell, unsigned what)
{
    if (atomic_load(&bell->works) && (atomic_fetch_or(&bell->rung, what) & what) != what)
        knock(bell);
}

bool postgres_bell_works(struct postgres_bell *bell)
{
    return atomic_load(&bell->works);
}
