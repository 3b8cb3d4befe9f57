#include "api_submit/upload_parts.h"

#include <stdio.h>

#include "api_submit/retention.h"
#include "base/fdio.h"
#include "tool/text.h"

static bool is_file_field(const char *name)
{
    return strcmp(name, "file") == 0 || strcmp(name, "files") == 0 || strcmp(name, "files[]") == 0;
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

static int begin_attachment(struct upload *upload, const struct param *param, struct err *err)
{
    struct attachment *attachment = add_attachment(upload, param, err);

    if (!attachment)
        return -1;
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
    size_t n = strlen(name);
    bool named = false;

    if (n == 0 || n >= sizeof attachment->name ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != n)
        err_field(err, ERR_INVALID_REQUEST, upload->field,
                  "a file for a step is named with 1 to %zu letters, digits, _ and -",
                  sizeof attachment->name - 1);
    else if (upload->n_attachments == UPLOAD_PARTS)
        err_field(err, ERR_TOO_MANY_FILES, name, "a pipeline takes at most %d files for steps",
                  UPLOAD_PARTS);
    else
        named = true;
    if (!named)
        return NULL;
    memcpy(attachment->name, name, n + 1);
    attachment->part = (struct param){ .name = attachment->name,
                                       .type = PARAM_UPLOAD,
                                       .max = (double) upload->config->max_file_size };
    return &attachment->part;
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
    const struct param *param = declared(upload, name), *stand_in;

    if (is_file_field(name))
        return begin_file(upload, filename, err);
    if (filename && param && param->type == PARAM_UPLOAD)
        return begin_attachment(upload, param, err);
    if (filename && !param && upload_is_pipeline(upload)) {
        stand_in = name_part(upload, name, err);
        return stand_in ? begin_attachment(upload, stand_in, err) : -1;
    }
    if (filename) {
        return err_field(err, ERR_UNKNOWN_FIELD, upload->field,
                         "%s takes no file in this field: send files as file or files",
                         upload->tool->name);
    }
    buf_drop(&upload->value, upload->value.len);
    return 0;
}

/* Whether the field takes a file. */
static bool takes_file(const struct upload *upload, const char *name)
{
    const struct param *param = declared(upload, name);

    return is_file_field(name) ||
           (param ? param->type == PARAM_UPLOAD : upload_is_pipeline(upload));
}

/* An unused file input of a form is sent as an empty file without a name: it does not count, and
 * a file begins only with its first byte. */
static int on_begin(void *cls, const struct multipart_part *part, struct err *err)
{
    struct upload *upload = cls;

    upload->in_file = false;
    upload->param = NULL;
    snprintf(upload->field, sizeof upload->field, "%s", part->name);
    if (part->filename)
        text_for_message(part->name, strlen(part->name), upload->field, sizeof upload->field);
    upload->idle = part->filename && !*part->filename &&
                   strlen(part->name) < sizeof upload->field && takes_file(upload, part->name);
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

static int on_data(void *cls, const void *data, size_t n, struct err *err)
{
    struct upload *upload = cls;
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
        size_t room = sizeof upload->head - upload->n_head, take = n < room ? n : room;

        memcpy(upload->head + upload->n_head, data, take);
        upload->n_head += take;
    }
    if (upload->fingerprint)
        digest_add(&upload->digest, data, n);
    if (blob_append(upload->api->blobs, &file->fd, file->bytes, data, n, STORE_SMALL, err) < 0)
        return -1;
    file->bytes += (int64_t) n;
    return 0;
}

/* With an idempotency key this may be a replay, whose first job had what is gone now: the store
 * tells. False: it is just gone. */
static bool go_without(struct upload *upload, const struct err *err)
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
    if (upload_bytes(upload) <= upload->config->max_request_size)
        return 0;
    return err_field(err, ERR_FILE_TOO_LARGE, upload->field,
                     "a request's files may have at most %lld bytes",
                     (long long) upload->config->max_request_size);
}

