#include "server/api_submit/upload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/tool/rule.h"
#include "declare/tool_run/run.h"
#include "declare/value/text.h"
#include "sandbox/worker/pipeline_run.h"
#include "server/api_call/scope.h"
#include "server/api_call/visitors.h"
#include "server/api_submit/job_fields.h"
#include "server/api_submit/key_form.h"
#include "server/api_submit/page_address.h"
#include "server/api_submit/reference.h"
#include "server/api_submit/retention.h"
#include "server/api_submit/test_outcome.h"
#include "server/dispatch/remote.h"
#include "server/dispatch/result.h"
#include "server/multipart/multipart.h"

#define MAX_FIELD_BYTES ((size_t) 200 * 1024) /* an arrangement of 10,000 items fits */
#define MAX_HEADER      ((size_t) 16 * 1024)
#define LOOK_BYTES      1000000 /* how much of an upload comes between looks at the free space */
#define UPLOAD_PARTS    10      /* limit of files that are parameters of a pipeline's steps */

struct upload {
    const struct tool *tool;
    const struct api *api;
    const struct config *config; /* held: the settings when the upload began */
    const struct call *call;
    struct pipeline *pipeline; /* the steps, once all have arrived */
    struct multipart *multipart;
    bool fingerprint;
    int64_t since_look; /* bytes that arrived since the free space was checked */

    /* The part that is being read: a document, a file for a parameter, or a value. */
    bool in_file, named;       /* in_file: it is a document; named: it has a file name */
    bool idle;                 /* a file without a name, of which nothing has arrived yet */
    const struct param *param; /* the parameter of such a file; else NULL */
    char field[64];
    struct buf value;
    unsigned char head[FILE_KIND_HEAD];
    size_t n_head;
    struct digest digest;

    struct documents documents;
    bool is_later; /* a named file is to be fetched over a network */
    bool missing;  /* a named file is gone */
    struct err why_missing;
    struct param_input params[UPLOAD_FIELDS];
    bool secret[UPLOAD_FIELDS];
    size_t n_params;
    struct job_fields fields;
    char stem[RESULT_NAME];         /* of the result's name, for upload_order */
    struct attachment *attachments; /* room for UPLOAD_PARTS, or one for each parameter */
    size_t n_attachments;
};

static bool is_pipeline(const struct upload *upload)
{
    return upload->tool == &pipeline_tool;
}

static void free_value(char *value, bool secret)
{
    if (value && secret)
        explicit_bzero(value, strlen(value));
    free(value);
}

int64_t upload_bytes(const struct upload *upload)
{
    return documents_bytes(&upload->documents) +
           attachment_list_bytes(upload->attachments, upload->n_attachments);
}

static const struct param *declared(const struct upload *upload, const char *name)
{
    const struct param *found = tool_server_param(name);

    return found ? found : param_find(upload->tool->params, upload->tool->n_params, name);
}

/* Notes a parameter that came; its value is the caller's. */
static int add_param(struct upload *upload, const struct param *param, struct param_input input,
                     struct err *err)
{
    for (size_t i = 0; i < upload->n_params; i++)
        if (strcmp(upload->params[i].name, param->name) == 0)
            return err_field(err, ERR_INVALID_PARAMETER, param->name, "%s is given twice",
                             param->name);
    if (upload->n_params == UPLOAD_FIELDS)
        return err_set(err, ERR_INVALID_REQUEST, "there are too many fields");
    upload->secret[upload->n_params] = param_is_secret(param);
    upload->params[upload->n_params++] = input;
    return 0;
}

/* A place for the file of a parameter. NULL on failure. */
static struct attachment *add_attachment(struct upload *upload, const struct param *param,
                                         struct err *err)
{
    struct attachment *attachment = upload->attachments + upload->n_attachments;

