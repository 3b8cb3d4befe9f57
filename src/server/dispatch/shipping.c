#include "server/dispatch/shipping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "data/blob/blob_name.h"
#include "server/dispatch/result.h"

#define PLAN_BYTES ((size_t) 8 << 20)

void shipping_free(struct shipping_plan *plan)
{
    json_decref(plan->json);
    free(plan->urls);
    *plan = (struct shipping_plan){ 0 };
}

char *shipping_write(const struct shipping_plan *plan)
{
    json_t *list = json_array(), *object;
    char *text;

    for (size_t i = 0; i < plan->n; i++)
        json_array_append_new(list, json_string(plan->urls[i]));
    object = json_pack("{so sb ss}", "urls", list, "parts", plan->parts, "headers", plan->headers);
    text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

static int read_plan(struct shipping_plan *plan, struct err *err)
{
    json_t *list = NULL, *url;
    int parts = 0;
    size_t i;

    if (!plan->json || json_unpack(plan->json, "{so sb ss}", "urls", &list, "parts", &parts,
                                   "headers", &plan->headers) < 0)
        return err_set(err, ERR_INTERNAL, "the addresses for the job's result cannot be read");
    plan->parts = parts;
    plan->urls = calloc(json_array_size(list) + 1, sizeof *plan->urls);
    if (!plan->urls)
        return err_sys(err, "addresses");
    json_array_foreach(list, i, url)
    {
        plan->urls[plan->n] = json_string_value(url);
        if (!plan->urls[plan->n++])
            return err_set(err, ERR_INTERNAL, "the addresses for the job's result cannot be read");
    }
    return 0;
}

int shipping_read(struct blob_store *blobs, const char *job_id, struct shipping_plan *plan,
                  struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_CLOSE int fd = -1;
    int64_t bytes;

    *plan = (struct shipping_plan){ 0 };
    fd = blob_open(blobs, job_id, BLOB_NAME_ADDRESSES, PLAN_BYTES, &bytes, err);
    if (fd < 0 || fdio_read_all(fd, PLAN_BYTES, &text, err) < 0)
        return -1;
    plan->json = json_loads(buf_text(&text), 0, NULL);
    explicit_bzero(text.data, text.len);
    return read_plan(plan, err);
}

bool shipping_is_wanted(const struct job *job)
{
    /* No value can contain this: its quotation marks would be escaped. */
    return job->params_json && strstr(job->params_json, "\"" SHIPPING_MARK "\":");
}

/* One part more or less than addresses does not stop the others. */
static void check_part(struct store_shipment *s, size_t i, size_t parts, size_t addresses)
{
    if (i < addresses)
        return;
    s->state = SHIPMENT_FAILED;
    s->next_at = 0;
    snprintf(s->error, sizeof s->error,
             "outputUrls has %zu addresses and the result %zu parts: part %zu was not sent",
             addresses, parts, i + 1);
}

int shipping_prepare(struct store *store, struct blob_store *blobs, const struct job *job,
                     const char *outputs_json, int64_t now, struct err *err)
{
    AUTO_SHIPPING struct shipping_plan plan = { 0 };
    AUTO_SHIPMENTS struct store_shipments put = { 0 };
    json_t *outputs;
    size_t n;

    if (!shipping_is_wanted(job))
        return 0;
    if (shipping_read(blobs, job->id, &plan, err) < 0)
        return -1;
    outputs = json_loads(outputs_json, 0, NULL);
    n = plan.parts ? json_array_size(outputs) : 1;
    json_decref(outputs);
    for (size_t i = 0; i < n; i++) {
        struct store_shipment one = { .key_id = job->key_id,
                                      .part = plan.parts ? (int32_t) i : STORE_SHIPMENT_WHOLE,
                                      .created_at = now,
                                      .next_at = now };

        id_new(one.id);
        memcpy(one.job_id, job->id, ID_TEXT);
        check_part(&one, i, n, plan.n);
        if (one.state == SHIPMENT_WAITING)
            delivery_host(plan.urls[i], one.host);
        if (store_shipments_add(&put, &one, err) < 0)
            return -1;
    }
    return store_shipment_put(store, &put, err);
}
