#include "api_submit/upload.h"

#include <stdlib.h>
#include <string.h>

#include "api_submit/reference.h"
#include "api_submit/upload_parts.h"
#include "base/scope.h"
#include "worker/pipeline_run.h"

#define MAX_FIELD_BYTES ((size_t) 200 * 1024) /* an arrangement of 10,000 items fits */
#define MAX_HEADER      ((size_t) 16 * 1024)
#define LOOK_BYTES      1000000 /* how much of an upload comes between looks at the free space */

/* Parts that may be files, besides the tool's own. */
static size_t most_attachments(const struct tool *tool)
{
    return tool == &pipeline_tool ? UPLOAD_PARTS : tool->n_params;
}

int64_t upload_overhead(const struct tool *tool)
{
    size_t parts = UPLOAD_FIELDS + tool->max_files + most_attachments(tool) + 1;

    return (int64_t) (UPLOAD_FIELDS * MAX_FIELD_BYTES + parts * MAX_HEADER);
}

struct upload *upload_new(const struct tool *tool, const struct api *api, const struct call *call,
                          const char *boundary, bool fingerprint, struct err *err)
{
    const struct config *config = live_hold(api->settings);
    size_t attachments = most_attachments(tool);
    struct multipart_limits limits = { .max_fields = UPLOAD_FIELDS,
                                       .max_field_bytes = MAX_FIELD_BYTES,
                                       .max_files = tool->max_files + attachments,
                                       .max_file_bytes = config->max_file_size,
                                       .max_total_bytes = config->max_request_size,
                                       .max_header_bytes = MAX_HEADER };
    struct upload *upload = calloc(1, sizeof *upload);

    if (upload) {
        upload->attachments = calloc(attachments + 1, sizeof *upload->attachments);
        upload->multipart = multipart_new(boundary, &limits, &upload_events, upload);
    }
    if (!upload || !upload->attachments || !upload->multipart) {
        err_sys(err, "upload");
        if (upload)
            multipart_free(upload->multipart);
        if (upload)
            free(upload->attachments);
        free(upload);
        live_release(config);
        return NULL;
    }
    upload->tool = tool;
    upload->api = api;
    upload->config = config;
    upload->call = call;
    upload->fingerprint = fingerprint;
    return upload;
}

int upload_feed(struct upload *upload, const void *data, size_t n, struct err *err)
{
    /* Others fill the disk too, and a chunked upload does not say how long it is. */
    upload->since_look += (int64_t) n;
    if (upload->since_look >= LOOK_BYTES) {
        upload->since_look = 0;
        if (reference_room(upload->api->blobs, (int64_t) n, upload->config->min_free_space, err) <
            0)
            return -1;
    }
    return multipart_feed(upload->multipart, data, n, err);
}

/* The tool's own parameters, without those the server acts on. */
static size_t own_params(const struct upload *upload, struct param_input out[static UPLOAD_FIELDS])
{
    size_t n = 0;

    for (size_t i = 0; i < upload->n_params; i++)
        if (param_find(upload->tool->params, upload->tool->n_params, upload->params[i].name))
            out[n++] = upload->params[i];
    return n;
}

static int finish_tool(struct upload *upload, struct err *err)
{
    struct param_input own[UPLOAD_FIELDS];
    size_t n = own_params(upload, own);

    if ((!upload->missing &&
         tool_check_count(upload->tool, upload->documents.n, own, n, err) < 0) ||
        tool_check_params(upload->tool, own, n, err) < 0)
        return -1;
    return tool_check_stamped(upload->tool, own, n, *upload->config->timestamp_url, err);
}

/* Instead of what came in `steps`: canonical values, and the secrets apart from them. */
static int replace_steps(struct upload *upload, const char *text, struct err *err)
{
    const struct pipeline *pipeline = upload->pipeline;

    for (size_t i = 0; i < upload->n_params; i++) {
        if (strcmp(upload->params[i].name, pipeline_tool.params[0].name) == 0) {
            upload_free_value((char *) (uintptr_t) upload->params[i].value, true);
            upload->params[i].value = text;
        }
    }
    for (size_t i = 0; i < pipeline->n_secrets; i++) {
        char *value = strdup(pipeline->secrets[i].value);

        if (!value || upload->n_params == UPLOAD_FIELDS) {
            upload_free_value(value, true);
            return err_set(err, ERR_INVALID_REQUEST, "there are too many fields");
        }
        upload->secret[upload->n_params] = true;
        upload->params[upload->n_params++] =
            (struct param_input){ pipeline->secrets[i].name, value };
    }
    return 0;
}

