#include "server/api/uploads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/num.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "declare/value/text.h"
#include "server/api/tickets.h"
#include "server/api_call/answer.h"
#include "server/api_call/call.h"
#include "server/api_call/scope.h"
#include "server/api_call/visitors.h"
#include "server/api_submit/address_fetch.h"
#include "server/api_submit/reference.h"
#include "server/api_submit/retention.h"
#include "server/api_submit/strips.h"
#include "server/api_submit/test_outcome.h"
#include "server/api_submit/upload_find.h"
#include "server/dispatch/upload_files.h"

#define FORM_BYTES  16384 /* of the JSON that begins an upload */
#define NAME_BYTES  255
#define PIECE_MEDIA "application/offset+octet-stream"
#define SMALL       65536 /* bytes of a piece that are kept in memory until all of it is here */

struct sending {
    struct call call; /* first: answer_finish finds it here */
    struct http_request *req;
    struct buf form;
    struct store_upload upload;
    int64_t offset; /* the client's */
    int fd;         /* the piece so far */
    int64_t bytes;
    struct sending *next; /* in `busy` */
    bool listed;
};

/* Pieces that are being received: of one upload only one at a time, or the second would be read to
 * its end only to be refused. */
static struct {
    pthread_mutex_t lock;
    struct sending *list;
} busy = { PTHREAD_MUTEX_INITIALIZER, NULL };

static bool begin_alone(struct sending *s)
{
    bool alone = true;

    pthread_mutex_lock(&busy.lock);
    for (const struct sending *other = busy.list; other; other = other->next)
        alone = alone && strcmp(other->upload.id, s->upload.id) != 0;
    if (alone) {
        s->next = busy.list;
        busy.list = s;
        s->listed = true;
    }
    pthread_mutex_unlock(&busy.lock);
    return alone;
}

static void end_alone(struct sending *s)
{
    pthread_mutex_lock(&busy.lock);
    for (struct sending **at = &busy.list; *at; at = &(*at)->next) {
        if (*at == s) {
            *at = s->next;
            break;
        }
    }
    pthread_mutex_unlock(&busy.lock);
    s->listed = false;
}

static json_t *to_json(const struct store_upload *upload)
{
    json_t *object = json_pack("{ss ss sI sI sb}", "uploadId", upload->id, "name", upload->name,
                               "size", (json_int_t) upload->size, "offset",
                               (json_int_t) upload->offset, "complete", upload->complete);

    if (upload->complete)
        json_object_set_new(object, "kind",
                            *upload->kind ? json_string(upload->kind) : json_null());
    answer_set_time(object, "createdAt", upload->created_at);
    answer_set_time(object, "expiresAt", tickets_expiry(upload));
    return object;
}

static enum http_next answer_upload(struct http_response *resp, int status,
                                    const struct store_upload *upload)
{
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    http_response_header(resp, "Upload-Offset", "%lld", (long long) upload->offset);
    return answer_json(resp, status, to_json(upload));
}

static struct sending *sending_new(struct http_request *req)
{
    struct sending *s = calloc(1, sizeof *s);

    req->state = s;
    if (s) {
        s->req = req;
        s->fd = -1;
    }
    return s;
}

static int begin_sending(struct http_request *req, struct sending *s, struct err *err)
{
    if (!s)
        return err_sys(err, "upload");
    if (call_begin(req, &s->call, err) < 0)
        return -1;
    if (atomic_load(&api_of(req)->draining))
        return err_set(err, ERR_SHUTTING_DOWN, "the server is about to stop; try again shortly");
    return 0;
}

enum http_next uploads_begin_new(struct http_request *req, struct http_response *resp)
{
    struct sending *s = sending_new(req);
    const char *type = http_header(req, "Content-Type");
    struct err err;

