#include "server/api_submit/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/num.h"
#include "server/api_submit/upload_find.h"
#include "server/dispatch/job_files.h"
#include "server/dispatch/result.h"
#include "server/dispatch/upload_files.h"

#define MARK "job:"
#define SENT "upload:"

static bool begins(const void *text, size_t n, const char *mark)
{
    return n >= strlen(mark) && n < REFERENCE_BYTES && memcmp(text, mark, strlen(mark)) == 0;
}

bool reference_is(const void *text, size_t n)
{
    return begins(text, n, MARK) || begins(text, n, SENT);
}

/* Splits off the id and the text after the slash ("" if there is none). */
static bool split(const char *text, char id[static ID_TEXT], char name[static REFERENCE_BYTES])
{
    size_t n;

    text += strlen(MARK);
    n = strcspn(text, "/ \t\r\n");
    if (n != ID_TEXT - 1)
        return false;
    memcpy(id, text, n);
    id[n] = '\0';
    text += n;
    if (*text == '/')
        text++;
    snprintf(name, REFERENCE_BYTES, "%s", text);
    for (n = strlen(name); n && strchr(" \t\r\n", name[n - 1]); n--)
        name[n - 1] = '\0';
    return id_is_valid(id);
}

/* The caller's own job, with a result. */
static int find_result(struct store *store, int64_t key_id, const char *id, const char *field,
                       struct job *job, struct err *err)
{
    int found = store_find(store, id, job, err);

    if (found < 0)
        return -1;
    if (found == 0 || job->key_id != key_id)
        return err_field(err, ERR_JOB_NOT_FOUND, field, "there is no job %s", id);
    if (job_is_expired(job, clock_wall_ms()))
        return err_field(err, ERR_JOB_EXPIRED, field, "job %s has expired: its result was deleted",
                         id);
    if (job->state == JOB_FAILED)
        return err_field(err, ERR_JOB_NOT_COMPLETED, field, "job %s failed and has no result", id);
    if (job->state != JOB_COMPLETED)
        return err_field(err, ERR_JOB_NOT_COMPLETED, field,
                         "job %s is not completed yet: wait for it first", id);
    return 0;
}

static int add_reference(struct references *out, const struct result_output *output,
                         struct err *err)
{
    struct reference *list = reallocarray(out->list, out->n + 1, sizeof *list);

    if (!list)
        return err_sys(err, "reference");
    out->list = list;
    list += out->n++;
    *list = (struct reference){ .offset = output->offset, .bytes = output->bytes };
    snprintf(list->name, sizeof list->name, "%s", output->name);
    return 0;
}

/* Which of its outputs are meant. */
static int choose(const struct job *job, const json_t *outputs, const char *name,
                  struct references *out, struct err *err)
{
    struct result_output output, whole = { job->output_name, 0, job->output_bytes, 0, "" };
    int64_t number = 0;

    for (size_t i = 0; result_output_at(outputs, i, &output); i++)
        if ((!*name || strcmp(output.name, name) == 0) && add_reference(out, &output, err) < 0)
            return -1;
    if (out->n)
        return 0;
    if (strcmp(job->output_name, name) == 0)
        return add_reference(out, &whole, err);
    if (num_parse_i64(name, strlen(name), 1, INT32_MAX, &number) &&
        result_output_at(outputs, (size_t) number - 1, &output))
        return add_reference(out, &output, err);
    return 0;
}

/* What one request asks for. */
struct asking {
    struct store *store;
    struct blob_store *blobs;
    int64_t key_id;
    const char *field;
    size_t max;
    bool fetch; /* over a network too */
};

static int open_result(const struct asking *asking, const struct job *job, struct references *out,
                       struct err *err)
{
    int64_t bytes;

    if (asking->blobs->far && !asking->fetch && !(job->in_store & JOB_HAS_RESULT))
        return 0;
    out->fd = job_files_result(asking->store, asking->blobs, job, &bytes, err);
    if (out->fd < 0 && err->code == ERR_NOT_FOUND) /* it went in this moment */
        return err_field(err, ERR_JOB_NOT_FOUND, asking->field, "there is no job %s", job->id);
    return out->fd < 0 ? -1 : 0;
}

/* A file that was sent before. */
static int open_upload(const struct asking *asking, const char *text, struct references *out,
                       struct err *err)
{
    const char *field = asking->field;
    AUTO_UPLOAD struct store_upload upload = { 0 };
    size_t n = strlen(text);
    char id[ID_TEXT];