    if (add_param(upload, param, (struct param_input){ param->name, NULL, &attachment->file },
                  err) < 0)
        return NULL;
    upload->n_attachments++;
    attachment->file = ATTACHMENT_NONE.file;
    attachment->source = -1;
    return attachment;
}

static int begin_attachment(struct upload *upload, const struct param *param, const char *filename,
                            struct err *err)
{
    struct attachment *attachment = add_attachment(upload, param, err);

    if (!attachment)
        return -1;
    attachment_call(attachment, filename);
    attachment->file.fd = fdio_memory_file(err);
    upload->param = param;
    if (upload->fingerprint)
        digest_start(&upload->digest);
    return attachment->file.fd < 0 ? -1 : 0;
}

/* Finds or makes the attachment for a part that a step of a pipeline may name. NULL on failure. */
static const struct param *name_part(struct upload *upload, const char *name, struct err *err)
{
    struct attachment *attachment = upload->attachments + upload->n_attachments;

    if (upload->n_attachments < UPLOAD_PARTS)
        return attachment_name(attachment, name, upload->field, upload->config->max_file_size, err);
    err_field(err, ERR_TOO_MANY_FILES, name, "a pipeline takes at most %d files for steps",
              UPLOAD_PARTS);
    return NULL;
}

static int begin_file(struct upload *upload, const char *filename, struct err *err)
{
    if (upload->documents.n == upload->tool->max_files)
        return tool_check_count(upload->tool, upload->documents.n + 1, NULL, 0, err);
    if (documents_begin(&upload->documents, filename, err) < 0)
        return -1;
    upload->in_file = true;
    upload->named = filename != NULL;
    upload->n_head = 0;
    if (upload->fingerprint)
        digest_start(&upload->digest);
    return 0;
}

static int begin_part(struct upload *upload, const char *name, const char *filename,
                      struct err *err)
{
    const struct param *param = declared(upload, name), *replacement;

    if (documents_has_field(name))
        return begin_file(upload, filename, err);
    if (filename && param && param->type == PARAM_UPLOAD)
        return begin_attachment(upload, param, filename, err);
    if (filename && !param && is_pipeline(upload)) {
        replacement = name_part(upload, name, err);
        return replacement ? begin_attachment(upload, replacement, filename, err) : -1;
    }
    if (filename)
        return err_field(err, ERR_UNKNOWN_FIELD, upload->field,
                         "%s takes no file in this field: send files as file or files",
                         upload->tool->name);
    buf_drop(&upload->value, upload->value.len);
    return 0;
}

/* Whether the field takes a file. */
static bool accepts_file(const struct upload *upload, const char *name)
{
    const struct param *param = declared(upload, name);

    return documents_has_field(name) || (param ? param->type == PARAM_UPLOAD : is_pipeline(upload));
}

/* An unused file input of a form is sent as an empty file without a name: it does not count, and
 * a file begins only with its first byte. */
static int on_begin(void *arg, const struct multipart_part *part, struct err *err)
{
    struct upload *upload = arg;

    upload->in_file = false;
    upload->param = NULL;
    snprintf(upload->field, sizeof upload->field, "%s", part->name);
    if (part->filename)
        text_for_message(part->name, strlen(part->name), upload->field, sizeof upload->field);
    upload->idle = part->filename && !*part->filename &&
                   strlen(part->name) < sizeof upload->field && accepts_file(upload, part->name);
    return upload->idle ? 0 : begin_part(upload, part->name, part->filename, err);
}

static int on_attachment(struct upload *upload, const void *data, size_t n, struct err *err)
{
    struct tool_input *file = &upload->attachments[upload->n_attachments - 1].file;
    int64_t before = file->bytes;

    file->bytes += (int64_t) n;
    if (upload->fingerprint)
        digest_add(&upload->digest, data, n);
    if (param_check_upload(upload->param, file->bytes, err) < 0)
        return -1;
    return blob_append(upload->api->blobs, &file->fd, before, data, n, STORE_SMALL, err);
}

