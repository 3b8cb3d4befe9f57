#include "server/api_submit/address_fetch.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "declare/tool/pipeline.h"
#include "server/api_call/visitors.h"
#include "server/api_submit/remote_fields.h"
#include "server/dispatch/fetch_result.h"
#include "server/webhook/file_client.h"

#define AT_ONCE    32 /* files, of all accounts */
#define OF_ACCOUNT 4
#define REQUESTS   6     /* that a file takes with its redirects at most */
#define SPARE_MS   10000 /* time that is allowed in addition to a request's own timeout */
#define LOOK_MS    200

static struct {
    pthread_mutex_t lock; /* guards what follows */
    int64_t accounts[AT_ONCE];
    size_t n;
} fetching = { .lock = PTHREAD_MUTEX_INITIALIZER };

int address_fetch_begin(int64_t account, struct err *err)
{
    size_t own = 0, all;

    pthread_mutex_lock(&fetching.lock);
    all = fetching.n;
    for (size_t i = 0; i < all; i++)
        own += fetching.accounts[i] == account;
    if (own < OF_ACCOUNT && all < AT_ONCE)
        fetching.accounts[fetching.n++] = account;
    pthread_mutex_unlock(&fetching.lock);
    if (own >= OF_ACCOUNT)
        return err_set(err, ERR_TOO_MANY_UPLOADS,
                       "%d files are being fetched for this account: wait for one of them",
                       OF_ACCOUNT);
    if (all >= AT_ONCE)
        return err_set(err, ERR_OVERLOADED, "too many files are being fetched; try again later");
    return 0;
}

void address_fetch_end(int64_t account)
{
    pthread_mutex_lock(&fetching.lock);
    for (size_t i = 0; i < fetching.n; i++) {
        if (fetching.accounts[i] == account) {
            fetching.accounts[i] = fetching.accounts[--fetching.n];
            break;
        }
    }
    pthread_mutex_unlock(&fetching.lock);
}

bool address_fetch_is_asked(const json_t *form)
{
    return json_object_get(form, "fileUrl") != NULL;
}

/* What the form has, as the fields of a submission would have it. */
static int read_address_fields(struct remote_fields *fields, struct documents *documents,
                               const struct remote_terms *terms, const json_t *form,
                               struct err *err)
{
    static const char *const names[] = { "fileUrl", "fileDigest", "fileHeaders" };

    for (size_t i = 0; i < COUNT(names); i++) {
        const json_t *value = json_object_get(form, names[i]);
        AUTO_FREE char *dumped = json_is_object(value) ? json_dumps(value, JSON_COMPACT) : NULL;
        const char *text = dumped ? dumped : json_string_value(value);

        if (value && !text)
            return err_field(err, i ? ERR_INVALID_FILE_HEADERS : ERR_INVALID_FILE_URL, names[i],
                             "%s must be a text%s", names[i], i == 2 ? " or an object" : "");
        if (text &&
            remote_fields_read(fields, documents, terms, names[i], text, strlen(text), err) < 0)
            return -1;
    }
    return remote_fields_finish(fields, err);
}

static int await_file(struct api *api, struct file_client *client, int64_t until,
                      struct webhook_response *response, struct err *err)
{
    struct pollfd ready = { .fd = file_client_fd(client), .events = POLLIN };
    int got;

    while ((got = file_client_receive(client, response, err)) == 0) {
        if (atomic_load(&api->draining))
            return err_set(err, ERR_SHUTTING_DOWN,
                           "the server is about to stop; try again shortly");
        if (clock_mono_ms() > until)
            return err_set(err, ERR_UNAVAILABLE, "the file did not come in time");
        poll(&ready, 1, LOOK_MS);
    }
    return got < 0 ? -1 : 0;
}

static int ask_host(struct api *api, const struct config *config, const struct remote_file *file,
                    int64_t max_bytes, int fd, struct webhook_response *response, struct err *err)
{
    const struct webhook_terms terms = { .http = config->fetch_http,
                                         .timeout_ms = config->fetch_timeout,
                                         .allowed = config->allow_fetch.text,
                                         .ca = config->fetch_ca };
    struct webhook_request request = {
        .max_bytes = max_bytes, .url = file->url, .headers = file->headers, .body = ""
    };
    int64_t until = clock_mono_ms() + config->fetch_timeout * REQUESTS + SPARE_MS;
    char path[PATH_MAX];
    struct file_client client = FILE_CLIENT(path);
    int done = -1;

    if (file_client_path(config->programs, path, sizeof path, err) == 0 &&
        file_client_ask(&client, &terms, 0, &request, fd, err) == 0)
        done = await_file(api, &client, until, response, err);
    file_client_end(&client);
    return done;
}

/* The client hears of it at once, and not as the end of a job. */
static int as_refusal(struct err *err)
{
    if (err->code == ERR_FETCH_FAILED)
        err->code =
            strcmp(err->field, "fileDigest") == 0 ? ERR_INVALID_FILE_DIGEST : ERR_INVALID_FILE_URL;
    return -1;
}

int address_fetch(struct api *api, const struct call *call, const json_t *form, int64_t max_bytes,
                  struct address_file *out, struct err *err)
{
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    const struct remote_terms terms = { config, &pipeline_tool, visitors_is(&call->key) };
    struct documents documents = { 0 };
    struct remote_fields fields = { 0 };
    struct webhook_response response = { 0 };
    int done = read_address_fields(&fields, &documents, &terms, form, err);

    out->fd = done < 0 ? -1 : blob_stage(api->blobs, err);
    if (out->fd >= 0) {
        const struct remote_file file = { .url = documents.more[0].url,
                                          .headers = fields.headers ? fields.headers : "",
                                          .sha256 = fields.n_digests ? fields.digests[0] : "" };

        done = ask_host(api, config, &file, max_bytes, out->fd, &response, err);
        if (done == 0 && (fetch_result_check(&response, &file, err) < 0 ||
                          fetch_result_examine(out->fd, response.bytes, &file, NULL, err) < 0))
            done = as_refusal(err);
        out->bytes = response.bytes;
        snprintf(out->name, sizeof out->name, "%s", documents.files[0].name);
        log_info("upload.fetched", KV("end", response.end), KV("status", response.http_status),
                 KV("bytes", response.bytes), KV("ms", response.duration_ms),
                 KV("forbidden", response.forbidden ? "yes" : "no"));
    }
    if (done < 0 || out->fd < 0) {
        scope_close(&out->fd);
        out->fd = -1;
    }
    remote_fields_free(&fields);
    documents_free(&documents);
    return out->fd < 0 ? -1 : 0;
}