static int finish_pipeline(struct upload *upload, struct err *err)
{
    struct param_input own[UPLOAD_FIELDS], files[UPLOAD_PARTS];
    size_t n = own_params(upload, own);
    char *text;

    if (tool_check_params(upload->tool, own, n, err) < 0)
        return -1;
    for (size_t i = 0; i < upload->n_attachments; i++)
        files[i] =
            (struct param_input){ upload->attachments[i].name, NULL, &upload->attachments[i].file };
    upload->pipeline =
        pipeline_run_plan(upload->api->catalog, own[0].value, files, upload->n_attachments,
                          *upload->config->timestamp_url, &text, err);
    if (!upload->pipeline || replace_steps(upload, text, err) < 0)
        return -1;
    if (upload->missing)
        return 0;
    if (pipeline_check_count(upload->pipeline, upload->documents.n, err) < 0)
        return -1;
    for (size_t i = 0; i < upload->documents.n; i++)
        if (documents_judge(&upload->documents, i, upload->pipeline->steps[0].tool, err) < 0)
            return -1;
    return 0;
}

int upload_finish(struct upload *upload, struct err *err)
{
    if (multipart_finish(upload->multipart, err) < 0)
        return -1;
    return upload_is_pipeline(upload) ? finish_pipeline(upload, err) : finish_tool(upload, err);
}

void upload_free(struct upload *upload)
{
    if (!upload)
        return;
    multipart_free(upload->multipart);
    documents_free(&upload->documents);
    submission_free(&upload->submission);
    attachments_close(upload->attachments, upload->n_attachments);
    free(upload->attachments);
    for (size_t i = 0; i < upload->n_params; i++)
        upload_free_value((char *) (uintptr_t) upload->params[i].value, upload->secret[i]);
    pipeline_free(upload->pipeline); /* after the parameters: it owns names of theirs */
    buf_free(&upload->value);
    live_release(upload->config);
    free(upload);
}

struct documents *upload_documents(struct upload *upload)
{
    return &upload->documents;
}

const struct err *upload_missing(const struct upload *upload)
{
    return upload->missing ? &upload->why_missing : NULL;
}

const struct pipeline *upload_pipeline(const struct upload *upload)
{
    return upload->pipeline;
}

const struct param_input *upload_params(const struct upload *upload, const bool **secret, size_t *n)
{
    *n = upload->n_params;
    *secret = upload->secret;
    return upload->params;
}

int64_t upload_bytes(const struct upload *upload)
{
    return documents_bytes(&upload->documents) +
           attachments_bytes(upload->attachments, upload->n_attachments);
}

int64_t upload_reused(const struct upload *upload)
{
    return documents_reused(&upload->documents) +
           attachments_reused(upload->attachments, upload->n_attachments);
}

int upload_fetch(struct upload *upload, struct err *err)
{
    struct blob_store *blobs = upload->api->blobs;
    int64_t min_free = upload->config->min_free_space;

    if (documents_fetch(&upload->documents, blobs, min_free, err) < 0)
        return -1;
    return attachments_fetch(upload->attachments, upload->n_attachments, blobs, min_free, err);
}

const char *upload_value(const struct upload *upload, const char *name)
{
    for (size_t i = 0; i < upload->n_params; i++)
        if (strcmp(upload->params[i].name, name) == 0)
            return upload->params[i].value;
    return NULL;
}

const struct submission_fields *upload_submission(const struct upload *upload)
{
    return &upload->submission;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct param_input *) a)->name, ((const struct param_input *) b)->name);
}

void upload_fingerprint(const struct upload *upload, char out[static DIGEST_TEXT])
{
    struct param_input sorted[UPLOAD_FIELDS];
    struct digest digest;

    memcpy(sorted, upload->params, sizeof sorted);
    qsort(sorted, upload->n_params, sizeof *sorted, by_name);
    digest_start(&digest);
    /* The NUL after each text keeps one from running into the next. */
    digest_add(&digest, upload->tool->name, strlen(upload->tool->name) + 1);
    for (size_t i = 0; i < upload->n_params; i++) {
        digest_add(&digest, sorted[i].name, strlen(sorted[i].name) + 1);
        if (sorted[i].file) /* the first member of its attachment */
            digest_add(&digest, ((const struct attachment *) sorted[i].file)->digest, DIGEST_TEXT);
        else
            digest_add(&digest, sorted[i].value, strlen(sorted[i].value) + 1);
    }
    submission_digest(&upload->submission, &digest);
    documents_digest(&upload->documents, &digest);
    digest_end(&digest, out);
}
