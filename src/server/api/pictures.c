#include "server/api/pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/num.h"
#include "base/scope.h"
#include "base/version.h"
#include "server/api/jobs.h"
#include "server/api_call/answer.h"
#include "server/api_call/call.h"
#include "server/api_submit/strips.h"
#include "server/api_submit/upload_find.h"

#define WIDTH      160
#define PAGES_MOST 100000
#define SIZES_MAX  8000000L
#define KEPT_S     3600 /* how long a browser may keep a picture: what an id names never changes */
#define OUTPUT_MAX 10000

struct looking {
    struct call call; /* first: answer_finish finds it here */
    struct http_request *req;
    struct strips_order order;
    char etag[80];
};

enum http_next pictures_begin(struct http_request *req, struct http_response *resp)
{
    struct looking *looking = calloc(1, sizeof *looking);
    struct err err;

    req->state = looking;
    if (!looking)
        return answer_error(req, resp, (err_sys(&err, "pages"), &err));
    looking->req = req;
    return call_begin(req, &looking->call, &err) < 0 ? answer_error(req, resp, &err)
                                                     : HTTP_CONTINUE;
}

/* Errors that otherwise only end jobs are answers here: what is asked for cannot be made. */
static enum http_next refuse_picture(struct http_request *req, struct http_response *resp,
                                     const struct err *err)
{
    struct err known = *err;

    if (known.code == ERR_PAGE_OUT_OF_RANGE)
        known.code = ERR_NOT_FOUND;
    answer_error(req, resp, &known);
    if (resp->status == 500 && known.code != ERR_INTERNAL)
        resp->status = 422;
    return HTTP_ANSWER;
}

static int read_query_number(const char *text, size_t n, int64_t min, int64_t max, const char *name,
                             int64_t *out, struct err *err)
{
    if (num_parse_i64(text, n, min, max, out))
        return 0;
    return err_field(err, ERR_INVALID_PARAMETER, name, "%s must be a number from %lld to %lld",
                     name, (long long) min, (long long) max);
}

/* What the address names. */
static int name_source(struct looking *looking, bool of_job, struct err *err)
{
    struct http_request *req = looking->req;
    struct strips_order *order = &looking->order;
    const char *output = of_job ? http_query(req, "output") : NULL;
    AUTO_UPLOAD struct store_upload upload = { 0 };
    AUTO_JOB struct job job = { 0 };
    int64_t number = 1;

    order->account = looking->call.key.id;
    if (!of_job) {
        if (upload_find(api_of(req)->store, order->account, req->args[0], &upload, err) < 0)
            return -1;
        if (!upload.complete)
            return err_set(err, ERR_UPLOAD_NOT_COMPLETE,
                           "this upload is not complete yet: send its remaining pieces first");
        snprintf(order->source, sizeof order->source, "upload:%s", req->args[0]);
        return 0;
    }
    if (jobs_find(req, &job, err) < 0)
        return -1;
    if (job.state != JOB_COMPLETED)
        return err_set(err, ERR_JOB_NOT_COMPLETED, "the job has no result, or not yet");
    if (output &&
        read_query_number(output, strlen(output), 1, OUTPUT_MAX, "output", &number, err) < 0)
        return -1;
    snprintf(order->source, sizeof order->source, output ? "job:%s/%lld" : "job:%s", req->args[0],
             (long long) number);
    return 0;
}

static int read_password(struct looking *looking, struct err *err)
{
    const char *password = http_header(looking->req, "X-Input-Password");

    if (password && strlen(password) >= sizeof looking->order.password)
        return err_set(err, ERR_INVALID_REQUEST, "X-Input-Password is too long");
    snprintf(looking->order.password, sizeof looking->order.password, "%s",
             password ? password : "");
    return 0;
}

/* "12.webp" or "12.json" */
static int read_page(struct looking *looking, struct err *err)
{
    const char *name = looking->req->args[1], *width = http_query(looking->req, "width");
    const char *dot = strrchr(name, '.');
    bool picture = dot && strcmp(dot, ".webp") == 0, words = dot && strcmp(dot, ".json") == 0;
    int64_t page, pixels = WIDTH;

    if (!(picture || words) || !num_parse_i64(name, (size_t) (dot - name), 1, PAGES_MOST, &page))
        return err_set(err, ERR_NOT_FOUND,
                       "pages are called 1.webp, 2.webp and so on, their words 1.json, 2.json");
    if (picture && width &&
        read_query_number(width, strlen(width), STRIPS_WIDTH_MIN, STRIPS_WIDTH_MAX, "width",
                          &pixels, err) < 0)
        return -1;
    looking->order.what = picture ? STRIPS_PICTURES : STRIPS_WORDS;
    looking->order.page = (size_t) page - 1;
    looking->order.width = picture ? (int) pixels : 0;
    return 0;
}

static void page_ready(void *arg, const struct strips_picture *picture, const struct err *err)
{
    struct looking *looking = arg;
    struct http_request *req = looking->req;
    struct http_response *resp = http_later(req);
    int fd = picture ? dup(picture->fd) : -1;
    struct err why;

    if (picture && fd < 0) {
        err_sys(&why, "pages");
        err = &why;
    }
    if (err) {
        refuse_picture(req, resp, err);
    } else if (picture) {
        http_response_header(resp, "Content-Type", "%s",
                             looking->order.what == STRIPS_PICTURES ? "image/webp"
                                                                    : "application/json");
        if (*looking->order.password) { /* it is not shown without the password later */
            http_response_header(resp, "Cache-Control", "%s", "no-store");
        } else {
            http_response_header(resp, "ETag", "%s", looking->etag);
            http_response_header(resp, "Cache-Control", "private, max-age=%d", KEPT_S);
        }
        http_response_file(resp, fd, picture->offset, picture->bytes);
    }
    http_resume(req);
}

