#include "server/api/tickets.h"

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
#include "server/api/signing.h"
#include "server/api_call/answer.h"
#include "server/api_call/call.h"
#include "server/api_call/scope.h"
#include "server/api_call/visitors.h"
#include "server/api_submit/reference.h"
#include "server/api_submit/retention.h"
#include "server/api_submit/test_outcome.h"
#include "server/dispatch/upload_files.h"
#include "server/multipart/multipart.h"

#define TICKET_MS    (15 * INT64_C(60000))
#define GRACE_MS     (15 * INT64_C(60000)) /* for a file whose sending began in time */
#define PRESET_BYTES (INT64_C(100) << 20)  /* of the file, if the request names no limit */
#define FORM_BYTES   4096                  /* of the JSON that asks for a ticket */
#define NAME_BYTES   255
#define FRAME_BYTES  8192  /* of a browser's form around its file */
#define SMALL        65536 /* bytes of a file that are kept in memory until all of it is here */

/* A request for a ticket, or one to its address. */
struct handing {
    struct call call; /* first: answer_finish finds it here; of a request for a ticket */
    struct http_request *req;
    struct buf form;
    struct store_upload upload;
    struct multipart *parts; /* of a browser's form */
    bool has_file;           /* the form has one */
    int fd;                  /* the file so far; -1: this is a request for a ticket */
    int64_t bytes;
};

static bool is_unfilled(const struct store_upload *upload)
{
    return strcmp(upload->kind, STORE_UPLOAD_TICKET) == 0;
}

int64_t tickets_expiry(const struct store_upload *upload)
{
    return is_unfilled(upload) ? upload->created_at + TICKET_MS : upload->expires_at;
}

static struct handing *handing_new(struct http_request *req, struct err *err)
{
    struct handing *h = calloc(1, sizeof *h);

    req->state = h;
    if (!h) {
        err_sys(err, "ticket");
        return NULL;
    }
    h->req = req;
    h->fd = -1;
    return h;
}

static int check_draining(struct http_request *req, struct err *err)
{
    if (!atomic_load(&api_of(req)->draining))
        return 0;
    return err_set(err, ERR_SHUTTING_DOWN, "the server is about to stop; try again shortly");
}

enum http_next tickets_begin_new(struct http_request *req, struct http_response *resp)
{
    const char *type = http_header(req, "Content-Type");
    struct err err;
    struct handing *h = handing_new(req, &err);

    if (!h || call_begin(req, &h->call, &err) < 0 || check_draining(req, &err) < 0)
        return answer_error(req, resp, &err);
    if (!type || strncasecmp(type, "application/json", 16) != 0) {
        err_set(&err, ERR_UNSUPPORTED_MEDIA_TYPE, "send maxBytes and name as application/json");
        return answer_error(req, resp, &err);
    }
    return HTTP_CONTINUE;
}

