#include "store_memory/memory.h"

#include <stdlib.h>
#include <string.h>

void *memory_room(void *list, size_t n, size_t size, struct err *err)
{
    void *more = reallocarray(list, n + 1, size);

    if (!more)
        err_set(err, ERR_INTERNAL, "out of memory");
    return more;
}

bool memory_copy_text(char **to, const char *from)
{
    *to = from ? strdup(from) : NULL;
    return *to || !from;
}

struct record *memory_find(struct memory *m, const char *id)
{
    for (size_t i = 0; i < m->n_jobs; i++)
        if (strcmp(m->jobs[i].job.id, id) == 0)
            return &m->jobs[i];
    return NULL;
}

int memory_move(struct record *r, enum job_state to, struct err *err)
{
    if (!job_may_move(r->job.state, to))
        return err_set(err, ERR_INTERNAL, "a job that is %s cannot become %s",
                       job_status(r->job.state), job_status(to));
    r->job.state = to;
    return 0;
}

void memory_drop_files(struct record *r)
{
    buf_free(&r->inputs);
    buf_free(&r->result);
    r->job.in_store = 0;
}

void memory_delivery_drop(struct memory *m, const char *job_id)
{
    for (size_t i = m->n_deliveries; i-- > 0;)
        if (strcmp(m->deliveries[i].delivery.job_id, job_id) == 0) {
            delivery_free(&m->deliveries[i].delivery);
            m->deliveries[i] = m->deliveries[--m->n_deliveries];
        }
}

void memory_drop(struct memory *m, struct record *r)
{
    memory_delivery_drop(m, r->job.id);
    job_free(&r->job);
    memory_drop_files(r);
    *r = m->jobs[--m->n_jobs];
}

struct count *memory_count(struct memory *m, int64_t account, int64_t month, struct err *err)
{
    struct count *list;

    for (size_t i = 0; i < m->n_counts; i++)
        if (m->counts[i].account == account && m->counts[i].month == month)
            return &m->counts[i];
    if (!(list = memory_room(m->counts, m->n_counts, sizeof *list, err)))
        return NULL;
    m->counts = list;
    list[m->n_counts] = (struct count){ account, month, { 0, 0 } };
    return &list[m->n_counts++];
}

void memory_refund(struct memory *m, const struct record *r)
{
    struct err ignored;
    struct count *c = memory_count(m, r->job.key_id, r->month, &ignored); /* put made it */

    c->usage.requests--;
    c->usage.bytes -= job_counted_bytes(&r->job);
}
