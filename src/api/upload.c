#include "api/upload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "http/multipart.h"
#include "tool/file_kind.h"
#include "tool/run.h"
#include "tool/text.h"

#define MAX_FIELDS      64
#define MAX_FIELD_BYTES ((size_t) 100 * 1024) /* a page list of 10,000 items fits */
#define MAX_HEADER      ((size_t) 16 * 1024)

/* A file that is the value of a parameter. */
struct attachment {
    struct tool_input file;
    char digest[DIGEST_TEXT];
};

struct upload {
    const struct tool *tool;
    struct blob_store *blobs;
    bool authority; /* for time stamps */
    struct multipart *multipart;
    bool fingerprint;

    /* the part that is being read: a document, a file for a parameter, or a value */
    bool in_file;
    const struct param *param; /* of such a file; else NULL */
    char field[64];
    struct buf value;
    unsigned char head[FILE_KIND_HEAD];
    size_t n_head;
    struct digest digest;

    struct intake_file *files;
    char (*digests)[DIGEST_TEXT];
    size_t n_files;
    struct param_input params[MAX_FIELDS];
    bool secret[MAX_FIELDS];
    size_t n_params;
    struct attachment *attachments; /* one for each parameter of the tool */
    size_t n_attachments;
};

static bool is_file_field(const char *name)
{
    return strcmp(name, "file") == 0 || strcmp(name, "files") == 0 || strcmp(name, "files[]") == 0;
}

static const struct param *declared(const struct upload *upload, const char *name)
{
    size_t n;
    const struct param *common = tool_common_params(&n), *found = param_find(common, n, name);

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
    if (upload->n_params == MAX_FIELDS)
        return err_set(err, ERR_INVALID_REQUEST, "there are too many fields");
    upload->secret[upload->n_params] = param_is_secret(param);
    upload->params[upload->n_params++] = input;
    return 0;
}

static int begin_attachment(struct upload *upload, const struct param *param, struct err *err)
{
    struct attachment *attachment = upload->attachments + upload->n_attachments;

    if (add_param(upload, param, (struct param_input){ param->name, NULL, &attachment->file },
                  err) < 0)
        return -1;
    upload->n_attachments++;
    attachment->file = (struct tool_input){ blob_stage(upload->blobs, err), "", "", 0 };
    upload->param = param;
    if (upload->fingerprint)
        digest_start(&upload->digest);
    return attachment->file.fd < 0 ? -1 : 0;
}

static int begin_file(struct upload *upload, const char *filename, struct err *err)
{
    struct intake_file *files;
    char(*digests)[DIGEST_TEXT];

    if (upload->n_files == upload->tool->max_files)
        return tool_check_count(upload->tool, upload->n_files + 1, err);
    files = reallocarray(upload->files, upload->n_files + 1, sizeof *files);
    if (!files)
        return err_sys(err, "upload");
    upload->files = files;
    digests = reallocarray(upload->digests, upload->n_files + 1, sizeof *digests);
    if (!digests)
        return err_sys(err, "upload");
    upload->digests = digests;
    files += upload->n_files;
    *files = (struct intake_file){ .fd = blob_stage(upload->blobs, err) };
    if (files->fd < 0)
        return -1;
    if (filename)
        text_file_name(filename, strlen(filename), files->name, sizeof files->name - 1);
    upload->n_files++;
    upload->in_file = true;
    upload->n_head = 0;
    if (upload->fingerprint)
        digest_start(&upload->digest);
    return 0;
}

static int on_begin(void *cls, const struct multipart_part *part, struct err *err)
{
    struct upload *upload = cls;
    const struct param *param = declared(upload, part->name);

    upload->in_file = false;
    upload->param = NULL;
    snprintf(upload->field, sizeof upload->field, "%s", part->name);
    if (is_file_field(part->name))
        return begin_file(upload, part->filename, err);
    if (part->filename && param && param->type == PARAM_UPLOAD)
        return begin_attachment(upload, param, err);
    if (part->filename) {
        text_for_message(part->name, strlen(part->name), upload->field, sizeof upload->field);
        return err_field(err, ERR_UNKNOWN_FIELD, upload->field,
                         "%s takes no file in this field: send files as file or files",
                         upload->tool->name);
    }
    buf_drop(&upload->value, upload->value.len);
    return 0;
}

static int on_attachment(struct upload *upload, const void *data, size_t n, struct err *err)
{
    struct tool_input *file = &upload->attachments[upload->n_attachments - 1].file;

    file->bytes += (int64_t) n;
    if (upload->fingerprint)
        digest_add(&upload->digest, data, n);
    return param_check_upload(upload->param, file->bytes, err) < 0
               ? -1
               : fdio_write(file->fd, data, n, err);
}

static int on_data(void *cls, const void *data, size_t n, struct err *err)
{
    struct upload *upload = cls;
    struct intake_file *file;

    if (upload->param)
        return on_attachment(upload, data, n, err);
    if (!upload->in_file) {
        buf_put(&upload->value, data, n);
        return upload->value.failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
    }
    file = &upload->files[upload->n_files - 1];
    if (upload->n_head < sizeof upload->head) {
        size_t room = sizeof upload->head - upload->n_head, take = n < room ? n : room;

        memcpy(upload->head + upload->n_head, data, take);
        upload->n_head += take;
    }
    if (upload->fingerprint)
        digest_add(&upload->digest, data, n);
    file->bytes += (int64_t) n;
    return fdio_write(file->fd, data, n, err);
}