static int receive_form(struct handing *h, const void *data, size_t n, struct err *err)
{
    if (h->form.len + n > FORM_BYTES)
        return err_set(err, ERR_INVALID_REQUEST, "the JSON has more than %d bytes", FORM_BYTES);
    buf_put(&h->form, data, n);
    return h->form.failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

static int receive_file(void *arg, const void *data, size_t n, struct err *err)
{
    struct handing *h = arg;

    if ((int64_t) n > h->upload.size - h->bytes)
        return err_set(err, ERR_FILE_TOO_LARGE,
                       "a file for this ticket may have at most %lld bytes",
                       (long long) h->upload.size);
    if (blob_append(api_of(h->req)->blobs, &h->fd, h->bytes, data, n, SMALL, err) < 0)
        return -1;
    h->bytes += (int64_t) n;
    return 0;
}

enum http_next tickets_body(struct http_request *req, const void *data, size_t n,
                            struct http_response *resp)
{
    struct handing *h = req->state;
    struct err err;
    int done;

    if (h->fd < 0)
        done = receive_form(h, data, n, &err);
    else if (h->parts)
        done = multipart_feed(h->parts, data, n, &err);
    else
        done = receive_file(h, data, n, &err);
    return done < 0 ? answer_error(req, resp, &err) : HTTP_CONTINUE;
}

static int set_name(struct handing *h, const char *given, struct err *err)
{
    char name[NAME_BYTES + 1];

    text_file_name(given ? given : "", given ? strlen(given) : 0, name, NAME_BYTES);
    free(h->upload.name);
    h->upload.name = strdup(name);
    return h->upload.name ? 0 : err_set(err, ERR_INTERNAL, "out of memory");
}

/* The JSON may be left out. */
static int read_form(struct handing *h, const struct config *config, struct err *err)
{
    const int64_t most = test_outcome_most(&h->call, config->max_file_size);
    json_int_t size = most < PRESET_BYTES ? most : PRESET_BYTES;
    json_t *form = h->form.len ? json_loadb(h->form.data, h->form.len, 0, NULL) : json_object();
    const char *given = NULL;
    int done;

    if (json_unpack(form, "{s?s s?I !}", "name", &given, "maxBytes", &size) < 0)
        done = err_set(err, ERR_INVALID_REQUEST,
                       "send a JSON object with maxBytes (the largest file) and name (text)");
    else if (size < 1)
        done = err_field(err, ERR_INVALID_TICKET_SIZE, "maxBytes", "maxBytes must be at least 1");
    else if (size > most)
        done = err_field(err, ERR_FILE_TOO_LARGE, "maxBytes", "a file may have at most %lld bytes",
                         (long long) most);
    else
        done = set_name(h, given, err);
    json_decref(form);
    h->upload.size = size;
    return done;
}

static int open_ticket(struct handing *h, struct err *err)
{
    struct api *api = api_of(h->req);
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    struct store_upload_terms terms = { .max_uploads = config->kept_uploads,
                                        .max_bytes = config->kept_upload_bytes };
    int64_t keep;

    if (read_form(h, config, err) < 0 || retention_of(config, h->call.plan, NULL, &keep, err) < 0)
        return -1;
    if (asprintf(&h->upload.pieces, "%lld", (long long) keep) < 0) {
        h->upload.pieces = NULL;
        return err_set(err, ERR_INTERNAL, "out of memory");
    }
    if (visitors_is(&h->call.key) && !visitors_have_bytes(h->req, h->upload.size))
        return visitors_refuse_bytes(ERR_TOO_MANY_UPLOADS, err);
    if (visitors_is(&h->call.key) && terms.max_bytes > h->call.plan->bytes_per_month)
        terms.max_bytes = h->call.plan->bytes_per_month;
    scope_new_id(api, &h->call.key, h->upload.id);
    h->upload.key_id = h->call.key.id;
    snprintf(h->upload.kind, sizeof h->upload.kind, "%s", STORE_UPLOAD_TICKET);
    h->upload.created_at = clock_wall_ms();
    h->upload.expires_at = h->upload.created_at + TICKET_MS + GRACE_MS;
    return store_upload_put(api->store, &h->upload, &terms, err);
}

static json_t *ticket_json(const struct store_upload *upload)
{
    json_t *object = json_pack("{ss ss sI}", "uploadId", upload->id, "name", upload->name,
                               "maxBytes", (json_int_t) upload->size);

    answer_set_time(object, "createdAt", upload->created_at);
    answer_set_time(object, "expiresAt", tickets_expiry(upload));
    return object;
}

static void work_new(void *arg)
{
    struct handing *h = arg;
    struct http_response *resp = http_later(h->req);
    AUTO_BUF struct buf url = BUF_EMPTY;
    char base[API_BASE_URL];
    json_t *ticket;
    struct err err;

    if (open_ticket(h, &err) < 0) {
        answer_error(h->req, resp, &err);
    } else {
        log_info("ticket.made", KV("upload", h->upload.id), KV("request", h->req->id),
                 KV("key", h->call.key.prefix), KV("bytes", h->upload.size));
        answer_base_url(h->req, base, sizeof base);
        signing_ticket_url(api_of(h->req)->url_key, base, h->upload.id,
                           tickets_expiry(&h->upload) / 1000, &url);
        ticket = ticket_json(&h->upload);
        json_object_set_new(ticket, "url", json_string(buf_text(&url)));
        http_response_header(resp, "Location", "/api/v1/uploads/%s", h->upload.id);
        http_response_header(resp, "Cache-Control", "%s", "no-store");
        answer_json(resp, 201, ticket);
    }
    http_resume(h->req);
}

static enum http_next later(struct http_request *req, struct http_response *resp,
                            void (*work)(void *))
{
    struct err err;

    if (crew_add(api_of(req)->intake, work, req->state) < 0)
        return answer_error(req, resp, (err_sys(&err, "ticket"), &err));
    return HTTP_LATER;
}

enum http_next tickets_new(struct http_request *req, struct http_response *resp)
{
    return later(req, resp, work_new);
}

/* Why a ticket takes no file, by its upload as it is now (found 0: there is none). */
static int refuse_sender(const struct store_upload *now, int found, struct err *err)
{
    if (found == 0)
        return err_set(err, ERR_TICKET_REVOKED,
                       "this address was revoked, or the file that was sent to it was deleted");
    if (!is_unfilled(now))
        return err_set(err, ERR_TICKET_USED,
                       "a file was sent to this address already: it takes only one");
    return 0;
}

static int check_length(const struct handing *h, int64_t frame, struct err *err)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(h->req)->settings);
    const char *coding = http_header(h->req, "Content-Encoding");
    int64_t length = h->req->content_length;

    if (coding && *coding && strcasecmp(coding, "identity") != 0)
        return err_set(err, ERR_UNSUPPORTED_MEDIA_TYPE,
                       "the body has a Content-Encoding: send the file as it is");
    if (length - frame > h->upload.size)
        return err_set(err, ERR_FILE_TOO_LARGE,
                       "a file for this ticket may have at most %lld bytes",
                       (long long) h->upload.size);
    if (dispatcher_check_room(api_of(h->req)->dispatcher, err) < 0)
        return -1;
    return reference_room(api_of(h->req)->blobs, length > 0 ? length : 1, config->min_free_space,
                          err);
}