    if (begin_sending(req, s, &err) < 0)
        return answer_error(req, resp, &err);
    if (!type || strncasecmp(type, "application/json", 16) != 0) {
        err_set(&err, ERR_UNSUPPORTED_MEDIA_TYPE, "send name and size as application/json");
        return answer_error(req, resp, &err);
    }
    return HTTP_CONTINUE;
}

static int receive_form(struct sending *s, const void *data, size_t n, struct err *err)
{
    if (s->form.len + n > FORM_BYTES)
        return err_set(err, ERR_INVALID_REQUEST, "the JSON has more than %d bytes", FORM_BYTES);
    buf_put(&s->form, data, n);
    return s->form.failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

static int receive_piece(struct sending *s, const void *data, size_t n, struct err *err)
{
    struct blob_store *blobs = api_of(s->req)->blobs;

    if ((int64_t) n > s->upload.size - s->offset - s->bytes)
        return err_set(err, ERR_INVALID_REQUEST,
                       "the piece goes beyond the %lld bytes of the upload",
                       (long long) s->upload.size);
    if (blob_append(blobs, &s->fd, s->bytes, data, n, SMALL, err) < 0)
        return -1;
    s->bytes += (int64_t) n;
    return 0;
}

enum http_next uploads_body(struct http_request *req, const void *data, size_t n,
                            struct http_response *resp)
{
    struct sending *s = req->state;
    struct err err;

    if ((s->listed ? receive_piece(s, data, n, &err) : receive_form(s, data, n, &err)) < 0)
        return answer_error(req, resp, &err);
    return HTTP_CONTINUE;
}

static int read_form(struct sending *s, const struct config *config, struct err *err)
{
    json_t *form = json_loadb(s->form.data ? s->form.data : "", s->form.len, 0, NULL);
    char name[NAME_BYTES + 1];
    const char *given = NULL;
    const int64_t most = test_outcome_most(&s->call, config->max_file_size);
    json_int_t size = 0;
    int done = 0;

    if (json_unpack(form, "{s?s sI !}", "name", &given, "size", &size) < 0)
        done = err_set(err, ERR_INVALID_REQUEST,
                       "send a JSON object with name (text) and size (bytes of the whole file)");
    else if (size < 1)
        done = err_field(err, ERR_INVALID_PARAMETER, "size", "size must be at least 1");
    else if (size > most)
        done = err_field(err, ERR_FILE_TOO_LARGE, "size", "a file may have at most %lld bytes",
                         (long long) most);
    if (done == 0) {
        text_file_name(given ? given : "", given ? strlen(given) : 0, name, NAME_BYTES);
        s->upload.name = strdup(name);
        s->upload.pieces = strdup("");
        s->upload.size = size;
        if (!s->upload.name || !s->upload.pieces)
            done = err_set(err, ERR_INTERNAL, "out of memory");
    }
    json_decref(form);
    return done;
}

/* Instead of a size the form has an address: the file is fetched, and is the only piece. */
static int fetch_upload(struct sending *s, const json_t *form, const struct config *config,
                        struct err *err)
{
    const json_t *given = json_object_get(form, "name");
    char name[NAME_BYTES + 1];
    struct address_file file;

    if (json_object_get(form, "size") || (given && !json_is_string(given)))
        return err_set(err, ERR_INVALID_REQUEST,
                       "send fileUrl without size and, if you like, fileHeaders, fileDigest and "
                       "name (text)");
    if (address_fetch(api_of(s->req), &s->call, form,
                      test_outcome_most(&s->call, config->max_file_size), &file, err) < 0)
        return -1;
    s->fd = file.fd;
    s->bytes = file.bytes;
    if (given)
        text_file_name(json_string_value(given), json_string_length(given), name, NAME_BYTES);
    s->upload.name = strdup(given ? name : file.name);
    s->upload.pieces = strdup("");
    s->upload.size = file.bytes;
    return s->upload.name && s->upload.pieces ? 0 : err_set(err, ERR_INTERNAL, "out of memory");
}

static int read_new(struct sending *s, const struct config *config, struct err *err)
{
    json_t *form = json_loadb(s->form.data ? s->form.data : "", s->form.len, 0, NULL);
    int done = address_fetch_is_asked(form) ? fetch_upload(s, form, config, err)
                                            : read_form(s, config, err);

    json_decref(form);
    return done;
}

static int add_piece(struct sending *s, struct err *err);

static int open_upload(struct sending *s, struct err *err)
{
    struct api *api = api_of(s->req);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    struct store_upload_terms terms = { .max_uploads = config->kept_uploads,
                                        .max_bytes = config->kept_upload_bytes };
    int64_t ms;

    if (read_new(s, config, err) < 0 || dispatcher_check_room(api->dispatcher, err) < 0 ||
        reference_room(api->blobs, s->upload.size, config->min_free_space, err) < 0 ||
        retention_of(config, s->call.plan, NULL, &ms, err) < 0)
        return -1;
    if (visitors_is(&s->call.key) && !visitors_have_bytes(s->req, s->upload.size))
        return visitors_refuse_bytes(ERR_TOO_MANY_UPLOADS, err);
    if (visitors_is(&s->call.key) && terms.max_bytes > s->call.plan->bytes_per_month)
        terms.max_bytes = s->call.plan->bytes_per_month;
    scope_new_id(api, &s->call.key, s->upload.id);
    s->upload.key_id = s->call.key.id;
    s->upload.created_at = clock_wall_ms();
    s->upload.expires_at = s->upload.created_at + ms;
    if (store_upload_put(api->store, &s->upload, &terms, err) < 0)
        return -1;
    return s->bytes > 0 ? add_piece(s, err) : 0;
}

static void work_new(void *arg)
{
    struct sending *s = arg;
    struct http_response *resp = http_later(s->req);
    struct err err;

    if (open_upload(s, &err) < 0) {
        answer_error(s->req, resp, &err);
    } else {
        log_info("upload.begun", KV("upload", s->upload.id), KV("request", s->req->id),
                 KV("key", s->call.key.prefix), KV("bytes", s->upload.size));
        http_response_header(resp, "Location", "/api/v1/uploads/%s", s->upload.id);
        answer_upload(resp, 201, &s->upload);
    }
    http_resume(s->req);
}

static enum http_next later(struct http_request *req, struct http_response *resp,
                            void (*work)(void *))
{
    struct err err;

    if (crew_add(api_of(req)->intake, work, req->state) < 0)
        return answer_error(req, resp, (err_sys(&err, "upload"), &err));
    return HTTP_LATER;
}

static void work_fetch(void *arg)
{
    int64_t account = ((struct sending *) arg)->call.key.id;

    work_new(arg); /* frees it */
    address_fetch_end(account);
}

enum http_next uploads_new(struct http_request *req, struct http_response *resp)
{
    struct sending *s = req->state;
    struct err err;

    if (!s->form.len || !memmem(s->form.data, s->form.len, "\"fileUrl\"", 9))
        return later(req, resp, work_new);
    if (address_fetch_begin(s->call.key.id, &err) < 0)
        return answer_error(req, resp, &err);
    if (crew_add(api_of(req)->fetches, work_fetch, s) == 0)
        return HTTP_LATER;
    address_fetch_end(s->call.key.id);
    return answer_error(req, resp, (err_sys(&err, "upload"), &err));
}

/* The error with how far the upload is, so that the client can go on from there. */
static enum http_next refuse_offset(struct http_request *req, struct http_response *resp,
                                    const struct store_upload *upload)
{
    json_t *body;
    char *text;
    struct err err;

    err_set(&err, ERR_UPLOAD_OFFSET_MISMATCH, "the next byte of this upload is byte %lld",
            (long long) upload->offset);
    answer_error(req, resp, &err);
    http_response_header(resp, "Upload-Offset", "%lld", (long long) upload->offset);
    body = json_loadb(resp->body.data, resp->body.len, 0, NULL);
    json_object_set_new(body, "offset", json_integer((json_int_t) upload->offset));
    text = json_dumps(body, JSON_COMPACT);
    if (text) {
        resp->body.len = 0;
        buf_puts(&resp->body, text);
        buf_putc(&resp->body, '\n');
    }
    free(text);
    json_decref(body);
    return HTTP_ANSWER;
}

static int check_piece(struct http_request *req, struct sending *s, struct err *err)
{
    struct api *api = api_of(req);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    const char *type = http_header(req, "Content-Type"), *at = http_header(req, "Upload-Offset");
    int64_t length = req->content_length;

    if (!type || strncasecmp(type, PIECE_MEDIA, strlen(PIECE_MEDIA)) != 0)
        return err_set(err, ERR_UNSUPPORTED_MEDIA_TYPE, "send a piece as " PIECE_MEDIA);
    if (!at || !num_parse_i64(at, strlen(at), 0, INT64_MAX, &s->offset))
        return err_set(err, ERR_INVALID_REQUEST,
                       "send the number of bytes before this piece in the header Upload-Offset");
    if (upload_find(api->store, s->call.key.id, req->args[0], &s->upload, err) < 0)
        return -1;
    if (strcmp(s->upload.kind, STORE_UPLOAD_TICKET) == 0)
        return err_set(err, ERR_INVALID_REQUEST,
                       "this upload is that of a ticket: send its file to the ticket's address");
    if (s->offset == s->upload.offset && length > s->upload.size - s->offset)
        return err_set(err, ERR_INVALID_REQUEST,
                       "the piece goes beyond the %lld bytes of the upload",
                       (long long) s->upload.size);
    return reference_room(api->blobs, length > 0 ? length : 1, config->min_free_space, err);
}

enum http_next uploads_begin_piece(struct http_request *req, struct http_response *resp)
{
    struct sending *s = sending_new(req);
    AUTO_UPLOAD struct store_upload now = { 0 };
    struct err err;

    if (begin_sending(req, s, &err) < 0 || check_piece(req, s, &err) < 0)
        return answer_error(req, resp, &err);
    if (s->offset != s->upload.offset)
        return refuse_offset(req, resp, &s->upload);
    if (!begin_alone(s)) {
        err_set(&err, ERR_UPLOAD_BUSY,
                "another piece of this upload is being received: ask for its offset later");
        return answer_error(req, resp, &err);
    }
    /* The piece that was being received until now has changed what was read. */
    if (upload_find(api_of(req)->store, s->call.key.id, s->upload.id, &now, &err) < 0)
        return answer_error(req, resp, &err);
    if (s->offset != now.offset)
        return refuse_offset(req, resp, &now);
    s->fd = fdio_memory_file(&err);
    return s->fd < 0 ? answer_error(req, resp, &err) : HTTP_CONTINUE;
}

/* The upload is not where it was when the piece began: the piece's file goes unless it is that of
 * another request with the same bytes, or it would stay without counting for anybody. */
static int drop_piece(struct sending *s, struct err *err)
{
    struct api *api = api_of(s->req);
    AUTO_UPLOAD struct store_upload now = { 0 };
    int found = store_upload_find(api->store, s->upload.id, &now, err);

    if (found < 0)
        return -1;
    upload_files_drop(api->blobs, &s->upload, s->offset, found == 1 ? &now : NULL);
    if (found == 0)
        return upload_find_none(err);
    return err_set(err, ERR_UPLOAD_OFFSET_MISMATCH,
                   "another request went on with this upload: ask for its offset");
}

/* What another request did while this piece came counts: what is there is looked up once more. */
static int add_piece(struct sending *s, struct err *err)
{
    struct api *api = api_of(s->req);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    AUTO_FREE char *before = strdup(s->upload.pieces);
    int64_t ms;
    int done;

    if (!before)
        return err_set(err, ERR_INTERNAL, "out of memory");
    if (retention_of(config, s->call.plan, NULL, &ms, err) < 0 ||
        upload_files_add(api->blobs, &s->upload, s->fd, s->bytes, err) < 0)
        return -1;
    s->upload.expires_at = clock_wall_ms() + ms;
    done = store_upload_advance(api->store, &s->upload, s->offset, err);
    if (done < 0)
        return -1;
    if (done == 0)
        return drop_piece(s, err);
    upload_files_settle(api->blobs, &s->upload, before);
    return 0;
}

static void work_piece(void *arg)
{
    struct sending *s = arg;
    struct err err;
    AUTO_UPLOAD struct store_upload now = { 0 };
    bool failed = s->bytes > 0 && add_piece(s, &err) < 0;

    if (failed && err.code == ERR_UPLOAD_OFFSET_MISMATCH &&
        store_upload_find(api_of(s->req)->store, s->upload.id, &now, &err) == 1) {
        refuse_offset(s->req, http_later(s->req), &now);
    } else if (failed) {
        answer_error(s->req, http_later(s->req), &err);
    } else {
        if (s->upload.complete)
            log_info("upload.complete", KV("upload", s->upload.id), KV("request", s->req->id),
                     KV("bytes", s->upload.size));
        answer_upload(http_later(s->req), 200, &s->upload);
    }
    end_alone(s); /* Before the answer goes, which the next piece may follow at once. */
    http_resume(s->req);
}

enum http_next uploads_piece(struct http_request *req, struct http_response *resp)
{
    return later(req, resp, work_piece);
}

enum http_next uploads_show(struct http_request *req, struct http_response *resp)
{
    const struct call *call = req->state;
    AUTO_UPLOAD struct store_upload upload = { 0 };
    struct err err;

    if (upload_find(api_of(req)->store, call->key.id, req->args[0], &upload, &err) < 0)
        return answer_error(req, resp, &err);
    return answer_upload(resp, 200, &upload);
}

enum http_next uploads_begin_any(struct http_request *req, struct http_response *resp)
{
    struct sending *s = sending_new(req);
    struct err err;

    if (!s)
        return answer_error(req, resp, (err_sys(&err, "upload"), &err));
    return call_begin(req, &s->call, &err) < 0 ? answer_error(req, resp, &err) : HTTP_CONTINUE;
}

static void forget_pictures(struct api *api, const char *id)
{
    char source[STRIPS_SOURCE];

    snprintf(source, sizeof source, "upload:%s", id);
    strips_forget(api->strips, source);
}

int uploads_erase(struct api *api, int64_t key_id, const char *id, struct err *err)
{
    AUTO_UPLOAD struct store_upload upload = { 0 };
    int removed = store_upload_remove(api->store, id, key_id, &upload, err);

    if (removed != 1)
        return removed;
    upload_files_discard(api->blobs, &upload);
    forget_pictures(api, upload.id);
    atomic_store(&api->removed, true);
    return 1;
}

static void work_delete(void *arg)
{
    struct sending *s = arg;
    struct api *api = api_of(s->req);
    struct http_response *resp = http_later(s->req);
    const char *id = s->req->args[0];
    struct err err;
    int done = id_is_valid(id) ? uploads_erase(api, s->call.key.id, id, &err) : 0;

    if (done == 1) {
        log_info("upload.deleted", KV("upload", id), KV("request", s->req->id));
        resp->status = 204;
    } else {
        if (done == 0)
            upload_find_none(&err);
        answer_error(s->req, resp, &err);
    }
    http_resume(s->req);
}

enum http_next uploads_delete(struct http_request *req, struct http_response *resp)
{
    return later(req, resp, work_delete);
}

void uploads_done(struct http_request *req)
{
    struct sending *s = req->state;

    if (!s)
        return;
    if (s->listed)
        end_alone(s);
    if (s->fd >= 0)
        close(s->fd);
    buf_free(&s->form);
    store_upload_free(&s->upload);
    free(s);
    req->state = NULL;
}
