#include "store_postgres/postgres_group.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/scope.h"

/* A call that waits: for its batch to be done, or for its turn to lead one. */
struct waiter {
    struct postgres_member *member;
    pthread_cond_t woken;
    bool done, leads;
    struct waiter *next;
};

/* Calls with one key, while one of them is under way. */
struct lane {
    int64_t key;
    struct waiter *first, **last; /* that wait for the next batch */
    struct lane *next;
};

struct postgres_group {
    void (*run)(void *cls, struct postgres_member *batch);
    void *cls;
    pthread_mutex_t lock; /* guards the members below */
    struct lane *lanes;
};

struct postgres_group *postgres_group_new(void (*run)(void *cls, struct postgres_member *batch),
                                          void *cls, struct err *err)
{
    struct postgres_group *group = calloc(1, sizeof *group);

    if (!group) {
        err_sys(err, "cannot open the database");
        return NULL;
    }
    group->run = run;
    group->cls = cls;
    pthread_mutex_init(&group->lock, NULL);
    return group;
}

void postgres_group_free(struct postgres_group *group)
{
    if (!group)
        return;
    pthread_mutex_destroy(&group->lock);
    free(group);
}

static struct lane **find_lane(struct postgres_group *group, int64_t key)
{
    struct lane **at = &group->lanes;

    while (*at && (*at)->key != key)
        at = &(*at)->next;
    return at;
}

/* Puts the caller into the lane of its key. The first one there leads. NULL: memory is short. */
static struct lane *enter(struct postgres_group *group, int64_t key, struct waiter *waiter)
{
    struct lane **at = find_lane(group, key), *lane = *at;

    if (!lane) {
        lane = *at = calloc(1, sizeof *lane);
        if (!lane)
            return NULL;
        lane->key = key;
        lane->last = &lane->first;
        waiter->leads = true;
    }
    *lane->last = waiter;
    lane->last = &waiter->next;
    return lane;
}

/* Removes the calls of the next batch from the lane. */
static struct waiter *take_batch(struct lane *lane)
{
    struct waiter *batch = lane->first, *last = batch;

    for (size_t n = 1; n < POSTGRES_GROUP_MOST && last->next; n++)
        last = last->next;
    lane->first = last->next;
    if (!lane->first)
        lane->last = &lane->first;
    last->next = NULL;
    return batch;
}

/* Ends a batch. The call that has waited longest leads the next one. */
static void leave(struct postgres_group *group, struct lane *lane, struct waiter *batch)
{
    for (struct waiter *w = batch, *next; w; w = next) {
        next = w->next; /* a waiter that is woken may be gone */
        w->done = true;
        pthread_cond_signal(&w->woken);
    }
    if (lane->first) {
        lane->first->leads = true;
        pthread_cond_signal(&lane->first->woken);
        return;
    }
    *find_lane(group, lane->key) = lane->next;
    free(lane);
}

static void lead(struct postgres_group *group, struct lane *lane)
{
    struct waiter *batch = take_batch(lane);

    pthread_mutex_unlock(&group->lock);
    for (struct waiter *w = batch; w; w = w->next)
        w->member->next = w->next ? w->next->member : NULL;
    if (batch)
        group->run(group->cls, batch->member);
    pthread_mutex_lock(&group->lock);
    leave(group, lane, batch);
}

void postgres_group_call(struct postgres_group *group, int64_t key, struct postgres_member *member)
{
    struct waiter self = { .member = member };
    struct lane *lane;

    member->result = NULL;
    member->next = NULL;
    pthread_cond_init(&self.woken, NULL);
    pthread_mutex_lock(&group->lock);
    lane = enter(group, key, &self);
    while (lane && !self.done && !self.leads)
        pthread_cond_wait(&self.woken, &group->lock);
    /* The leader is the first of its lane, and so belongs to its own batch. */
    if (lane && !self.done)
        lead(group, lane);
    pthread_mutex_unlock(&group->lock);
    pthread_cond_destroy(&self.woken);
    if (!lane)
        group->run(group->cls, member);
}

/* One statement for all members; the last column of its rows counts them. */
static bool write_statement(const struct postgres_batch *batch,
                            const struct postgres_member *members, struct buf *sql)
{
    size_t at = 0;
    int row = 0;

    for (const struct postgres_member *m = members; m; m = m->next, row++) {
        buf_printf(sql, "%sSELECT f.*, %d FROM %s(", row ? " UNION ALL " : "", row,
                   batch->function);
        for (size_t i = 0; i < m->n_values; i++)
            buf_printf(sql, "%s$%zu", i ? ", " : "", ++at);
        buf_puts(sql, ") f");
    }
    buf_put(sql, "", 1);
    return !sql->failed;
}

static struct postgres_value *gather(const struct postgres_member *members, size_t *n)
{
    struct postgres_value *all;
    size_t at = 0;

    *n = 0;
    for (const struct postgres_member *m = members; m; m = m->next)
        *n += m->n_values;
    all = calloc(*n ? *n : 1, sizeof *all);
    for (const struct postgres_member *m = members; all && m; m = m->next)
        for (size_t i = 0; i < m->n_values; i++)
            all[at++] = m->values[i];
    return all;
}

/* A result of the one row. NULL: memory is short, or it is not the row of this member. */
static PGresult *take_row(const PGresult *from, int row)
{
    PGresult *to;

    if (row >= PQntuples(from) || postgres_integer(from, row, PQnfields(from) - 1) != row)
        return NULL;
    to = PQcopyResult(from, PG_COPYRES_ATTRS);

    for (int i = 0; to && i < PQnfields(from); i++) {
        bool null = PQgetisnull(from, row, i);

        if (!PQsetvalue(to, 0, i, null ? NULL : PQgetvalue(from, row, i),
                        null ? -1 : PQgetlength(from, row, i))) {
            PQclear(to);
            return NULL;
        }
    }
    return to;
}

/* False: nothing was done, because of one of several members. */
static bool run_together(const struct postgres_batch *batch, struct postgres_member *members)
{
    AUTO_BUF struct buf sql = BUF_EMPTY;
    size_t n;
    AUTO_FREE struct postgres_value *values = gather(members, &n);
    AUTO_RESULT PGresult *all = NULL;
    struct postgres_member *m = members;
    struct err err;

    err_set(&err, ERR_INTERNAL, "out of memory");
    if (values && write_statement(batch, members, &sql))
        all = postgres_db_call(batch->db, sql.data, values, n, &err);
    if (!all && err.code == ERR_INTERNAL && members->next)
        return false;
    for (int row = 0; m; m = m->next, row++) {
        m->err = err;
        m->result = all ? take_row(all, row) : NULL;
        if (all && !m->result)
            err_set(&m->err, ERR_INTERNAL, "out of memory");
    }
    return true;
}

static void run_alone(const struct postgres_batch *batch, struct postgres_member *m)
{
    struct postgres_member *next = m->next;

    m->next = NULL;
    run_together(batch, m);
    m->next = next;
}

void postgres_batch_run(void *cls, struct postgres_member *members)
{
    const struct postgres_batch *batch = cls;

    if (members->next && run_together(batch, members))
        return;
    for (struct postgres_member *m = members; m; m = m->next)
        run_alone(batch, m);
}
