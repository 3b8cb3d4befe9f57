/* The store in memory: deliveries and webhook secrets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "store/store_rules.h"
#include "store_memory/store_memory.h"

static int copy(struct delivery *to, const struct delivery *from, struct err *err)
{
    *to = *from;
    to->url = to->error = to->excerpt = NULL;
    if (memory_copy_text(&to->url, from->url) && memory_copy_text(&to->error, from->error) &&
        memory_copy_text(&to->excerpt, from->excerpt))
        return 0;
    delivery_free(to);
    return err_set(err, ERR_INTERNAL, "out of memory");
}

static int append(struct store_deliveries *deliveries, const struct delivery *delivery,
                  struct err *err)
{
    struct delivery *list = memory_room(deliveries->list, deliveries->n, sizeof *list, err);

    if (!list)
        return -1;
    deliveries->list = list;
    if (copy(&list[deliveries->n], delivery, err) < 0)
        return -1;
    deliveries->n++;
    return 0;
}

/* As long as a delivery to it waits or is sent, it is known how its last outcome was. */
static bool is_unreachable(const struct memory *m, int64_t account, const char *host)
{
    for (size_t i = 0; i < m->n_deliveries; i++)
        if (m->deliveries[i].delivery.key_id == account &&
            strcmp(m->deliveries[i].host, host) == 0 &&
            m->deliveries[i].delivery.state <= DELIVERY_SENDING)
            return m->deliveries[i].unreachable;
    return false;
}

int store_memory_delivery_begin(struct memory *m, const struct job *job, struct err *err)
{
    struct memory_delivery *list;
    struct delivery begun = { .key_id = job->key_id, .url = job->callback_url };

    if (!job->callback_url)
        return 0;
    if (!(list = memory_room(m->deliveries, m->n_deliveries, sizeof *list, err)))
        return -1;
    m->deliveries = list;
    id_new(begun.id);
    memcpy(begun.job_id, job->id, ID_TEXT);
    begun.created_at = begun.since = begun.next_at = job->finished_at;
    list += m->n_deliveries;
    delivery_host(job->callback_url, list->host);
    list->unreachable = is_unreachable(m, job->key_id, list->host);
    if (copy(&list->delivery, &begun, err) < 0)
        return -1;
    m->n_deliveries++;
    return 0;
}

/* Whether one more of its account may be sent, and to its host. */
static bool has_room(const struct memory *m, const struct memory_delivery *d)
{
    size_t host = 0, account = 0;

    for (size_t i = 0; i < m->n_deliveries; i++) {
        const struct memory_delivery *other = &m->deliveries[i];

        if (other->delivery.state != DELIVERY_SENDING ||
            other->delivery.key_id != d->delivery.key_id)
            continue;
        account++;
        host += strcmp(other->host, d->host) == 0;
    }
    return account < STORE_ACCOUNT_WIDTH && host < (d->unreachable ? 1 : STORE_HOST_WIDTH);
}

static int64_t served(const struct memory *m, int64_t account)
{
    for (size_t i = 0; i < m->n_turns; i++)
        if (m->turns[i].account == account)
            return m->turns[i].served;
    return 0;
}

static int note_turn(struct memory *m, int64_t account, struct err *err)
{
    struct memory_turn *list;
    size_t i = 0;

    while (i < m->n_turns && m->turns[i].account != account)
        i++;
    if (i == m->n_turns) {
        if (!(list = memory_room(m->turns, m->n_turns, sizeof *list, err)))
            return -1;
        m->turns = list;
        m->n_turns++;
    }
    m->turns[i] = (struct memory_turn){ account, ++m->turn };
    return 0;
}

static bool waits_longer(const struct delivery *a, const struct delivery *b)
{
    return a->next_at != b->next_at ? a->next_at < b->next_at : strcmp(a->id, b->id) < 0;
}

/* The one that can be claimed first, whatever the time is. */
static struct memory_delivery *first(struct memory *m)
{
    struct memory_delivery *next = NULL;

    for (size_t i = 0; i < m->n_deliveries; i++) {
        struct memory_delivery *d = &m->deliveries[i];

        if (d->delivery.state == DELIVERY_WAITING && has_room(m, d) &&
            (!next || waits_longer(&d->delivery, &next->delivery)))
            next = d;
    }
    return next;
}

