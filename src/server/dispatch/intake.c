#include "server/dispatch/intake.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "data/blob/blob_name.h"
#include "declare/tool_run/run.h"
#include "server/dispatch/remote.h"
#include "server/dispatch/result.h"
#include "server/dispatch/shipping.h"

/* The parameters that are secrets, or those that are not, as a JSON object's text. */
static char *params_json(const struct intake_order *order, bool secrets)
{
    json_t *object = json_object();
    char *text;

    for (size_t i = 0; i < order->n_params; i++)
        if (order->secret[i] == secrets && !order->params[i].file)
            json_object_set_new(
                object, order->params[i].name,
                json_stringn_nocheck(order->params[i].value, strlen(order->params[i].value)));
    if (order->addresses && !secrets)
        json_object_set_new(object, SHIPPING_MARK, json_string("1"));
    if (order->test && !secrets)
        json_object_set_new(object, INTAKE_TEST, json_string(order->test));
    text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

/* Documents, then files given for parameters: of those no name is kept. */
static char *inputs_json(const struct intake_order *order)
{
    json_t *array = json_array();
    char *text;

    for (size_t i = 0; i < order->n_files; i++)
        json_array_append_new(array, order->files[i].remote
                                         ? remote_waiting_input(order->files[i].name)
                                         : json_pack("{ss sI}", "name", order->files[i].name,
                                                     "bytes", (json_int_t) order->files[i].bytes));
    for (size_t i = 0; i < order->n_params; i++)
        if (order->params[i].file)
            json_array_append_new(array,
                                  json_pack("{ss sI}", "param", order->params[i].name, "bytes",
                                            (json_int_t) order->params[i].file->bytes));
    text = json_dumps(array, JSON_COMPACT);
    json_decref(array);
    return text;
}

static bool has_secret(const struct intake_order *order)
{
    for (size_t i = 0; i < order->n_params; i++)
        if (order->secret[i])
            return true;
    return order->addresses != NULL;
}

/* -1 on failure. */
static int stage_text(struct blob_store *blobs, const char *text, struct err *err)
{
    AUTO_CLOSE int fd = blob_stage(blobs, err);

    if (fd < 0)
        return -1;
    if (!text)
        return err_set(err, ERR_INTERNAL, "out of memory");
    if (fdio_write(fd, text, strlen(text), err) < 0)
        return -1;
    return scope_take_fd(&fd);
}

/* Secrets live in a file of their own, which goes when the job ends: the database never held
 * them. -1 if that failed. */
static int stage_secrets(struct blob_store *blobs, const struct intake_order *order,
                         struct err *err)
{
    AUTO_FREE char *text = params_json(order, true);

    return stage_text(blobs, text, err);
}

static int publish(struct blob_store *blobs, const struct intake_order *order, struct err *err)
{
    AUTO_FREE struct blob_item *items = calloc(order->n_files + order->n_params + 2, sizeof *items);
    AUTO_CLOSE int secrets = -1, addresses = -1;
    size_t n = 0, input = 0;

    if (!items)
        return err_sys(err, "intake");
    for (; input < order->n_files; input++) {
        if (order->files[input].remote)
            continue;
        items[n].fd = order->files[input].fd;
        blob_name_input(input, items[n++].name);
    }
    for (size_t i = 0; i < order->n_params; i++) {
        if (!order->params[i].file)
            continue;
        items[n].fd = order->params[i].file->fd;
        blob_name_input(input++, items[n++].name);
    }
    if (has_secret(order)) {
        secrets = stage_secrets(blobs, order, err);
        if (secrets < 0)
            return -1;
        items[n++] = (struct blob_item){ secrets, BLOB_NAME_SECRETS };
    }
    if (order->addresses) {
        addresses = stage_text(blobs, order->addresses, err);
        if (addresses < 0)
            return -1;
        items[n++] = (struct blob_item){ addresses, BLOB_NAME_ADDRESSES };
    }
    return blob_publish(blobs, order->job_id, items, n, err);
}

/* All inputs of a small job, in the order of its blobs. */
static int gather(const struct intake_order *order, struct buf *out, struct err *err)
{
    for (size_t i = 0; i < order->n_files; i++)
        if (fdio_read_first(order->files[i].fd, (size_t) order->files[i].bytes, out, err) < 0)
            return -1;
    for (size_t i = 0; i < order->n_params; i++) {
        const struct tool_input *file = order->params[i].file;

        if (file && fdio_read_first(file->fd, (size_t) file->bytes, out, err) < 0)
            return -1;
    }
    return 0;
}

static bool keep_copy(char **to, const char *from)
{
    *to = from ? strdup(from) : NULL;
    return *to || !from;
}

static int describe(const struct intake_order *order, struct job *job, struct err *err)
{
    snprintf(job->id, sizeof job->id, "%s", order->job_id);
    snprintf(job->tool, sizeof job->tool, "%s", order->tool);
    job->key_id = order->key_id;
    job->stem = strdup(order->stem);
    if (!keep_copy(&job->client_ref, order->client_ref) ||
        !keep_copy(&job->callback_url, order->callback_url) ||
        !keep_copy(&job->callback_base, order->callback_base))
        return err_set(err, ERR_INTERNAL, "out of memory");
    job->params_json = params_json(order, false);
    job->inputs_json = inputs_json(order);
    job->n_inputs = (int32_t) order->n_files;
    job->has_secret = has_secret(order);
    for (size_t i = 0; i < order->n_files; i++)
        job->input_bytes += order->files[i].bytes;
    for (size_t i = 0; i < order->n_params; i++) {
        if (!order->params[i].file)
            continue;
        job->input_bytes += order->params[i].file->bytes;
        job->n_inputs++;
    }
    job->reused_bytes = order->reused_bytes;
    job->retention_ms = order->retention_ms;
    if (order->pace)
        job->cost_ms = pace_expect(order->pace, order->tool, job->input_bytes);
    if (order->is_long && job->cost_ms < STORE_LONG_MS)
        job->cost_ms = STORE_LONG_MS;
    job->created_at = clock_wall_ms();
    job->run_at = job->created_at + order->delay_ms;
    if (!job->stem || !job->params_json || !job->inputs_json)
        return err_set(err, ERR_INTERNAL, "out of memory");
    return 0;
}

/* The store does not always know why it could not write. Whether the disk takes a file tells. */
static void explain(struct blob_store *blobs, struct err *err)
{
    AUTO_CLOSE int fd = -1;
    struct err why;

    if (err->code != ERR_INTERNAL)
        return;
    fd = blob_stage(blobs, &why);
    if (fd < 0 && why.code == ERR_STORAGE_FULL)
        *err = why;
}

/* A server of a database that was lost in a commit may have made the job all the same, and another
 * may do it. Its files stay then: they are orphans if there is no such job
 * (server/dispatch/janitor.h). */
static bool is_in_doubt(const struct store *store, const struct err *err)
{
    return store_is_shared(store) && (err->code == ERR_UNAVAILABLE || err->code == ERR_OVERLOADED);
}

int intake_submit(struct store *store, struct blob_store *blobs, const struct intake_order *order,
                  const struct store_terms *terms, struct store_receipt *receipt, struct err *err)
{
    AUTO_JOB struct job job = { 0 };
    AUTO_BUF struct buf small = BUF_EMPTY;
    struct store_terms complete = *terms;
    int done;

    if (describe(order, &job, err) < 0)
        return -1;
    /* Of a job with secrets nothing but its description is ever in the store. */
    if (!job.has_secret && job.input_bytes > 0 && job.input_bytes <= (int64_t) STORE_SMALL) {
        if (gather(order, &small, err) < 0)
            return -1;
        complete.inputs = small.data;
    } else if (publish(blobs, order, err) < 0) {
        return -1;
    }
    done = store_put(store, &job, &complete, receipt, err);
    if (done < 0)
        explain(blobs, err);
    if (!complete.inputs && (done < 0 ? !is_in_doubt(store, err) : receipt->replayed))
        intake_discard(blobs, &job, false);
    return done;
}

void intake_discard(struct blob_store *blobs, const struct job *job, bool keep_result)
{
    char name[BLOB_NAME];

    for (int32_t i = 0; i < job->n_inputs && !(job->in_store & JOB_HAS_INPUTS); i++) {
        blob_name_input((size_t) i, name);
        blob_remove(blobs, job->id, name);
    }
    if (job->has_secret)
        blob_remove(blobs, job->id, BLOB_NAME_SECRETS);
    if (job->has_secret && !keep_result)
        blob_remove(blobs, job->id, BLOB_NAME_ADDRESSES);
    /* An attempt that was cut off after it published has left its result. */
    for (int32_t attempt = 1; attempt <= job->attempt; attempt++) {
        if (attempt == job->attempt && (keep_result || (job->in_store & JOB_HAS_RESULT)))
            break;
        blob_name_result(attempt, name);
        blob_remove(blobs, job->id, name);
    }
}