static int begin_file(struct http_request *req, int64_t frame, struct err *err)
{
    struct api *api = api_of(req);
    struct handing *h = handing_new(req, err);
    const char *id = req->args[0];
    int found;

    if (!h ||
        signing_check_ticket(api->url_key, id, http_query(req, "expires"),
                             http_query(req, "signature"), clock_wall_ms() / 1000, err) < 0 ||
        check_draining(req, err) < 0)
        return -1;
    found = store_upload_find(api->store, id, &h->upload, err);
    if (found < 0 || refuse_sender(&h->upload, found, err) < 0 || check_length(h, frame, err) < 0)
        return -1;
    h->fd = fdio_memory_file(err);
    return h->fd < 0 ? -1 : 0;
}

enum http_next tickets_begin_file(struct http_request *req, struct http_response *resp)
{
    struct err err;

    return begin_file(req, 0, &err) < 0 ? answer_error(req, resp, &err) : HTTP_CONTINUE;
}

/* The name of the ticket is its maker's, and goes first. */
static int begin_form_file(void *arg, const struct multipart_part *part, struct err *err)
{
    struct handing *h = arg;

    h->has_file = true;
    return *h->upload.name ? 0 : set_name(h, part->filename, err);
}

static int end_form_file(void *arg, struct err *err)
{
    (void) arg;
    (void) err;
    return 0;
}

enum http_next tickets_begin_form(struct http_request *req, struct http_response *resp)
{
    static const struct multipart_events events = { begin_form_file, receive_file, end_form_file };
    char boundary[MULTIPART_BOUNDARY];
    const char *type = http_header(req, "Content-Type");
    struct handing *h;
    struct err err;

    if (begin_file(req, FRAME_BYTES, &err) < 0 ||
        multipart_boundary(type ? type : "", boundary, &err) < 0)
        return answer_error(req, resp, &err);
    h = req->state;
    h->parts = multipart_new(boundary,
                             &(struct multipart_limits){
                                 .max_files = 1,
                                 .max_file_bytes = h->upload.size,
                                 .max_total_bytes = h->upload.size + FRAME_BYTES,
                                 .max_header_bytes = FRAME_BYTES / 2,
                             },
                             &events, h);
    if (!h->parts)
        return answer_error(req, resp, (err_sys(&err, "form"), &err));
    return HTTP_CONTINUE;
}