/* A part without a file name that is the text job:...: an earlier result. */
static int end_reference(struct upload *upload, struct err *err)
{
    size_t before = upload->documents.n - 1;
    char text[REFERENCE_BYTES];
    struct references named;
    int done;

    snprintf(text, sizeof text, "%.*s", (int) upload->n_head, (const char *) upload->head);
    if (references_open(upload->api->store, upload->api->blobs, upload->call->key.id, text,
                        upload->field, upload->tool->max_files - before, &named, err) < 0)
        return go_without(upload, err) ? documents_refer(&upload->documents, text, NULL, err) : -1;
    done = documents_refer(&upload->documents, text, &named, err);
    references_close(&named);
    for (size_t i = before; done == 0 && !upload_is_pipeline(upload) && i < upload->documents.n;
         i++)
        done = documents_judge(&upload->documents, i, upload->tool, err);
    return done < 0 ? -1 : check_size(upload, err);
}

static int end_file(struct upload *upload, struct err *err)
{
    size_t i = upload->documents.n - 1;
    struct document *document = &upload->documents.more[i];

    if (!upload->named && upload->documents.files[i].bytes == (int64_t) upload->n_head &&
        reference_is(upload->head, upload->n_head))
        return end_reference(upload, err);
    document->kind = file_kind_of(upload->head, upload->n_head);
    if (upload->fingerprint)
        digest_end(&upload->digest, document->digest);
    /* What a pipeline takes its first step says, which may come later. */
    if (upload_is_pipeline(upload) ||
        documents_judge(&upload->documents, i, upload->tool, err) == 0)
        return 0;
    /* Some clients send a list of files as one text. */
    if (!upload->named)
        err_field(
            err, ERR_UNSUPPORTED_FILE_TYPE, upload->field,
            "%s is a text here, and neither job:{jobId} nor upload:{uploadId}: send a file as a "
            "part with a file name",
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

/* A wrong one is reported before the rest is sent. */
static int judge_ttl(const struct upload *upload, const struct param *param, const char *value,
                     struct err *err)
{
    int64_t ms;

    return strcmp(param->name, RETENTION_FIELD) == 0
               ? retention_of(upload->config, upload->call->plan, value, &ms, err)
               : 0;
}

/* A value that is the text job:... where a file is wanted: an earlier result. */
static int end_attached_reference(struct upload *upload, const struct param *param, struct err *err)
{
    char text[REFERENCE_BYTES];
    struct attachment *attachment;
    struct references named;

    snprintf(text, sizeof text, "%s", buf_text(&upload->value));
    if (!param)
        param = name_part(upload, upload->field, err);
    attachment = param ? add_attachment(upload, param, err) : NULL;
    if (!attachment)
        return -1;
    if (references_open(upload->api->store, upload->api->blobs, upload->call->key.id, text,
                        upload->field, 1, &named, err) < 0) {
        attachment_refer(attachment, text, NULL);
        return go_without(upload, err) ? 0 : -1;
    }
    attachment_refer(attachment, text, &named);
    references_close(&named);
    return param_check_upload(param, attachment->file.bytes, err) < 0 ? -1
                                                                      : check_size(upload, err);
}

static int end_field(struct upload *upload, struct err *err)
{
    struct param_input given = { upload->field, buf_text(&upload->value) };
    const struct param *param = declared(upload, upload->field);
    const struct callback_rules callbacks = { upload->config->callback_http,
                                              &upload->config->callback_allow };
    char *value;

    if (submission_has(upload->field))
        return submission_take(&upload->submission, &callbacks, upload->field, given.value,
                               upload->value.len, err);
    if (reference_is(given.value, upload->value.len) &&
        (param ? param->type == PARAM_UPLOAD : upload_is_pipeline(upload)))
        return end_attached_reference(upload, param, err);
    if (!param)
        return param_check_all(upload->tool->params, upload->tool->n_params, &given, 1, err);
    if (strlen(given.value) != upload->value.len)
        return err_field(err, ERR_INVALID_PARAMETER, param->name, "%s holds a NUL byte",
                         param->name);
    if (param_check(param, given.value, &value, err) < 0)
        return -1;
    if (param_is_secret(param) || upload_is_pipeline(upload)) /* steps may hold some */
        explicit_bzero(upload->value.data, upload->value.len);
    if (judge_ttl(upload, param, value, err) < 0 ||
        add_param(upload, param, (struct param_input){ param->name, value }, err) < 0) {
        upload_free_value(value, param_is_secret(param));
        return -1;
    }
    return 0;
}

static int on_end(void *cls, struct err *err)
{
    struct upload *upload = cls;

    if (upload->idle)
        return 0;
    if (upload->param)
        return end_attachment(upload, err);
    return upload->in_file ? end_file(upload, err) : end_field(upload, err);
}

const struct multipart_events upload_events = { on_begin, on_data, on_end };