static int on_data(void *arg, const void *data, size_t n, struct err *err)
{
    struct upload *upload = arg;
    struct intake_file *file;

    if (upload->idle && n > 0) {
        upload->idle = false;
        if (begin_part(upload, upload->field, "", err) < 0)
            return -1;
    }
    if (upload->param)
        return on_attachment(upload, data, n, err);
    if (!upload->in_file) {
        buf_put(&upload->value, data, n);
        return upload->value.failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
    }
    file = &upload->documents.files[upload->documents.n - 1];
    if (upload->n_head < sizeof upload->head) {
        size_t room = sizeof upload->head - upload->n_head, part = n < room ? n : room;

        memcpy(upload->head + upload->n_head, data, part);
        upload->n_head += part;
    }
    if (upload->fingerprint)
        digest_add(&upload->digest, data, n);
    if (blob_append(upload->api->blobs, &file->fd, file->bytes, data, n, STORE_SMALL, err) < 0)
        return -1;
    file->bytes += (int64_t) n;
    return 0;
}

/* Whether the error means that a named file is gone, and the request goes on all the same: with an
 * idempotency key it may be a replay, whose first job had the file. The store finds out. */
static bool goes_without(struct upload *upload, const struct err *err)
{
    if (!upload->fingerprint || (err->code != ERR_JOB_NOT_FOUND && err->code != ERR_JOB_EXPIRED &&
                                 err->code != ERR_UPLOAD_NOT_FOUND))
        return false;
    if (!upload->missing)
        upload->why_missing = *err;
    upload->missing = true;
    return true;
}

static int check_size(const struct upload *upload, struct err *err)
{
    return test_outcome_check_size(upload->call, upload->config->max_request_size,
                                   upload_bytes(upload), upload->field, err);
}

/* A part without a file name that is the text job:...: an earlier result. */
static int end_reference(struct upload *upload, struct err *err)
{
    size_t before = upload->documents.n - 1;
    char text[REFERENCE_BYTES];
    struct references named;
    int done;

    snprintf(text, sizeof text, "%.*s", (int) upload->n_head, (const char *) upload->head);
    if (scope_check_reference(upload->api, &upload->call->key, text, upload->field, err) < 0)
        return -1;
    if (reference_find(upload->api->store, upload->api->blobs, upload->call->key.id, text,
                       upload->field, upload->tool->max_files - before, &named, err) < 0)
        return goes_without(upload, err)
                   ? documents_refer(&upload->documents, text, upload->field, NULL, err)
                   : -1;
    upload->is_later = upload->is_later || named.fd < 0;
    done = documents_refer(&upload->documents, text, upload->field, &named, err);
    reference_list_close(&named);
    for (size_t i = before; done == 0 && !is_pipeline(upload) && i < upload->documents.n &&
                            !documents_is_later(&upload->documents, i);
         i++)
        done = documents_check_kind(&upload->documents, i, upload->tool, err);
    return done < 0 ? -1 : check_size(upload, err);
}

/* A field that concerns the job. */
static int end_job_field(struct upload *upload, const char *name, const char *value, size_t n,
                         struct err *err)
{
    const struct remote_terms terms = { upload->config, upload->tool,
                                        visitors_is(&upload->call->key) };

    return job_fields_read(&upload->fields, &upload->documents, &terms, name, value, n, err);
}

/* A part without a file name that is an address. */
static int end_address(struct upload *upload, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (documents_pop_text(&upload->documents, &text, err) < 0)
        return -1;
    return end_job_field(upload, "fileUrl", buf_text(&text), text.len, err);
}