static int check_whole(struct handing *h, struct err *err)
{
    if (h->parts && multipart_finish(h->parts, err) < 0)
        return -1;
    if (h->parts && !h->has_file)
        return err_field(err, ERR_MISSING_FIELD, "file", "the form has no file");
    if (h->bytes == 0)
        return err_set(err, ERR_INVALID_REQUEST, "the file is empty: choose another one");
    return 0;
}

/* Of several files that come at the same time, perhaps to several servers, one is kept. */
static int keep_file(struct handing *h, struct err *err)
{
    struct api *api = api_of(h->req);
    AUTO_UPLOAD struct store_upload now = { 0 };
    int64_t keep;
    int done;

    if (check_whole(h, err) < 0)
        return -1;
    if (!num_parse_i64(h->upload.pieces, strlen(h->upload.pieces), 1, INT64_MAX, &keep))
        return err_set(err, ERR_INTERNAL, "the ticket is damaged");
    if (upload_files_fill(api->blobs, &h->upload, h->fd, h->bytes, err) < 0)
        return -1;
    answer_has_room(api);
    h->upload.expires_at = clock_wall_ms() + keep;
    done = store_upload_advance(api->store, &h->upload, 0, err);
    if (done != 0)
        return done < 0 ? -1 : 0;
    done = store_upload_find(api->store, h->upload.id, &now, err);
    if (done < 0)
        return -1;
    upload_files_empty(api->blobs, &h->upload);
    if (done == 0 && h->upload.created_at + TICKET_MS + GRACE_MS <= clock_wall_ms())
        return signing_ticket_expired(err);
    return refuse_sender(&now, done, err) < 0
               ? -1
               : err_set(err, ERR_UNAVAILABLE, "the file was not kept: send it again");
}

static void work_file(void *arg)
{
    struct handing *h = arg;
    struct http_response *resp = http_later(h->req);
    struct err err;
    json_t *object;

    if (keep_file(h, &err) < 0) {
        answer_error(h->req, resp, &err);
    } else {
        log_info("ticket.used", KV("upload", h->upload.id), KV("request", h->req->id),
                 KV("bytes", h->upload.size));
        object = json_pack("{ss ss sI sb ss*}", "uploadId", h->upload.id, "name", h->upload.name,
                           "size", (json_int_t) h->upload.size, "complete", 1, "kind",
                           *h->upload.kind ? h->upload.kind : NULL);
        answer_set_time(object, "expiresAt", h->upload.expires_at);
        http_response_header(resp, "Cache-Control", "%s", "no-store");
        answer_json(resp, 201, object);
    }
    http_resume(h->req);
}

enum http_next tickets_file(struct http_request *req, struct http_response *resp)
{
    return later(req, resp, work_file);
}

enum http_next tickets_list(struct http_request *req, struct http_response *resp)
{
    struct api *api = api_of(req);
    const struct call *call = req->state;
    AUTO_CONFIG const struct config *config = live_hold(api->settings);
    AUTO_UPLOADS struct store_uploads uploads = { 0 };
    int64_t now = clock_wall_ms();
    json_t *list;
    struct err err;

    if (store_upload_list(api->store, call->key.id, (size_t) config->kept_uploads, &uploads, &err) <
        0)
        return answer_error(req, resp, &err);
    list = json_array();
    for (size_t i = 0; i < uploads.n; i++)
        if (is_unfilled(&uploads.list[i]) && tickets_expiry(&uploads.list[i]) > now)
            json_array_append_new(list, ticket_json(&uploads.list[i]));
    return answer_json(resp, 200, json_pack("{so}", "tickets", list));
}

void tickets_done(struct http_request *req)
{
    struct handing *h = req->state;

    if (!h)
        return;
    if (h->fd >= 0)
        close(h->fd);
    multipart_free(h->parts);
    buf_free(&h->form);
    store_upload_free(&h->upload);
    free(h);
    req->state = NULL;
}
