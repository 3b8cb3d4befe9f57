#include "cmd/agent/agent_remote.h"

#include <curl/curl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/http_client/http_client.h"
#include "base/scope.h"
#include "declare/value/text.h"

#define ANSWER_BYTES ((size_t) 4 << 20)
#define CONNECT_MS   10000
#define PIECE        ((int64_t) 64 << 20) /* of an upload */

struct transfer {
    const struct agent_remote *remote;
    const char *method, *path; /* path: NULL: url is the whole address */
    const char *url;
    const char *lines[4];
    const struct buf *body;
    int source; /* of the body, if there is no `body`; -1: none */
    int64_t offset, bytes;
    struct buf *answer; /* NULL: the answer is written to `target` */
    int target;
    bool too_long;
};

static size_t keep_answer(char *data, size_t one, size_t n, void *arg)
{
    struct transfer *transfer = arg;
    struct err err;

    if (!transfer->answer)
        return fdio_write(transfer->target, data, one * n, &err) < 0 ? 0 : one * n;
    transfer->too_long = transfer->answer->len + one * n > ANSWER_BYTES;
    if (transfer->too_long)
        return 0;
    buf_put(transfer->answer, data, one * n);
    return one * n;
}

static size_t give_body(char *data, size_t one, size_t n, void *arg)
{
    struct transfer *transfer = arg;
    size_t room = one * n;
    struct err err;
    ssize_t got;

    if ((int64_t) room > transfer->bytes)
        room = (size_t) transfer->bytes;
    got = fdio_read_at(transfer->source, data, room, transfer->offset, &err);
    if (got < 0)
        return CURL_READFUNC_ABORT;
    transfer->offset += got;
    transfer->bytes -= got;
    return (size_t) got;
}

static bool set_body(CURL *easy, struct transfer *transfer)
{
    if (transfer->body)
        return curl_easy_setopt(easy, CURLOPT_POSTFIELDS, buf_text(transfer->body)) == CURLE_OK &&
               curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long) transfer->body->len) ==
                   CURLE_OK;
    if (transfer->source < 0)
        return true;
    return curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_READFUNCTION, give_body) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_READDATA, transfer) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t) transfer->bytes) ==
               CURLE_OK;
}

static bool set_transfer(CURL *easy, struct transfer *transfer, struct curl_slist **headers)
{
    static const struct http_client_limits limits = { .http = true, .connect_ms = CONNECT_MS };
    const struct agent_remote *remote = transfer->remote;
    char url[AGENT_URL + 200], line[240];

    /* A signed address needs no key. */
    snprintf(line, sizeof line, "Authorization: Bearer %s", remote->key);
    if (transfer->path && !http_client_header(headers, line))
        return false;
    for (size_t i = 0; i < COUNT(transfer->lines); i++)
        if (transfer->lines[i] && !http_client_header(headers, transfer->lines[i]))
            return false;
    snprintf(url, sizeof url, "%s%s", remote->url, transfer->path ? transfer->path : "");
    return http_client_prepare(easy, transfer->path ? url : transfer->url, &limits) &&
           set_body(easy, transfer) &&
           /* A result may be in a bucket (redirect_downloads). */
           (transfer->path || curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L) == CURLE_OK) &&
           curl_easy_setopt(easy, CURLOPT_MAXREDIRS, 2L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, 120L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, transfer->method) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_HTTPHEADER, *headers) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep_answer) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer) == CURLE_OK;
}

/* Returns the status, or -1. */
static int make_transfer(struct transfer *transfer, struct err *err)
{
    CURL *easy = curl_easy_init();
    struct curl_slist *headers = NULL;
    CURLcode done = CURLE_OUT_OF_MEMORY;
    long status = -1;

    if (easy && set_transfer(easy, transfer, &headers) &&
        (done = curl_easy_perform(easy)) == CURLE_OK)
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    if (transfer->too_long)
        err_set(err, ERR_INTERNAL, "the server's answer is too long");
    else if (status < 0)
        err_set(err, ERR_INTERNAL, "the server at %.150s cannot be reached: %s",
                transfer->remote->url, curl_easy_strerror(done));
    curl_slist_free_all(headers);
    curl_easy_cleanup(easy);
    return (int) status;
}

