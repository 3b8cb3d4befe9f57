#include "data/store_postgres/postgres_group.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"

/* A call that waits: for its batch to be done, or for its turn to lead one. */
struct waiter {
    struct postgres_member *member;
    pthread_cond_t woken;
    bool done, leads;
    struct waiter *next;
};

struct postgres_group {
    void (*run)(void *arg, struct postgres_member *batch);
    void *arg;
    pthread_mutex_t lock;         /* guards the members below */
    bool busy;                    /* a batch is executed, or its leader was woken */
    struct waiter *first, **last; /* calls that wait for the next batch */
};

struct postgres_group *postgres_group_new(void (*run)(void *arg, struct postgres_member *batch),
                                          void *arg, struct err *err)
{
    struct postgres_group *group = calloc(1, sizeof *group);

    if (!group) {
        err_sys(err, "cannot open the database");
        return NULL;
    }
    group->run = run;
    group->arg = arg;
    group->last = &group->first;
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

/* Removes the calls of the next batch from those that wait. */
static struct waiter *remove_batch(struct postgres_group *group)
{
    struct waiter *batch = group->first, *last = batch;

    for (size_t n = 1; n < POSTGRES_GROUP_MOST && last->next; n++)
        last = last->next;
    group->first = last->next;
    if (!group->first)
        group->last = &group->first;
    last->next = NULL;
    return batch;
}

/* Ends a batch. The call that has waited longest leads the next one. */
static void leave(struct postgres_group *group, struct waiter *batch)
{
    for (struct waiter *w = batch, *next; w; w = next) {
        next = w->next; /* a waiter that is woken may be gone */
        w->done = true;
        pthread_cond_signal(&w->woken);
    }
    group->busy = group->first != NULL;
    if (group->first) {
        group->first->leads = true;
        pthread_cond_signal(&group->first->woken);
    }
}

static void lead(struct postgres_group *group)
{
    struct waiter *batch = remove_batch(group);

    pthread_mutex_unlock(&group->lock);
    for (struct waiter *w = batch; w->next; w = w->next)
        w->member->next = w->next->member;
    group->run(group->arg, batch->member);
    pthread_mutex_lock(&group->lock);
    leave(group, batch);
}

void postgres_group_call(struct postgres_group *group, struct postgres_member *member)
{
    struct waiter self = { .member = member };

    member->result = NULL;
    member->next = NULL;
    pthread_cond_init(&self.woken, NULL);
    pthread_mutex_lock(&group->lock);
    *group->last = &self;
    group->last = &self.next;
    self.leads = !group->busy;
    group->busy = true;
    while (!self.done && !self.leads)
        pthread_cond_wait(&self.woken, &group->lock);
    /* The leader has waited longest, and so belongs to its own batch. */
    if (!self.done)
        lead(group);
    pthread_mutex_unlock(&group->lock);
    pthread_cond_destroy(&self.woken);
}

/* An element of an array as PostgreSQL reads it (section 8.15.2 of the manual). */
static void write_element(const struct postgres_value *value, struct buf *out)
{
    if (value->kind == POSTGRES_VALUE_INTEGER) {
        buf_printf(out, "%" PRId64, value->integer);
    } else if (value->kind == POSTGRES_VALUE_REAL) {
        buf_printf(out, "%.17g", value->real);
    } else if (!value->text) {
        buf_printf(out, "NULL");
    } else {
        buf_putc(out, '"');
        for (const char *c = value->text; *c; c++) {
            if (*c == '"' || *c == '\\')
                buf_putc(out, '\\');
            buf_putc(out, *c);
        }
        buf_putc(out, '"');
    }
}

/* Statement and parameters of a batch. Bytes are parameters of their own, one for each member; of
 * anything else all members' values are one, which costs the database least to read. */
struct statement {
    struct buf sql, arrays; /* arrays: one after the other, each ends with a NUL */
    struct postgres_value *values;
    size_t n;
};

static void statement_free(struct statement *s)
{
    buf_free(&s->sql);
    buf_free(&s->arrays);
    free(s->values);
}

static void add_bytes(struct statement *s, const struct postgres_member *members, size_t i)
{
    buf_printf(&s->sql, "ARRAY[");
    for (const struct postgres_member *m = members; m; m = m->next) {
        s->values[s->n++] = m->values[i];
        buf_printf(&s->sql, "%s$%zu", m == members ? "" : ",", s->n);
    }
    buf_printf(&s->sql, "]::bytea[]");
}

static void add_array(struct statement *s, const struct postgres_member *members, size_t i)
{
    s->values[s->n++] = (struct postgres_value){ .kind = POSTGRES_VALUE_TEXT };
    buf_printf(&s->sql, "$%zu", s->n);
    for (const struct postgres_member *m = members; m; m = m->next) {
        buf_putc(&s->arrays, m == members ? '{' : ',');
        write_element(&m->values[i], &s->arrays);
    }
    buf_put(&s->arrays, "}", 2);
}

/* False: memory is short. */
static bool write_statement(struct statement *s, const struct postgres_batch *batch,
                            const struct postgres_member *members)
{
    size_t n = 0;

    for (const struct postgres_member *m = members; m; m = m->next)
        n++;
    s->values = calloc(n * members->n_values + 1, sizeof *s->values);
    if (!s->values)
        return false;
    buf_printf(&s->sql, "SELECT * FROM %s(", batch->function);
    for (size_t i = 0; i < members->n_values; i++) {
        if (i)
            buf_putc(&s->sql, ',');
        if (members->values[i].kind == POSTGRES_VALUE_BYTES)
            add_bytes(s, members, i);
        else
            add_array(s, members, i);
    }
    buf_put(&s->sql, ")", 2);
    if (s->sql.failed || s->arrays.failed)
        return false;
    const char *array = s->arrays.data; /* which moves no more */
    for (size_t i = 0; i < s->n; i++)
        if (s->values[i].kind == POSTGRES_VALUE_TEXT) {
            s->values[i].text = array;
            array += strlen(array) + 1;
        }
    return true;
}

/* A result of the row of member n, counted from 1. NULL: memory is short, or it has none. */
static PGresult *copy_row(const PGresult *from, int n)
{
    const int last = PQnfields(from) - 1;
    PGresult *to;
    int row = 0;

    while (row < PQntuples(from) && postgres_integer(from, row, last) != n)
        row++;
    if (row == PQntuples(from) || !(to = PQcopyResult(from, PG_COPYRES_ATTRS)))
        return NULL;
    for (int i = 0; i < last; i++) {
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
    __attribute__((cleanup(statement_free))) struct statement s = { BUF_EMPTY, BUF_EMPTY, NULL, 0 };
    AUTO_RESULT PGresult *all = NULL;
    struct err err;
    int n = 1;

    err_set(&err, ERR_INTERNAL, "out of memory");
    if (write_statement(&s, batch, members))
        all = postgres_db_call(batch->db, s.sql.data, s.values, s.n, &err);
    if (!all && err.code == ERR_INTERNAL && members->next)
        return false;
    for (struct postgres_member *m = members; m; m = m->next, n++) {
        m->err = err;
        m->result = all ? copy_row(all, n) : NULL;
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

void postgres_batch_run(void *arg, struct postgres_member *members)
{
    const struct postgres_batch *batch = arg;

    if (members->next && run_together(batch, members))
        return;
    for (struct postgres_member *m = members; m; m = m->next)
        run_alone(batch, m);
}
