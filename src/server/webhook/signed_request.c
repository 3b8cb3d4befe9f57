#include "server/webhook/signed_request.h"

#include <inttypes.h>
#include <string.h>

#include "server/webhook/signature.h"

int signed_request_secrets(struct store *store, int64_t key_id, int64_t now,
                           struct store_secret secrets[static STORE_SECRETS], size_t *n,
                           struct err *err)
{
    char text[STORE_SECRET];

    if (store_secret_list(store, key_id, now, secrets, n, err) < 0)
        return -1;
    if (*n > 0)
        return 0;
    signature_secret(text);
    /* Another process may add one at the same time: then both sign. */
    if (store_secret_add(store, key_id, text, now, INT64_MAX, err) < 0)
        return -1;
    return store_secret_list(store, key_id, now, secrets, n, err);
}

static int put_headers(const struct signed_request_config *config, const struct delivery *delivery,
                       const struct job *job, int64_t now, const struct buf *body, struct buf *out,
                       struct err *err)
{
    struct store_secret secrets[STORE_SECRETS];
    size_t n = 0;
    int done;

    buf_printf(out,
               "Content-Type: application/json\nAccept: */*\nwebhook-id: %s\n"
               "webhook-timestamp: %" PRId64 "\nPlaten-Event: job.%s\nwebhook-signature: ",
               delivery->id, now / 1000, job_status(job->state));
    if (signed_request_secrets(config->store, delivery->key_id, now, secrets, &n, err) < 0)
        return -1;
    done = signature_put(secrets, n, delivery->id, now / 1000, body, out, err);
    explicit_bzero(secrets, sizeof secrets);
    return done;
}

int signed_request_write(const struct signed_request_config *config,
                         const struct delivery *delivery, uint64_t ticket, int64_t now,
                         struct buf *out, struct err *err)
{
    AUTO_BUF struct buf body = BUF_EMPTY, headers = BUF_EMPTY;
    AUTO_JOB struct job job = { 0 };
    int found = store_find(config->store, delivery->job_id, &job, err);

    if (found < 1)
        return found;
    if (job.state != JOB_COMPLETED && job.state != JOB_FAILED)
        return 0; /* expired just now */
    if (config->body(config->arg, &job, &body, err) < 0 ||
        put_headers(config, delivery, &job, now, &body, &headers, err) < 0)
        return -1;
    const struct webhook_request request = { .ticket = ticket,
                                             .url = delivery->url,
                                             .headers = buf_text(&headers),
                                             .body = buf_text(&body),
                                             .body_bytes = body.len };
    return webhook_request_pack(&request, out, err) < 0 ? -1 : 1;
}
