#include "server/api/files.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "data/blob/blob_name.h"
#include "declare/value/file_kind.h"
#include "server/api/range.h"
#include "server/api/signing.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/call.h"
#include "server/dispatch/job_files.h"
#include "server/dispatch/result.h"

#define REDIRECT_SECONDS 60
/* Bytes of a file whose digest is compared before it is sent: larger files would let the client
 * wait too long, and their clients have the digest to compare (ETag). */
#define CHECKED_MOST (64 << 20)
/* Above these the digest is not computed on a thread that serves connections. */
#define CHECKED_HERE (1 << 20)

/* What of a job's result is asked for. */
struct download {
    int64_t offset, bytes;
    char etag[80];
    char sha256[DIGEST_TEXT]; /* "": not known */
    const char *media_type;
};

static const char *media_type_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    const char *type = dot ? file_kind_media_type(dot + 1) : NULL;

    return type ? type : "application/octet-stream";
}

static int locate(const struct job *job, const char *name, struct download *download,
                  struct err *err)
{
    json_t *outputs = json_loads(job->outputs_json, 0, NULL);
    struct result_output output;
    bool found = false;

    *download = (struct download){ .bytes = job->output_bytes, .media_type = media_type_of(name) };
    for (size_t i = 0; !found && result_output_at(outputs, i, &output); i++) {
        if (strcmp(output.name, name) != 0)
            continue;
        found = true;
        download->offset = output.offset;
        download->bytes = output.bytes;
        snprintf(download->etag, sizeof download->etag, "\"%.64s\"", output.sha256);
        snprintf(download->sha256, sizeof download->sha256, "%s", output.sha256);
    }
    json_decref(outputs);
    if (!found && strcmp(job->output_name, name) == 0) {
        found = true; /* the ZIP of all parts: written once, so its attempt names its bytes */
        snprintf(download->etag, sizeof download->etag, "\"%s-%d\"", job->id, job->attempt);
    }
    return found ? 0 : err_set(err, ERR_NOT_FOUND, "this job has no file of that name");
}

/* RFC 6266, with the plain form of RFC 2183 for old clients. */
static void put_disposition(const char *name, struct buf *out)
{
    AUTO_BUF struct buf encoded = BUF_EMPTY;
    char plain[RESULT_NAME];
    size_t n = 0;

    for (const char *p = name; *p && n < sizeof plain - 1; p++)
        if ((*p & 0xc0) != 0x80) /* one '_' for each character that is not ASCII */
            plain[n++] = *p >= ' ' && *p <= '~' && *p != '"' && *p != '\\' ? *p : '_';
    plain[n] = '\0';
    signing_encode(name, &encoded);
    buf_printf(out, "attachment; filename=\"%s\"; filename*=UTF-8''%s", plain, buf_text(&encoded));
}

static void add_disposition(struct http_response *resp, const char *name)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    put_disposition(name, &text);
    http_response_header(resp, "Content-Disposition", "%s", buf_text(&text));
}

/* If-None-Match (RFC 9110, 13.1.2): "*" or a list of tags, weak ones too. */
static bool has_it(const struct http_request *req, const char *etag)
{
    const char *tags = http_header(req, "If-None-Match");

    return tags && (strcmp(tags, "*") == 0 || strstr(tags, etag) != NULL);
}

static enum http_next send_file(struct http_request *req, struct http_response *resp, int fd,
                                const struct download *download, const char *name)
{
    const char *if_range = http_header(req, "If-Range");
    int64_t first = 0, length = download->bytes;
    enum range range = RANGE_NONE;
    struct err err;

    http_response_header(resp, "ETag", "%s", download->etag);
    http_response_header(resp, "Accept-Ranges", "%s", "bytes");
    http_response_header(resp, "Cache-Control", "%s", "private, no-transform");
    if (has_it(req, download->etag)) {
        close(fd);
        resp->status = 304;
        return HTTP_ANSWER;
    }
    if (!if_range || strcmp(if_range, download->etag) == 0)
        range = range_parse(http_header(req, "Range"), download->bytes, &first, &length);
    if (range == RANGE_BAD) {
        close(fd);
        http_response_header(resp, "Content-Range", "bytes */%" PRId64, download->bytes);
        err_set(&err, ERR_RANGE_NOT_SATISFIABLE, "the file has %" PRId64 " bytes", download->bytes);
        return answer_error(req, resp, &err);
    }
    resp->status = range == RANGE_PART ? 206 : 200;
    if (range == RANGE_PART)
        http_response_header(resp, "Content-Range", "bytes %" PRId64 "-%" PRId64 "/%" PRId64, first,
                             first + length - 1, download->bytes);
    http_response_header(resp, "Content-Type", "%s", download->media_type);
    http_response_header(resp, "Content-Security-Policy", "%s", "sandbox");
    add_disposition(resp, name);
    http_response_file(resp, fd, download->offset + first, length);
    return HTTP_ANSWER;
}