static int end_file(struct upload *upload, struct err *err)
{
    size_t i = upload->documents.n - 1;
    struct document *document = &upload->documents.more[i];

    if (!upload->named && remote_fields_is_url(upload->head, upload->n_head))
        return end_address(upload, err);
    if (!upload->named && upload->documents.files[i].bytes == (int64_t) upload->n_head &&
        reference_is(upload->head, upload->n_head))
        return end_reference(upload, err);
    document->kind = file_kind_of(upload->head, upload->n_head);
    if (upload->fingerprint)
        digest_end(&upload->digest, document->digest);
    /* What a pipeline takes its first step says, which may come later. */
    if (is_pipeline(upload) || documents_check_kind(&upload->documents, i, upload->tool, err) == 0)
        return 0;
    /* Some clients send a list of files as one text. */
    if (!upload->named)
        err_field(err, ERR_UNSUPPORTED_FILE_TYPE, upload->field,
                  "%s is a text here, and neither job:{jobId} nor upload:{uploadId} nor an "
                  "address: send a file as a part with a file name",
                  upload->field);
    return -1;
}

static int end_attachment(struct upload *upload, struct err *err)
{
    struct attachment *attachment = &upload->attachments[upload->n_attachments - 1];

    if (attachment->file.bytes == 0)
        return err_field(err, ERR_INVALID_PARAMETER, upload->param->name, "%s is empty",
                         upload->param->name);
    if (upload->fingerprint)
        digest_end(&upload->digest, attachment->digest);
    return 0;
}

/* A value that is the text job:... where a file is wanted: an earlier result. */
static int end_attached_reference(struct upload *upload, const struct param *param, struct err *err)
{
    char text[REFERENCE_BYTES];
    struct attachment *attachment;
    struct references named;
    int done;

    snprintf(text, sizeof text, "%s", buf_text(&upload->value));
    if (!param)
        param = name_part(upload, upload->field, err);
    attachment = param ? add_attachment(upload, param, err) : NULL;
    if (!attachment)
        return -1;
    if (scope_check_reference(upload->api, &upload->call->key, text, upload->field, err) < 0)
        return -1;
    if (reference_find(upload->api->store, upload->api->blobs, upload->call->key.id, text,
                       upload->field, 1, &named, err) < 0)
        return goes_without(upload, err)
                   ? attachment_refer(attachment, text, upload->field, NULL, err)
                   : -1;
    upload->is_later = upload->is_later || named.fd < 0;
    done = attachment_refer(attachment, text, upload->field, &named, err);
    reference_list_close(&named);
    if (done < 0 || param_check_upload(param, attachment->file.bytes, err) < 0)
        return -1;
    return check_size(upload, err);
}

/* Forms send also the fields that were left empty: an optional one without a value counts as not
 * given, unless it can be empty. */
static bool is_left_empty(const struct upload *upload, const struct param *param)
{
    char *value = NULL;
    struct err ignored;

    if (upload->value.len > 0)
        return false;
    if (job_fields_has(upload->field))
        return true;
    if (!param || param->required)
        return false;
    if (param_check(param, "", &value, &ignored) < 0)
        return true;
    free(value);
    return false;
}

static int end_field(struct upload *upload, struct err *err)
{
    struct param_input given = { upload->field, buf_text(&upload->value) };
    const struct param *param = declared(upload, upload->field);
    char *value;

    if (is_left_empty(upload, param))
        return 0;
    if (job_fields_has(upload->field))
        return end_job_field(upload, upload->field, given.value, upload->value.len, err);
    if (reference_is(given.value, upload->value.len) &&
        (param ? param->type == PARAM_UPLOAD : is_pipeline(upload)))
        return end_attached_reference(upload, param, err);
    if (param && param->text) /* in place of a file */
        return begin_attachment(upload, param, "", err) < 0 ||
                       on_attachment(upload, given.value, upload->value.len, err) < 0
                   ? -1
                   : end_attachment(upload, err);
    if (!param)
        return param_check_all(upload->tool->params, upload->tool->n_params, &given, 1, err);
    if (strlen(given.value) != upload->value.len)
        return err_field(err, ERR_INVALID_PARAMETER, param->name, "%s holds a NUL byte",
                         param->name);
    if (param_check(param, given.value, &value, err) < 0)
        return -1;
    if (param_is_secret(param) || is_pipeline(upload)) /* steps may hold some */
        explicit_bzero(upload->value.data, upload->value.len);
    if (retention_check(upload->config, upload->call->plan, param->name, value, err) < 0 ||
        add_param(upload, param, (struct param_input){ param->name, value }, err) < 0) {
        free_value(value, param_is_secret(param));
        return -1;
    }
    return 0;
}

