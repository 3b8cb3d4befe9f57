/* The contract of results that are sent to addresses. */
#include <stdio.h>
#include <string.h>

#include "data/store/store_shipments.h"
#include "store_contract.h"
#include "tap.h"

static char hook[] = "https://hook.example/a";

/* A running job, with or without a webhook, and n shipments of it. */
static void prepare(struct store *store, int64_t account, size_t n, char *callback,
                    char id[static ID_TEXT])
{
    AUTO_SHIPMENTS struct store_shipments put = { 0 };
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    struct store_receipt receipt;
    struct err err;

    job.callback_url = callback;
    store_put(store, &job, &terms, &receipt, &err);
    contract_claim(store, id);
    for (size_t i = 0; i < n; i++) {
        struct store_shipment one = { .key_id = account,
                                      .part = n == 1 ? STORE_SHIPMENT_WHOLE : (int32_t) i,
                                      .host = "https://bucket.example",
                                      .created_at = NOW,
                                      .next_at = NOW + 1000 };

        id_new(one.id);
        memcpy(one.job_id, id, ID_TEXT);
        store_shipments_add(&put, &one, &err);
    }
    is_int(store_shipment_put(store, &put, &err), 0, "shipments of a job are added");
}

static void complete(struct store *store, const char *id)
{
    struct store_end end = contract_completed();
    struct err err;

    is_int(store_finish(store, id, 1, &end, &err), 1, "the job is completed");
}

static int claim(struct store *store, int64_t now, struct store_shipment *out)
{
    struct err err;

    return store_shipment_claim(store, now, now + LEASE, out, &err);
}

static int settle(struct store *store, struct store_shipment *s, enum shipment_state state,
                  int64_t next_at)
{
    struct err err;

    s->state = state;
    s->next_at = next_at;
    s->last_at = NOW + 2000;
    s->duration_ms = 30;
    s->http_status = state == SHIPMENT_DONE ? 200 : 503;
    snprintf(s->error, sizeof s->error, "%s", state == SHIPMENT_DONE ? "" : "It did not work.");
    return store_shipment_settle(store, s, NOW + 2000, &err);
}

static const char *status(struct store *store, const char *id)
{
    AUTO_SHIPMENTS struct store_shipments all = { 0 };
    struct err err;

    return store_shipment_list(store, id, &all, &err) < 0 ? "error" : store_shipments_status(&all);
}

static void test_life(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store), next = -1;
    AUTO_SHIPMENTS struct store_shipments all = { 0 };
    struct store_shipment first, second, stale;
    char id[ID_TEXT];
    struct err err;

    prepare(store, account, 2, NULL, id);
    is_int(claim(store, NOW + 5000, &first), 0, "nothing is sent before the job is completed");
    complete(store, id);
    is_int(claim(store, NOW + 999, &first), 0, "nothing is sent before it is due");
    is_int(claim(store, NOW + 1000, &first), 1, "a shipment of a completed job is claimed");
    is_int(claim(store, NOW + 1000, &second), 1, "so is the other one");
    is_int(claim(store, NOW + 1000, &stale), 0, "and each once");
    is_str(first.host, "https://bucket.example", "it has its host");
    is_int(first.attempts, 1, "a claim is an attempt");
    is_str(status(store, id), "pending", "what is being sent is pending");
    is_int(settle(store, &first, SHIPMENT_DONE, 0), 1, "one is done");
    is_int(store_shipment_renew(store, &first, NOW + LEASE, &err), 0, "it is not renewed then");
    is_int(store_shipment_renew(store, &second, NOW + LEASE + 9000, &err), 1, "another is");
    is_int(claim(store, NOW + LEASE + 8999, &stale), 0, "and stays claimed as long");
    stale = second;
    is_int(claim(store, NOW + LEASE + 9000, &second), 1, "a claim that ended is claimed again");
    is_int(settle(store, &stale, SHIPMENT_DONE, 0), 0, "and who had it can do nothing");
    is_int(settle(store, &second, SHIPMENT_WAITING, NOW + 90000), 1, "one waits again");
    is_int(store_shipment_next(store, &next, &err), 0, "the store says when the next is due");
    is_int(next, NOW + 90000, "which is that one");
    is_str(status(store, id), "pending", "one that waits again is pending");
    is_int(claim(store, NOW + 90000, &second), 1, "it is claimed when it is due");
    is_int(settle(store, &second, SHIPMENT_FAILED, 0), 1, "one has failed");
    is_str(status(store, id), "failed", "a job of which one has failed has failed");
    is_int(store_shipment_next(store, &next, &err), 0, "afterwards none waits");
    is_int(next, 0, "at any time");
    store_shipment_list(store, id, &all, &err);
    is_int((long long) all.n, 2, "a job's shipments are listed");
    ok(all.n == 2 && all.list[0].part == 0 && all.list[1].part == 1, "in the order of their parts");
    ok(all.n == 2 && all.list[1].http_status == 503 && all.list[1].attempts == 3 &&
           strcmp(all.list[1].error, "It did not work.") == 0,
       "with the result of the last attempt");
}