int agent_remote_message(const struct agent_remote *remote, const struct agent_lines *lines,
                         const struct buf *message, struct buf *answer, struct err *err)
{
    struct transfer transfer = { .remote = remote,
                                 .method = "POST",
                                 .path = "/mcp",
                                 .lines = { "Content-Type: application/json", lines->lines[0],
                                            lines->lines[1], lines->lines[2] },
                                 .body = message,
                                 .source = -1,
                                 .answer = answer };

    return make_transfer(&transfer, err);
}

/* What the server says of an error, as one. */
static int refuse_answer(const char *what, int status, const struct buf *answer, struct err *err)
{
    json_t *json = json_loadb(buf_text(answer), answer->len, 0, NULL);
    const char *message = json_string_value(json_object_get(json, "message"));

    err_set(err, ERR_INVALID_REQUEST, "%s: %.200s (status %d)", what,
            message ? message : "the server refuses it", status);
    json_decref(json);
    return -1;
}

static int begin_upload(const struct agent_remote *remote, const char *name, int64_t bytes,
                        char id[static 40], struct err *err)
{
    json_t *form = json_pack("{ss sI}", "name", name, "size", (json_int_t) bytes);
    AUTO_FREE char *text = form ? json_dumps(form, JSON_COMPACT) : NULL;
    AUTO_BUF struct buf body = BUF_EMPTY, answer = BUF_EMPTY;
    struct transfer transfer = { .remote = remote,
                                 .method = "POST",
                                 .path = "/api/v1/uploads",
                                 .lines = { "Content-Type: application/json" },
                                 .body = &body,
                                 .source = -1,
                                 .answer = &answer };
    json_t *json;
    int status;

    json_decref(form);
    buf_puts(&body, text ? text : "");
    status = make_transfer(&transfer, err);
    if (status < 0)
        return -1;
    json = json_loadb(buf_text(&answer), answer.len, 0, NULL);
    snprintf(id, 40, "%s",
             json_is_object(json) && json_object_get(json, "uploadId")
                 ? json_string_value(json_object_get(json, "uploadId"))
                 : "");
    json_decref(json);
    return *id ? 0 : refuse_answer("the file cannot be uploaded", status, &answer, err);
}

static int send_piece(const struct agent_remote *remote, const char *id, int fd, int64_t offset,
                      int64_t bytes, struct err *err)
{
    AUTO_BUF struct buf answer = BUF_EMPTY;
    char path[80], at[60];
    struct transfer transfer = { .remote = remote,
                                 .method = "PATCH",
                                 .path = path,
                                 .lines = { "Content-Type: application/offset+octet-stream", at,
                                            "Expect:" },
                                 .source = fd,
                                 .offset = offset,
                                 .bytes = bytes,
                                 .answer = &answer };
    int status;

    snprintf(path, sizeof path, "/api/v1/uploads/%s", id);
    snprintf(at, sizeof at, "Upload-Offset: %lld", (long long) offset);
    status = make_transfer(&transfer, err);
    if (status < 0)
        return -1;
    return status == 200 ? 0 : refuse_answer("the file cannot be uploaded", status, &answer, err);
}

int agent_remote_upload(const struct agent_remote *remote, int fd, const char *name,
                        char handle[static 64], struct err *err)
{
    char id[40], safe[201];
    struct stat info;

    if (fstat(fd, &info) < 0)
        return err_sys(err, "the file");
    text_file_name(name, strlen(name), safe, sizeof safe - 1);
    if (begin_upload(remote, *safe ? safe : "document", info.st_size, id, err) < 0)
        return -1;
    for (int64_t at = 0; at < info.st_size; at += PIECE)
        if (send_piece(remote, id, fd, at, info.st_size - at < PIECE ? info.st_size - at : PIECE,
                       err) < 0)
            return -1;
    snprintf(handle, 64, "upload:%s", id);
    return 0;
}

int agent_remote_download(const struct agent_remote *remote, const char *url, int fd,
                          struct err *err)
{
    struct transfer transfer = {
        .remote = remote, .method = "GET", .url = url, .source = -1, .target = fd
    };
    int status = make_transfer(&transfer, err);

    if (status < 0)
        return -1;
    return status == 200 ? 0
                         : err_set(err, ERR_INTERNAL,
                                   "the result cannot be downloaded: the server answers with "
                                   "status %d",
                                   status);
}