static int on_end(void *arg, struct err *err)
{
    struct upload *upload = arg;

    if (upload->idle)
        return 0;
    if (upload->param)
        return end_attachment(upload, err);
    return upload->in_file ? end_file(upload, err) : end_field(upload, err);
}

/* Callbacks of the parser; `arg` is the struct upload. */
static const struct multipart_events events = { on_begin, on_data, on_end };

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
                                       .max_file_bytes =
                                           test_outcome_most(call, config->max_file_size),
                                       .max_total_bytes =
                                           test_outcome_most(call, config->max_request_size),
                                       .max_header_bytes = MAX_HEADER };
    struct upload *upload = calloc(1, sizeof *upload);

    if (upload) {
        upload->attachments = calloc(attachments + 1, sizeof *upload->attachments);
        upload->multipart = multipart_new(boundary, &limits, &events, upload);
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

bool upload_is_slow(const struct upload *upload)
{
    return upload->is_later;
}

/* Opens the file that a field names. 1: the file was deleted meanwhile, and the request goes on
 * without it. */
static int open_later(struct upload *upload, const struct reference_later *later,
                      struct references *named, struct err *err)
{
    if (reference_list_open(upload->api->store, upload->api->blobs, upload->call->key.id,
                            later->text, later->field, SIZE_MAX, named, err) == 0)
        return 0;
    return goes_without(upload, err) ? 1 : -1;
}

/* Opens the named files that are kept where it takes long. */
static int arrive(struct upload *upload, struct err *err)
{
    struct documents *documents = &upload->documents;
    struct references named;
    int done;

    for (size_t i = 0; i < documents->n; i++) {
        if (documents->more[i].shared || !documents->more[i].later)
            continue;
        done = open_later(upload, documents->more[i].later, &named, err);
        if (done == 0) {
            done = documents_arrive(documents, i, &named, err);
            reference_list_close(&named);
        }
        if (done < 0)
            return -1;
    }
    for (size_t i = 0; i < upload->n_attachments; i++) {
        if (!upload->attachments[i].later)
            continue;
        done = open_later(upload, upload->attachments[i].later, &named, err);
        if (done < 0)
            return -1;
        if (done == 0) {
            attachment_arrive(&upload->attachments[i], &named);
            reference_list_close(&named);
        }
    }
    return 0;
}

static struct page_request page_of(const struct upload *u)
{
    return (struct page_request){ u->pipeline, u->tool, u->params, u->n_params };
}

static int check_page(const struct upload *upload, struct err *err)
{
    const struct page_request page = page_of(upload);

    return page_address_check(&page, upload->config, visitors_is(&upload->call->key), err);
}

bool upload_has_page(const struct upload *upload)
{
    return page_address_is_wanted(&(struct page_request){ upload->pipeline, upload->tool });
}

static int finish_tool(struct upload *upload, struct err *err)
{
    struct param_input own[UPLOAD_FIELDS], called;
    size_t n = own_params(upload, own);
    const struct param *by_file = rule_own_name(upload->tool, own, n, &called);
    const char *name;

    if (by_file && add_param(upload, by_file, called, err) < 0)
        return free_value((char *) (uintptr_t) called.value, false), -1;
    n = own_params(upload, own);
    if ((!upload->missing &&
         tool_check_count(upload->tool, upload->documents.n, own, n, err) < 0) ||
        tool_check_params(upload->tool, own, n, err) < 0 || check_page(upload, err) < 0 ||
        tool_check_stamped(upload->tool, own, n, *upload->config->timestamp_url, err) < 0 ||
        !catalog_route(upload->api->catalog, upload->tool, own, n, &name, err))
        return -1;
    if (!upload->is_later || upload->missing)
        return 0;
    if (arrive(upload, err) < 0)
        return -1;
    return upload->missing ? 0 : documents_check_kinds(&upload->documents, upload->tool, err);
}

/* Instead of what came in `steps`: canonical values, and the secrets apart from them. */
static int replace_steps(struct upload *upload, const char *text, struct err *err)
{
    const struct pipeline *pipeline = upload->pipeline;

    for (size_t i = 0; i < upload->n_params; i++) {
        if (strcmp(upload->params[i].name, pipeline_tool.params[0].name) == 0) {
            free_value((char *) (uintptr_t) upload->params[i].value, true);
            upload->params[i].value = text;
        }
    }
    for (size_t i = 0; i < pipeline->n_secrets; i++) {
        char *value = strdup(pipeline->secrets[i].value);

        if (!value || upload->n_params == UPLOAD_FIELDS) {
            free_value(value, true);
            return err_set(err, ERR_INVALID_REQUEST, "there are too many fields");
        }
        upload->secret[upload->n_params] = true;
        upload->params[upload->n_params++] =
            (struct param_input){ pipeline->secrets[i].name, value };
    }
    return 0;
}

/* Adds the steps of a workflow, and owns them from then on. */
static int add_steps(struct upload *upload, char *steps, struct err *err)
{
    const struct param *param = &pipeline_tool.params[0];

    if (add_param(upload, param, (struct param_input){ param->name, steps }, err) == 0)
        return 0;
    return free_value(steps, true), -1;
}

static int finish_pipeline(struct upload *upload, struct err *err)
{
    struct param_input own[UPLOAD_FIELDS], files[UPLOAD_PARTS];
    size_t n = own_params(upload, own);
    char *text, *steps;

    if (workflow_fields_steps(&upload->fields.workflow, upload->api->store, upload->call->key.id,
                              n > 0, &steps, err) < 0 ||
        (steps && add_steps(upload, steps, err) < 0) ||
        tool_check_params(upload->tool, own, own_params(upload, own), err) < 0)
        return -1;
    attachment_list_inputs(upload->attachments, upload->n_attachments, files);
    upload->pipeline =
        pipeline_run_plan(upload->api->catalog, own[0].value, files, upload->n_attachments,
                          *upload->config->timestamp_url, &text, err);
    if (!upload->pipeline || check_page(upload, err) < 0 || replace_steps(upload, text, err) < 0 ||
        key_form_check_steps(&upload->call->key, upload->pipeline, err) < 0)
        return -1;
    if (upload->missing)
        return 0;
    if (pipeline_check_count(upload->pipeline, upload->documents.n, err) < 0 ||
        arrive(upload, err) < 0)
        return -1;
    return upload->missing
               ? 0
               : documents_check_kinds(&upload->documents, upload->pipeline->steps[0].tool, err);
}

int upload_finish(struct upload *upload, struct err *err)
{
    if (multipart_finish(upload->multipart, err) < 0 || job_fields_finish(&upload->fields, err) < 0)
        return -1;
    return is_pipeline(upload) ? finish_pipeline(upload, err) : finish_tool(upload, err);
}

void upload_free(struct upload *upload)
{
    if (!upload)
        return;
    multipart_free(upload->multipart);
    documents_free(&upload->documents);
    job_fields_free(&upload->fields);
    attachment_list_close(upload->attachments, upload->n_attachments);
    free(upload->attachments);
    for (size_t i = 0; i < upload->n_params; i++)
        free_value((char *) (uintptr_t) upload->params[i].value, upload->secret[i]);
    pipeline_free(upload->pipeline); /* after the parameters: it owns names of theirs */
    buf_free(&upload->value);
    live_release(upload->config);
    free(upload);
}

const struct documents *upload_documents(const struct upload *upload)
{
    return &upload->documents;
}

const struct pipeline *upload_pipeline(const struct upload *upload)
{
    return upload->pipeline;
}

/* Copies earlier results that are not here yet. Blocks on the disk. */
static int fetch(struct upload *upload, struct err *err)
{
    struct blob_store *blobs = upload->api->blobs;
    int64_t min_free = upload->config->min_free_space;

    if (documents_fetch(&upload->documents, blobs, min_free, err) < 0)
        return -1;
    return attachment_list_fetch(upload->attachments, upload->n_attachments, blobs, min_free, err);
}

static const char *value_of(const struct upload *upload, const char *name)
{
    for (size_t i = 0; i < upload->n_params; i++)
        if (strcmp(upload->params[i].name, name) == 0)
            return upload->params[i].value;
    return NULL;
}

bool upload_has_remote(const struct upload *upload)
{
    return upload->fields.remote.n_urls > 0;
}

/* The addresses are secrets of the job. */
static int add_remote(struct upload *upload, struct err *err)
{
    int64_t left = upload->call->plan->bytes_per_month - upload->call->usage.bytes;
    char *text =
        remote_fields_secret(&upload->fields.remote, &upload->documents, upload->config,
                             upload_bytes(upload), test_outcome_most(upload->call, left), err);

    if (text && upload->n_params == UPLOAD_FIELDS) {
        free_value(text, true);
        text = NULL;
        err_set(err, ERR_INVALID_REQUEST, "there are too many fields");
    }
    if (!text)
        return -1;
    upload->secret[upload->n_params] = true;
    upload->params[upload->n_params++] = (struct param_input){ REMOTE_SECRET, text };
    return 0;
}

int upload_order(struct upload *upload, struct intake_order *order, struct err *err)
{
    const struct documents *documents = &upload->documents;
    const struct page_request page = page_of(upload);
    char host[PAGE_NAME];

    if (upload->missing) {
        *err = upload->why_missing;
        return 1;
    }
    if ((upload_has_remote(upload) && add_remote(upload, err) < 0) ||
        job_fields_address(&upload->fields, err) < 0)
        return -1;
    *order = (struct intake_order){
        .key_id = upload->call->key.id,
        .tool = upload->tool->name,
        .stem = upload->stem,
        .params = upload->params,
        .secret = upload->secret,
        .n_params = upload->n_params,
        .files = documents->files,
        .n_files = documents->n,
        .reused_bytes = documents_reused(documents) +
                        attachment_list_reused(upload->attachments, upload->n_attachments),
        .client_ref = upload->fields.submission.client_ref,
        .callback_url = upload->fields.submission.callback_url,
        .addresses = upload->fields.addresses,
        .pace = upload->api->pace,
        .is_long = pipeline_run_uses_office(upload->pipeline, upload->tool),
    };
    page_address_name(&page, host);
    result_stem(value_of(upload, "outputName"), pipeline_gives(upload->pipeline, upload->tool),
                documents->n ? documents->files[0].name : host, upload->stem);
    if (retention_of(upload->config, upload->call->plan, value_of(upload, RETENTION_FIELD),
                     &order->retention_ms, err) < 0)
        return -1;
    return fetch(upload, err);
}

void upload_fingerprint(const struct upload *upload, char out[static DIGEST_TEXT])
{
    struct digest digest;

    digest_start(&digest); /* the NUL after each text keeps one from running into the next */
    digest_add(&digest, upload->tool->name, strlen(upload->tool->name) + 1);
    attachment_digest_params(upload->params, upload->n_params, &digest);
    job_fields_digest(&upload->fields, &digest);
    documents_digest(&upload->documents, &digest);
    digest_end(&digest, out);
}
