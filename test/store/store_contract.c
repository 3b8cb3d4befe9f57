#include "store_contract.h"

#include <stdlib.h>

#include "base/id.h"
#include "tap.h"

static struct store *(*open_fresh)(struct err *err);

void store_contract(struct store *(*fresh)(struct err *err))
{
    open_fresh = fresh;
    store_contract_put();
    store_contract_lease();
    store_contract_gone();
    store_contract_files();
    store_contract_keys();
    store_contract_hooks();
    store_contract_race();
    store_contract_turns();
    store_contract_uploads();
    store_contract_workflows();
    store_contract_sessions();
    store_contract_shipments();
}

struct store *contract_open(void)
{
    struct err err;
    struct store *store = open_fresh(&err);

    if (store)
        return store;
    printf("Bail out! %s\n", err.msg);
    exit(1);
}

int64_t contract_account(struct store *store)
{
    char text[KEY_TEXT];
    struct key key = { .name = "Anna", .plan = "pro", .created_at = NOW };
    struct err err;

    key_make(KEY_MANAGE, false, text);
    key_split(text, key.prefix, key.digest);
    if (store_key_add(store, &key, &err) == 0)
        return key.id;
    printf("Bail out! %s\n", err.msg);
    exit(1);
}

struct job contract_job(int64_t account)
{
    static char stem[] = "report", params[] = "{\"angle\":\"90\"}";
    static char inputs[] = "[{\"name\":\"report.pdf\",\"bytes\":100}]";
    struct job job = {
        .key_id = account,
        .tool = "rotate",
        .stem = stem,
        .params_json = params,
        .inputs_json = inputs,
        .n_inputs = 1,
        .input_bytes = 100,
        .created_at = NOW,
        .run_at = NOW,
    };

    id_new(job.id);
    return job;
}

struct store_terms contract_terms(void)
{
    return (struct store_terms){
        .month = MONTH,
        .max_requests = INT64_MAX,
        .max_bytes = INT64_MAX,
        .max_unfinished = INT64_MAX,
    };
}

const char *contract_put(struct store *store, int64_t account, char id[static ID_TEXT])
{
    struct job job = contract_job(account);
    struct store_terms terms = contract_terms();
    struct store_receipt receipt;
    struct err err;

    memcpy(id, job.id, ID_TEXT);
    if (store_put(store, &job, &terms, &receipt, &err) < 0)
        printf("# cannot put: %s\n", err.msg);
    return id;
}

int contract_refusal(struct store *store, const struct job *job, const struct store_terms *terms,
                     struct err *err)
{
    struct store_receipt receipt;

    *err = (struct err){ 0 };
    return store_put(store, job, terms, &receipt, err) < 0 ? (int) err->code : -1;
}

int32_t contract_claim(struct store *store, char id[static ID_TEXT])
{
    AUTO_JOB struct job job = { 0 };
    struct err err;

    if (store_claim(store, NOW, LEASE, NULL, &job, &err) != 1)
        return 0;
    memcpy(id, job.id, ID_TEXT);
    return job.attempt;
}

struct store_end contract_completed(void)
{
    return (struct store_end){
        .state = JOB_COMPLETED,
        .finished_at = NOW + 1000,
        .expires_at = NOW + 5000,
        .duration_ms = 900,
        .output_name = "report-rotate.pdf",
        .outputs_json = "[{\"pages\":3}]",
        .warnings_json = "[]",
        .output_bytes = 77,
        .code = ERR_CORRUPT_FILE,
        .message = "not to be stored",
        .field = "nor this",
    };
}

struct store_end contract_failed(enum err_code code)
{
    struct store_end end = contract_completed();

    end.state = JOB_FAILED;
    end.code = code;
    end.message = "It did not work.";
    end.field = "pages";
    return end;
}

int contract_state(struct store *store, const char *id)
{
    AUTO_JOB struct job job = { 0 };
    struct err err;

    return store_find(store, id, &job, &err) == 1 ? (int) job.state : -1;
}

struct usage contract_usage(struct store *store, int64_t account, int64_t month)
{
    struct usage usage = { -1, -1 };
    struct err err;

    store_usage(store, account, month, &usage, &err);
    return usage;
}

const char *contract_depth(struct store *store)
{
    static char text[48];
    int64_t pending = -1, running = -1;
    struct err err;

    store_depth(store, &pending, &running, &err);
    snprintf(text, sizeof text, "%lld/%lld", (long long) pending, (long long) running);
    return text;
}