/* The one whose turn it is now: of the account that was served longest ago. */
static struct memory_delivery *due(struct memory *m, int64_t now)
{
    struct memory_delivery *next = NULL;

    for (size_t i = 0; i < m->n_deliveries; i++) {
        struct memory_delivery *d = &m->deliveries[i];
        int64_t mine, its;

        if (d->delivery.state != DELIVERY_WAITING || d->delivery.next_at > now || !has_room(m, d))
            continue;
        mine = served(m, d->delivery.key_id);
        its = next ? served(m, next->delivery.key_id) : 0;
        if (!next || mine < its ||
            (mine == its && (d->delivery.key_id < next->delivery.key_id ||
                             (d->delivery.key_id == next->delivery.key_id &&
                              waits_longer(&d->delivery, &next->delivery)))))
            next = d;
    }
    return next;
}

int store_memory_delivery_claim(struct store *store, int64_t now, size_t limit,
                                struct store_deliveries *deliveries, struct err *err)
{
    AUTO_STORE_DELIVERIES struct store_deliveries found = { 0 };
    LOCKED *m = memory_enter(store);
    struct memory_delivery *next;

    while (found.n < limit && (next = due(m, now))) {
        next->delivery.state = DELIVERY_SENDING;
        if (append(&found, &next->delivery, err) < 0 ||
            note_turn(m, next->delivery.key_id, err) < 0)
            return -1;
    }
    *deliveries = found;
    found = (struct store_deliveries){ 0 };
    return 0;
}

static int settle_one(struct memory *m, struct memory_delivery *d, const struct store_outcome *o,
                      struct err *err)
{
    AUTO_DELIVERY struct delivery texts = { 0 };

    if (!memory_copy_text(&texts.error, o->error) || !memory_copy_text(&texts.excerpt, o->excerpt))
        return err_set(err, ERR_INTERNAL, "out of memory");
    free(d->delivery.error);
    free(d->delivery.excerpt);
    d->delivery.error = scope_take_ptr(&texts.error);
    d->delivery.excerpt = scope_take_ptr(&texts.excerpt);
    d->delivery.state = o->state;
    d->delivery.attempts++;
    d->delivery.tries++;
    d->delivery.next_at = o->next_at;
    d->delivery.last_at = o->at;
    d->delivery.http_status = o->http_status;
    d->delivery.duration_ms = o->duration_ms;
    for (size_t i = 0; i < m->n_deliveries; i++)
        if (m->deliveries[i].delivery.key_id == d->delivery.key_id &&
            strcmp(m->deliveries[i].host, d->host) == 0)
            m->deliveries[i].unreachable = o->unreachable;
    return 0;
}

static struct memory_delivery *find(struct memory *m, const char *id)
{
    for (size_t i = 0; i < m->n_deliveries; i++)
        if (strcmp(m->deliveries[i].delivery.id, id) == 0)
            return &m->deliveries[i];
    return NULL;
}

int store_memory_delivery_settle(struct store *store, const struct store_outcome *outcomes,
                                 size_t n, struct err *err)
{
    LOCKED *m = memory_enter(store);

    for (size_t i = 0; i < n; i++) {
        struct memory_delivery *d = find(m, outcomes[i].id);

        if (d && d->delivery.state == DELIVERY_SENDING && settle_one(m, d, &outcomes[i], err) < 0)
            return -1;
    }
    return 0;
}

int store_memory_delivery_reclaim(struct store *store, struct err *err)
{
    LOCKED *m = memory_enter(store);
    int n = 0;

    (void) err;
    for (size_t i = 0; i < m->n_deliveries; i++)
        if (m->deliveries[i].delivery.state == DELIVERY_SENDING) {
            m->deliveries[i].delivery.state = DELIVERY_WAITING;
            n++;
        }
    return n;
}

int store_memory_delivery_next(struct store *store, int64_t *next_at, struct err *err)
{
    LOCKED *m = memory_enter(store);
    const struct memory_delivery *next = first(m);

    (void) err;
    *next_at = next ? next->delivery.next_at : 0;
    return 0;
}