static int end_file(struct upload *upload, struct err *err)
{
    const char *kind = file_kind_of(upload->head, upload->n_head);
    const char *field = upload->tool->max_files > 1 ? "files" : "file";

    if (upload->n_head == 0)
        return err_field(err, ERR_UNSUPPORTED_FILE_TYPE, field, "file %zu is empty",
                         upload->n_files);
    if (!tool_takes(upload->tool, kind))
        return err_field(err, ERR_UNSUPPORTED_FILE_TYPE, field,
                         "file %zu is not of a kind that %s takes (%s)", upload->n_files,
                         upload->tool->name, upload->tool->accepts[0]);
    if (upload->fingerprint)
        digest_end(&upload->digest, upload->digests[upload->n_files - 1]);
    return 0;
}

static void free_value(char *value, bool secret)
{
    if (value && secret)
        explicit_bzero(value, strlen(value));
    free(value);
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

static int end_field(struct upload *upload, struct err *err)
{
    struct param_input given = { upload->field, buf_text(&upload->value) };
    const struct param *param = declared(upload, upload->field);
    char *value;

    if (!param)
        return param_check_all(upload->tool->params, upload->tool->n_params, &given, 1, err);
    if (strlen(given.value) != upload->value.len)
        return err_field(err, ERR_INVALID_PARAMETER, param->name, "%s holds a NUL byte",
                         param->name);
    if (param_check(param, given.value, &value, err) < 0)
        return -1;
    if (param_is_secret(param))
        explicit_bzero(upload->value.data, upload->value.len);
    if (add_param(upload, param, (struct param_input){ param->name, value }, err) < 0) {
        free_value(value, param_is_secret(param));
        return -1;
    }
    return 0;
}

static int on_end(void *cls, struct err *err)
{
    struct upload *upload = cls;

    if (upload->param)
        return end_attachment(upload, err);
    return upload->in_file ? end_file(upload, err) : end_field(upload, err);
}

struct upload *upload_new(const struct tool *tool, struct blob_store *blobs,
                          const struct config *config, const char *boundary, bool fingerprint,
                          struct err *err)
{
    static const struct multipart_events events = { on_begin, on_data, on_end };
    struct multipart_limits limits = { .max_fields = MAX_FIELDS,
                                       .max_field_bytes = MAX_FIELD_BYTES,
                                       .max_files = tool->max_files + tool->n_params,
                                       .max_file_bytes = config->max_file_size,
                                       .max_total_bytes = config->max_request_size,
                                       .max_header_bytes = MAX_HEADER };
    struct upload *upload = calloc(1, sizeof *upload);

    if (upload) {
        upload->attachments = calloc(tool->n_params + 1, sizeof *upload->attachments);
        upload->multipart = multipart_new(boundary, &limits, &events, upload);
    }
    if (!upload || !upload->attachments || !upload->multipart) {
        err_sys(err, "upload");
        if (upload)
            multipart_free(upload->multipart);
        if (upload)
            free(upload->attachments);
        free(upload);
        return NULL;
    }
    upload->tool = tool;
    upload->blobs = blobs;
    upload->authority = *config->timestamp_url != '\0';
    upload->fingerprint = fingerprint;
    return upload;
}

int upload_feed(struct upload *upload, const void *data, size_t n, struct err *err)
{
    return multipart_feed(upload->multipart, data, n, err);
}

/* The tool's own parameters, without those the server acts on. */
static size_t own_params(const struct upload *upload, struct param_input out[static MAX_FIELDS])
{
    size_t n = 0;

    for (size_t i = 0; i < upload->n_params; i++)
        if (param_find(upload->tool->params, upload->tool->n_params, upload->params[i].name))
            out[n++] = upload->params[i];
    return n;
}

int upload_finish(struct upload *upload, struct err *err)
{
    struct param_input own[MAX_FIELDS];
    size_t n = own_params(upload, own);

    if (multipart_finish(upload->multipart, err) < 0 ||
        tool_check_count(upload->tool, upload->n_files, err) < 0)
        return -1;
    return tool_check_params(upload->tool, own, n, err) < 0
               ? -1
               : tool_check_stamped(upload->tool, own, n, upload->authority, err);
}

void upload_free(struct upload *upload)
{
    if (!upload)
        return;
    multipart_free(upload->multipart);
    for (size_t i = 0; i < upload->n_files; i++)
        close(upload->files[i].fd);
    free(upload->files);
    free(upload->digests);
    for (size_t i = 0; i < upload->n_attachments; i++)
        scope_close(&upload->attachments[i].file.fd);
    free(upload->attachments);
    for (size_t i = 0; i < upload->n_params; i++)
        free_value((char *) (uintptr_t) upload->params[i].value, upload->secret[i]);
    buf_free(&upload->value);
    free(upload);
}

const struct intake_file *upload_files(const struct upload *upload, size_t *n)
{
    *n = upload->n_files;
    return upload->files;
}

const struct param_input *upload_params(const struct upload *upload, const bool **secret, size_t *n)
{
    *n = upload->n_params;
    *secret = upload->secret;
    return upload->params;
}

int64_t upload_bytes(const struct upload *upload)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < upload->n_files; i++)
        bytes += upload->files[i].bytes;
    for (size_t i = 0; i < upload->n_attachments; i++)
        bytes += upload->attachments[i].file.bytes;
    return bytes;
}

const char *upload_output_name(const struct upload *upload)
{
    for (size_t i = 0; i < upload->n_params; i++)
        if (strcmp(upload->params[i].name, "outputName") == 0)
            return upload->params[i].value;
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct param_input *) a)->name, ((const struct param_input *) b)->name);
}

void upload_fingerprint(const struct upload *upload, char out[static DIGEST_TEXT])
{
    struct param_input sorted[MAX_FIELDS];
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
    for (size_t i = 0; i < upload->n_files; i++) {
        digest_add(&digest, upload->files[i].name, strlen(upload->files[i].name) + 1);
        digest_add(&digest, upload->digests[i], DIGEST_TEXT);
    }
    digest_end(&digest, out);
}