static void test_gone(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    struct store_jobs expired = { 0 };
    struct store_shipment s;
    struct job removed = { 0 };
    char id[ID_TEXT], again[ID_TEXT];
    struct err err;

    prepare(store, account, 1, NULL, id);
    complete(store, id);
    claim(store, NOW + 1000, &s);
    is_int(store_remove(store, id, account, &removed, &err), 1, "a job is deleted");
    job_free(&removed);
    is_int(settle(store, &s, SHIPMENT_DONE, 0), 0, "its shipments go with it");
    prepare(store, account, 1, NULL, again);
    complete(store, again);
    is_int(store_expire(store, NOW + 9000, 10, &expired, &err), 0, "a job expires");
    store_jobs_free(&expired);
    is_int(claim(store, NOW + 9000, &s), 0, "so do its shipments");
}

static int64_t webhook(struct store *store, const char *id, char delivery[static ID_TEXT])
{
    AUTO_STORE_DELIVERIES struct store_deliveries all = { 0 };
    struct err err;

    if (store_delivery_list(store, id, &all, &err) < 0 || all.n != 1)
        return -1;
    memcpy(delivery, all.list[0].id, ID_TEXT);
    return all.list[0].state == DELIVERY_WAITING ? all.list[0].next_at : 0;
}

static void test_webhook(void)
{
    STORE *store = contract_open();
    int64_t account = contract_account(store);
    AUTO_STORE_DELIVERIES struct store_deliveries due = { 0 };
    struct store_shipment s;
    char id[ID_TEXT], delivery[ID_TEXT], later[ID_TEXT];
    struct err err;

    prepare(store, account, 1, hook, id);
    complete(store, id);
    is_int(webhook(store, id, delivery), NOW + 1000 + STORE_SHIPMENT_HOLD_MS,
           "a webhook waits for the end of what is sent");
    claim(store, NOW + 1000, &s);
    is_int(settle(store, &s, SHIPMENT_DONE, 0), 1, "that ends");
    is_int(webhook(store, id, later), NOW + 2000, "then it is due");
    is_str(later, delivery, "and is the same");

    prepare(store, account, 1, hook, id);
    complete(store, id);
    claim(store, NOW + 1000, &s);
    webhook(store, id, delivery);
    store_delivery_claim(store, NOW + 1000 + STORE_SHIPMENT_HOLD_MS, 10, &due, &err);
    is_int((long long) due.n, 2, "it is sent if that takes long");
    is_int(settle(store, &s, SHIPMENT_FAILED, 0), 1, "that ends while it is being sent");
    is_int(webhook(store, id, later), NOW + 2000, "another one is due");
    ok(strcmp(later, delivery) != 0, "which has an id of its own");
    store_deliveries_free(&due);
    store_delivery_claim(store, NOW + 2000, 10, &due, &err);
    is_int((long long) due.n, 1, "and is sent");

    prepare(store, account, 1, hook, id);
    struct store_end end = contract_failed(ERR_CORRUPT_FILE);
    is_int(store_finish(store, id, 1, &end, &err), 1, "a job fails whose result was to be sent");
    is_int(webhook(store, id, delivery), NOW + 1000, "its webhook is due at once");
}

static void test_turns(void)
{
    STORE *store = contract_open();
    int64_t one = contract_account(store), other = contract_account(store);
    struct store_shipment s[STORE_SHIPMENT_WIDTH + 2];
    char id[ID_TEXT];
    size_t n = 0, of_other = 0;

    prepare(store, one, STORE_SHIPMENT_WIDTH + 3, NULL, id);
    complete(store, id);
    prepare(store, other, 1, NULL, id);
    complete(store, id);
    while (n < STORE_SHIPMENT_WIDTH + 2 && claim(store, NOW + 3000, &s[n]) == 1)
        of_other += s[n++].key_id == other;
    is_int((long long) n, STORE_SHIPMENT_WIDTH + 1,
           "an account sends STORE_SHIPMENT_WIDTH at once");
    is_int((long long) of_other, 1, "and others besides it");
    ok(s[0].key_id == other || s[1].key_id == other, "which do not wait for it");
}

void store_contract_shipments(void)
{
    test_life();
    test_gone();
    test_webhook();
    test_turns();
}