/* Answers at once, or asks for what is not kept. */
static enum http_next answer_kept(struct looking *looking, struct http_response *resp)
{
    struct http_request *req = looking->req;
    const char *known = http_header(req, "If-None-Match");

    /* The address names what is shown, but for the program that makes it. */
    snprintf(looking->etag, sizeof looking->etag, "\"%.36s-%zu-%d-%d-" PLATEN_VERSION "\"",
             req->args[0], looking->order.page + 1, looking->order.width,
             (int) looking->order.what);
    if (known && !*looking->order.password && strcmp(known, looking->etag) == 0) {
        http_response_header(resp, "ETag", "%s", looking->etag);
        http_response_header(resp, "Cache-Control", "private, max-age=%d", KEPT_S);
        resp->status = 304;
        return HTTP_ANSWER;
    }
    strips_ask(api_of(req)->strips, &looking->order, page_ready, looking);
    return HTTP_LATER;
}

static enum http_next show_page(struct http_request *req, struct http_response *resp, bool of_job)
{
    struct looking *looking = req->state;
    struct err err;

    if (name_source(looking, of_job, &err) < 0 || read_password(looking, &err) < 0 ||
        read_page(looking, &err) < 0)
        return refuse_picture(req, resp, &err);
    return answer_kept(looking, resp);
}

static enum http_next show_outline(struct http_request *req, struct http_response *resp,
                                   bool of_job)
{
    struct looking *looking = req->state;
    struct err err;

    if (name_source(looking, of_job, &err) < 0 || read_password(looking, &err) < 0)
        return refuse_picture(req, resp, &err);
    looking->order.what = STRIPS_OUTLINE;
    return answer_kept(looking, resp);
}

enum http_next pictures_upload_outline(struct http_request *req, struct http_response *resp)
{
    return show_outline(req, resp, false);
}

enum http_next pictures_job_outline(struct http_request *req, struct http_response *resp)
{
    return show_outline(req, resp, true);
}

enum http_next pictures_upload_page(struct http_request *req, struct http_response *resp)
{
    return show_page(req, resp, false);
}

enum http_next pictures_job_page(struct http_request *req, struct http_response *resp)
{
    return show_page(req, resp, true);
}

static bool read_integer(const char **at, long long *out)
{
    char *end;

    *out = strtoll(*at, &end, 10);
    if (end == *at)
        return false;
    *at = end;
    return true;
}

static bool read_number(const char **at, double *out)
{
    char *end;

    *out = strtod(*at, &end);
    if (end == *at)
        return false;
    *at = end;
    return true;
}

/* The lines of page-sizes as JSON; NULL if they are not such lines. */
static json_t *sizes_to_json(const char *text)
{
    long long pages, encrypted, count;
    double width, height;
    json_t *list = json_array();
    bool whole = read_integer(&text, &pages) && read_integer(&text, &encrypted);

    while (whole && *(text += strspn(text, "\n"))) {
        json_t *run;

        whole = read_number(&text, &width) && read_number(&text, &height) &&
                read_integer(&text, &count);
        if (!whole)
            break;
        run = json_pack("{sf sf}", "width", width, "height", height);
        if (count > 1)
            json_object_set_new(run, "count", json_integer(count));
        json_array_append_new(list, run);
    }
    if (whole)
        return json_pack("{sI sb so}", "pageCount", (json_int_t) pages, "encrypted", encrypted != 0,
                         "pages", list);
    json_decref(list);
    return NULL;
}

static void sizes_ready(void *arg, const struct strips_picture *picture, const struct err *err)
{
    struct looking *looking = arg;
    struct http_request *req = looking->req;
    struct http_response *resp = http_later(req);
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct err why;

    if (picture && (picture->bytes > SIZES_MAX ||
                    fdio_read_first(picture->fd, (size_t) picture->bytes, &text, &why) < 0)) {
        err_set(&why, ERR_LIMIT_EXCEEDED, "the document has too many pages of different sizes");
        err = &why;
    }
    if (err) {
        refuse_picture(req, resp, err);
    } else {
        http_response_header(resp, "Cache-Control", "%s", "no-store");
        answer_json(resp, 200, sizes_to_json(buf_text(&text)));
    }
    http_resume(req);
}

static enum http_next show_document(struct http_request *req, struct http_response *resp,
                                    bool of_job)
{
    struct looking *looking = req->state;
    struct err err;

    if (name_source(looking, of_job, &err) < 0 || read_password(looking, &err) < 0)
        return refuse_picture(req, resp, &err);
    strips_ask(api_of(req)->strips, &looking->order, sizes_ready, looking);
    return HTTP_LATER;
}

enum http_next pictures_upload_document(struct http_request *req, struct http_response *resp)
{
    return show_document(req, resp, false);
}

enum http_next pictures_job_document(struct http_request *req, struct http_response *resp)
{
    return show_document(req, resp, true);
}

void pictures_done(struct http_request *req)
{
    struct looking *looking = req->state;

    if (looking)
        explicit_bzero(looking->order.password, sizeof looking->order.password);
    free(looking);
    req->state = NULL;
}