static int find_file_job(const struct http_request *req, struct job *job, struct err *err)
{
    struct api *api = api_of(req);
    int found;

    if (!id_is_valid(req->args[0]))
        return err_set(err, ERR_NOT_FOUND, "there is no such file: take the address from the job");
    if (signing_check(api->url_key, req->args[0], req->args[1], http_query(req, "expires"),
                      http_query(req, "signature"), clock_wall_ms() / 1000, err) < 0)
        return -1;
    found = store_find(api->store, req->args[0], job, err);
    if (found < 0)
        return -1;
    if (found > 0 && job_is_expired(job, clock_wall_ms()))
        return err_set(err, ERR_JOB_EXPIRED, "this file has expired and was deleted");
    if (found == 0 || job->state != JOB_COMPLETED)
        return err_set(err, ERR_NOT_FOUND, "there is no such file: take the address from the job");
    return 0;
}

/* A disk or a store that lost bytes must not go unnoticed. A request for what comes after the first
 * byte continues a download, whose client compares the whole. */
static bool is_checked(const struct http_request *req, const struct download *download)
{
    const char *range = http_header(req, "Range");

    return *download->sha256 && download->bytes <= CHECKED_MOST && !has_it(req, download->etag) &&
           (!range || strncmp(range, "bytes=0-", strlen("bytes=0-")) == 0);
}

static int check_digest(int fd, const struct job *job, const struct download *download,
                        struct err *err)
{
    char digest[DIGEST_TEXT];

    if (fdio_digest(fd, download->offset, download->bytes, digest, err) < 0)
        return -1;
    if (strcmp(digest, download->sha256) == 0)
        return 0;
    log_error("blob.damaged", KV("job", job->id), KV("digest", digest),
              KV("wanted", download->sha256));
    return err_set(err, ERR_INTERNAL, "the result's file has other bytes than it was written with");
}

/* The file of a job that `find` found. */
static enum http_next answer_file(struct http_request *req, struct http_response *resp,
                                  const struct job *job, const struct download *download)
{
    int64_t bytes;
    struct err err;
    int fd = job_files_result(api_of(req)->store, api_of(req)->blobs, job, &bytes, &err);

    if (fd < 0)
        return answer_error(req, resp, &err);
    if (bytes != job->output_bytes) {
        close(fd);
        log_error("blob.damaged", KV("job", job->id), KV("bytes", bytes),
                  KV("wanted", job->output_bytes));
        err_set(&err, ERR_INTERNAL, "the result's file is not as long as it was");
        return answer_error(req, resp, &err);
    }
    if (is_checked(req, download) && check_digest(fd, job, download, &err) < 0) {
        close(fd);
        return answer_error(req, resp, &err);
    }
    return send_file(req, resp, fd, download, req->args[1]);
}

/* Whether the client is sent to where the file is: to a whole one, as a part has no name there. */
static bool is_redirected(const struct http_request *req, const struct job *job,
                          const struct download *download)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);

    return config->redirect_downloads && download->bytes == job->output_bytes;
}

static enum http_next redirect(struct http_request *req, struct http_response *resp,
                               const struct job *job)
{
    AUTO_BUF struct buf address = BUF_EMPTY, disposition = BUF_EMPTY;
    char name[BLOB_NAME];
    struct err err;

    blob_name_result(job->attempt, name);
    put_disposition(req->args[1], &disposition);
    if (blob_address(api_of(req)->blobs, job->id, name, buf_text(&disposition), REDIRECT_SECONDS,
                     &address, &err) < 0)
        return answer_error(req, resp, &err);
    http_response_header(resp, "Location", "%s", buf_text(&address));
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    resp->status = 302;
    return HTTP_ANSWER;
}

/* A file that is fetched over a network first, or whose digest takes a while: not on a thread that
 * serves connections. */
struct fetching {
    /* must be the first member, which answer_finish reads; it has no account, as the address is
     * signed */
    struct call call;
    struct http_request *req;
    struct job job;
    struct download download;
};

static void fetch(void *arg)
{
    struct fetching *fetching = arg;
    struct http_request *req = fetching->req;

    answer_file(req, http_later(req), &fetching->job, &fetching->download);
    http_resume(req);
}

static enum http_next fetch_later(struct http_request *req, struct http_response *resp,
                                  struct job *job, const struct download *download)
{
    struct fetching *fetching = calloc(1, sizeof *fetching);
    struct err err;

    if (!fetching)
        return answer_error(req, resp, (err_sys(&err, "fetch"), &err));
    *fetching = (struct fetching){ .req = req, .job = *job, .download = *download };
    *job = (struct job){ 0 };
    req->state = fetching;
    if (crew_add(api_of(req)->intake, fetch, fetching) < 0)
        return answer_error(req, resp, (err_sys(&err, "fetch"), &err));
    return HTTP_LATER;
}

enum http_next files_get(struct http_request *req, struct http_response *resp)
{
    AUTO_JOB struct job job = { 0 };
    struct download download;
    struct err err;

    if (find_file_job(req, &job, &err) < 0 || locate(&job, req->args[1], &download, &err) < 0)
        return answer_error(req, resp, &err);
    if (api_of(req)->blobs->far && !(job.in_store & JOB_HAS_RESULT))
        return is_redirected(req, &job, &download) ? redirect(req, resp, &job)
                                                   : fetch_later(req, resp, &job, &download);
    if (download.bytes > CHECKED_HERE && is_checked(req, &download))
        return fetch_later(req, resp, &job, &download);
    return answer_file(req, resp, &job, &download);
}

void files_done(struct http_request *req)
{
    struct fetching *fetching = req->state;

    if (fetching)
        job_free(&fetching->job);
    free(fetching);
    req->state = NULL;
}