    while (n && strchr(" \t\r\n", text[n - 1]))
        n--;
    snprintf(id, sizeof id, "%.*s", n < sizeof id ? (int) n : 0, text);
    if (upload_find(asking->store, asking->key_id, id, &upload, err) < 0)
        return err->code == ERR_UPLOAD_NOT_FOUND ? err_field(err, err->code, field, "%s", err->msg)
                                                 : -1;
    if (strcmp(upload.kind, STORE_UPLOAD_TICKET) == 0)
        return err_field(err, ERR_UPLOAD_NOT_COMPLETE, field,
                         "no file has been sent to the address of this ticket yet");
    if (!upload.complete)
        return err_field(err, ERR_UPLOAD_NOT_COMPLETE, field,
                         "only %lld of %lld bytes of this upload have arrived: send the rest first",
                         (long long) upload.offset, (long long) upload.size);
    out->list = calloc(1, sizeof *out->list);
    if (!out->list)
        return err_sys(err, "reference");
    out->list[0].bytes = upload.size;
    snprintf(out->list[0].name, sizeof out->list[0].name, "%s", upload.name);
    out->n = 1;
    out->charged = true;
    if (asking->blobs->far && !asking->fetch)
        return 0;
    out->fd = upload_files_open(asking->blobs, &upload, err);
    if (out->fd < 0 && err->code == ERR_NOT_FOUND) /* it went in this moment */
        err_field(err, ERR_UPLOAD_NOT_FOUND, field, "there is no such upload");
    return out->fd < 0 ? -1 : 0;
}

static int open_job(const struct asking *asking, const char *text, struct references *out,
                    struct err *err)
{
    const char *field = asking->field;
    char id[ID_TEXT], name[REFERENCE_BYTES];
    AUTO_JOB struct job job = { 0 };
    json_t *outputs;
    int done;

    if (!split(text, id, name))
        return err_field(err, ERR_INVALID_PARAMETER, field,
                         "an earlier result is named as job:{jobId} or job:{jobId}/{output}");
    if (find_result(asking->store, asking->key_id, id, field, &job, err) < 0)
        return -1;
    outputs = json_loads(job.outputs_json, 0, NULL);
    done = choose(&job, outputs, name, out, err);
    json_decref(outputs);
    if (done == 0 && out->n == 0)
        done = err_field(err, ERR_NOT_FOUND, field, "job %s has no output of that name", id);
    else if (done == 0 && out->n > asking->max)
        done =
            err_field(err, ERR_TOO_MANY_FILES, field,
                      "job %s gave %zu files, at most %zu fit here: name one, as job:%s/{output}",
                      id, out->n, asking->max, id);
    else if (done == 0)
        done = open_result(asking, &job, out, err);
    return done;
}

static int open_any(const struct asking *asking, const char *text, struct references *out,
                    struct err *err)
{
    int done;

    *out = (struct references){ .fd = -1 };
    if (begins(text, strlen(text), SENT))
        done = open_upload(asking, text + strlen(SENT), out, err);
    else
        done = open_job(asking, text, out, err);
    if (done < 0)
        reference_list_close(out);
    return done;
}

int reference_list_open(struct store *store, struct blob_store *blobs, int64_t key_id,
                        const char *text, const char *field, size_t max, struct references *out,
                        struct err *err)
{
    const struct asking asking = { store, blobs, key_id, field, max, true };

    return open_any(&asking, text, out, err);
}

int reference_find(struct store *store, struct blob_store *blobs, int64_t key_id, const char *text,
                   const char *field, size_t max, struct references *out, struct err *err)
{
    const struct asking asking = { store, blobs, key_id, field, max, false };

    return open_any(&asking, text, out, err);
}

struct reference_later *reference_later_new(const char *text, const char *field, struct err *err)
{
    struct reference_later *later = calloc(1, sizeof *later);

    if (!later) {
        err_sys(err, "reference");
        return NULL;
    }
    snprintf(later->text, sizeof later->text, "%s", text);
    snprintf(later->field, sizeof later->field, "%s", field);
    return later;
}

void reference_list_close(struct references *references)
{
    if (references->fd >= 0)
        close(references->fd);
    free(references->list);
    *references = (struct references){ .fd = -1 };
}

int reference_room(struct blob_store *blobs, int64_t bytes, int64_t min_free, struct err *err)
{
    int64_t room;

    if (bytes == 0)
        return 0;
    if (blob_room(blobs, &room, NULL, err) < 0)
        return -1;
    if (room - bytes < min_free)
        return err_set(err, ERR_STORAGE_FULL, "free space is below min_free_space");
    return 0;
}

int reference_fetch(struct blob_store *blobs, int source, int64_t offset, int64_t bytes, int *fd,
                    struct err *err)
{
    *fd = blob_stage(blobs, err);
    return *fd < 0 ? -1 : fdio_copy(source, offset, bytes, *fd, err);
}