int store_memory_delivery_list(struct store *store, const char *job_id,
                               struct store_deliveries *deliveries, struct err *err)
{
    AUTO_STORE_DELIVERIES struct store_deliveries found = { 0 };
    LOCKED *m = memory_enter(store);

    for (size_t i = 0; i < m->n_deliveries; i++)
        if (strcmp(m->deliveries[i].delivery.job_id, job_id) == 0 &&
            append(&found, &m->deliveries[i].delivery, err) < 0)
            return -1;
    *deliveries = found;
    found = (struct store_deliveries){ 0 };
    return 0;
}

static bool is_on_page(const struct delivery *d, int64_t key_id,
                       const struct store_delivery_page *page)
{
    return d->key_id == key_id && (!page->before || strcmp(d->id, page->before) < 0) &&
           (1 << d->state & store_delivery_states_of(page->status)) != 0;
}

static int newest_first(const void *a, const void *b)
{
    return strcmp(((const struct delivery *) b)->id, ((const struct delivery *) a)->id);
}

int store_memory_delivery_page(struct store *store, int64_t key_id,
                               const struct store_delivery_page *page,
                               struct store_deliveries *deliveries, struct err *err)
{
    AUTO_STORE_DELIVERIES struct store_deliveries found = { 0 };
    LOCKED *m = memory_enter(store);

    for (size_t i = 0; i < m->n_deliveries; i++)
        if (is_on_page(&m->deliveries[i].delivery, key_id, page) &&
            append(&found, &m->deliveries[i].delivery, err) < 0)
            return -1;
    if (found.n)
        qsort(found.list, found.n, sizeof *found.list, newest_first);
    while (found.n > page->limit)
        delivery_free(&found.list[--found.n]);
    for (size_t i = 0; i < found.n; i++) {
        const struct job *job = &memory_find(m, found.list[i].job_id)->job;

        found.list[i].job_state = job->state;
        found.list[i].job_expires_at = job->expires_at;
    }
    *deliveries = found;
    found = (struct store_deliveries){ 0 };
    return 0;
}

int store_memory_delivery_again(struct store *store, const char *job_id, const char *id,
                                int64_t now, struct err *err)
{
    LOCKED *m = memory_enter(store);
    struct memory_delivery *d = find(m, id);

    (void) err;
    if (!d || strcmp(d->delivery.job_id, job_id) != 0)
        return 0;
    if (d->delivery.state != DELIVERY_SENDING) {
        d->unreachable = is_unreachable(m, d->delivery.key_id, d->host);
        d->delivery.state = DELIVERY_WAITING;
        d->delivery.tries = 0;
        d->delivery.since = d->delivery.next_at = now;
    }
    return 1;
}

int store_memory_secret_list(struct store *store, int64_t key_id, int64_t now,
                             struct store_secret secrets[static STORE_SECRETS], size_t *n,
                             struct err *err)
{
    LOCKED *m = memory_enter(store);

    (void) err;
    *n = 0;
    for (size_t i = m->n_secrets; i-- > 0 && *n < STORE_SECRETS;) {
        const struct memory_secret *s = &m->secrets[i];

        if (s->account == key_id && (s->secret.valid_until == 0 || s->secret.valid_until > now))
            secrets[(*n)++] = s->secret;
    }
    return 0;
}

int store_memory_secret_add(struct store *store, int64_t key_id, const char *text, int64_t now,
                            int64_t old_until, struct err *err)
{
    LOCKED *m = memory_enter(store);
    struct memory_secret *list;

    if (key_id < 1 || key_id > m->n_accounts)
        return err_set(err, ERR_NOT_FOUND, "there is no such account");
    if (!(list = memory_room(m->secrets, m->n_secrets, sizeof *list, err)))
        return -1;
    m->secrets = list;
    for (size_t i = 0; i < m->n_secrets; i++)
        if (list[i].account == key_id)
            list[i].secret.valid_until = store_earlier(list[i].secret.valid_until, old_until);
    list[m->n_secrets] = (struct memory_secret){ key_id, { .created_at = now } };
    snprintf(list[m->n_secrets++].secret.text, STORE_SECRET, "%s", text);
    return 0;
}
