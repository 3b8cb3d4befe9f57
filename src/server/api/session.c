#include "server/api/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/system/log.h"
#include "server/api/jobs.h"
#include "server/api/uploads.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/call.h"
#include "server/api_call/guard.h"
#include "server/api_call/session_cookie.h"
#include "server/api_call/visitors.h"
#include "server/api_submit/retention.h"
#include "server/dispatch/upload_files.h"

#define ERASE_BATCH 100

static enum http_next refuse_session(struct http_request *req, struct http_response *resp)
{
    struct err err;

    err_set(&err, ERR_NOT_FOUND, "this server offers no web page: web is off");
    return answer_error(req, resp, &err);
}

static bool is_without_key(const struct err *err)
{
    return err->code == ERR_MISSING_API_KEY || err->code == ERR_INVALID_API_KEY;
}

/* Who asks: the session as an object, and the plan if there is one. NULL with an error. */
static json_t *describe_session(struct http_request *req, struct call *call, struct err *err)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    bool known = call_begin(req, call, err) == 0;
    json_t *object;

    if (!known && !is_without_key(err))
        return NULL;
    object = json_pack("{ss sb sb sb}", "mode", config->web, "signedIn", known, "visitor",
                       known && visitors_is(&call->key), "operator", guard_is_operator(req));
    if (known)
        json_object_set_new(object, "plan", json_string(call->plan->name));
    if (known)
        answer_set_time(object, "expiresAt",
                        call->session_until ? call->session_until : call->key.valid_until);
    return object;
}

void session_put(struct http_request *req, struct buf *out)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    struct call call = { 0 };
    struct err err;
    json_t *object = describe_session(req, &call, &err);
    int64_t usual, longest;
    char *text;

    if (!object)
        return;
    if (!call.plan) {
        visitors_plan(config, &call.own_plan);
        call.plan = &call.own_plan;
    }
    if (call.known || strcmp(config->web, "open") == 0) {
        retention_limits(config, call.plan, &usual, &longest);
        json_object_set_new(object, "retentionSeconds", json_integer(usual / 1000));
        json_object_set_new(object, "maxRetentionSeconds", json_integer(longest / 1000));
    }
    text = json_dumps(object, JSON_COMPACT);
    if (text)
        buf_puts(out, text);
    free(text);
    json_decref(object);
}

enum http_next session_show(struct http_request *req, struct http_response *resp)
{
    struct call call = { 0 };
    struct err err;
    json_t *object;

    if (!session_cookie_is_offered(req))
        return refuse_session(req, resp);
    object = describe_session(req, &call, &err);
    if (!object)
        return answer_error(req, resp, &err);
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    return answer_json(resp, 200, object);
}

/* What a visitor begins with is written on a thread that may wait for the disk. */
struct opening {
    struct call call; /* first: answer_finish finds it here */
    struct http_request *req;
};

/* Whether whoever asks gets an account. Another site could have a browser ask, but not with this
 * header. */
static bool is_welcome(const struct http_request *req)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);

    return strcmp(config->web, "open") == 0 && http_header(req, "Platen-Page") != NULL &&
           !call_key_text(req);
}

/* Authorizes a request that may do without a key if `needs_none`. */
static enum http_next begin_session(struct http_request *req, struct http_response *resp,
                                    bool needs_none)
{
    struct opening *opening = calloc(1, sizeof *opening);
    struct err err;

    req->state = opening;
    if (!opening)
        return answer_error(req, resp, (err_sys(&err, "session"), &err));
    opening->req = req;
    if (!session_cookie_is_offered(req))
        return refuse_session(req, resp);
    if (call_begin(req, &opening->call, &err) < 0 && !(needs_none && is_without_key(&err)))
        return answer_error(req, resp, &err);
    return HTTP_CONTINUE;
}

enum http_next session_begin(struct http_request *req, struct http_response *resp)
{
    return begin_session(req, resp, is_welcome(req));
}

static void welcome(void *arg)
{
    struct opening *opening = arg;
    struct http_request *req = opening->req;
    struct http_response *resp = http_later(req);
    struct key visitor;
    struct err err;
    int done;

    if (opening->call.known)
        done = session_cookie_begin(req, resp, &opening->call.key, &err);
    else if ((done = visitors_welcome(req, &visitor, &err)) == 0)
        done = session_cookie_begin(req, resp, &visitor, &err);
    if (done < 0)
        answer_error(req, resp, &err);
    http_resume(req);
}

enum http_next session_open(struct http_request *req, struct http_response *resp)
{
    const struct opening *opening = req->state;
    char token[SESSION_TOKEN];
    struct err err;

    if (opening->call.session_until && session_cookie_token(req, token)) {
        session_cookie_set(req, resp, token,
                           (opening->call.session_until - clock_wall_ms()) / 1000);
        return HTTP_ANSWER;
    }
    if (crew_add(api_of(req)->intake, welcome, req->state) < 0)
        return answer_error(req, resp, (err_sys(&err, "session"), &err));
    return HTTP_LATER;
}

enum http_next session_prepare_end(struct http_request *req, struct http_response *resp)
{
    return begin_session(req, resp, true);
}

/* 1: some jobs of the account were erased; 0: it has none; -1: failed. */
static int erase_jobs(struct api *api, int64_t account, struct err *err)
{
    const struct store_page page = { .status = -1, .limit = ERASE_BATCH };
    AUTO_STORE_JOBS struct store_jobs jobs = { 0 };
    int erased = 0;

    if (store_list(api->store, account, &page, &jobs, err) < 0)
        return -1;
    for (size_t i = 0; i < jobs.n; i++) {
        int done = jobs_erase(api, account, jobs.list[i].id, err);

        if (done < 0)
            return -1;
        erased |= done;
    }
    return erased;
}

/* The same for uploads. */
static int erase_uploads(struct api *api, int64_t account, struct err *err)
{
    AUTO_UPLOADS struct store_uploads uploads = { 0 };
    int erased = 0;

    if (store_upload_list(api->store, account, ERASE_BATCH, &uploads, err) < 0)
        return -1;
    for (size_t i = 0; i < uploads.n; i++) {
        int done = uploads_erase(api, account, uploads.list[i].id, err);

        if (done < 0)
            return -1;
        erased |= done;
    }
    return erased;
}

/* The key ends first, so that nothing is added any more. */
static int erase_visitor(struct api *api, const struct key *visitor, struct err *err)
{
    struct key key;
    struct err kept;
    bool more;

    if (store_key_end(api->store, visitor->prefix, clock_wall_ms(), &key, err) < 0)
        return -1;
    do {
        int jobs = erase_jobs(api, visitor->id, err);
        int uploads = jobs < 0 ? -1 : erase_uploads(api, visitor->id, err);

        if (uploads < 0)
            return -1;
        more = jobs || uploads;
    } while (more);
    /* An account that cannot be erased yet is the janitor's. */
    store_key_remove(api->store, visitor->prefix, clock_wall_ms(), &key, &kept);
    return 0;
}

/* Ends the browser's session; a visitor's whole account. */
static int end_known(struct http_request *req, const struct call *call, struct err *err)
{
    if (visitors_is(&call->key)) {
        if (erase_visitor(api_of(req), &call->key, err) < 0)
            return -1;
        log_info("visitor.left", KV("request", req->id),
                 KV("key", (const char *) call->key.prefix));
        return 0;
    }
    if (session_cookie_end(req, err) < 0)
        return -1;
    log_info("session.ended", KV("request", req->id), KV("key", (const char *) call->key.prefix));
    return 0;
}

static void clear_browser(const struct http_request *req, struct http_response *resp)
{
    session_cookie_set(req, resp, "", 0);
    /* Pictures of pages that it kept. The page itself forgets the rest; "storage" would include
     * what belongs to the browser and not to the key, such as the language. */
    http_response_header(resp, "Clear-Site-Data", "%s", "\"cache\"");
}

static void end_session(void *arg)
{
    struct opening *opening = arg;
    struct http_request *req = opening->req;
    struct http_response *resp = http_later(req);
    struct err err;

    opening->call.known = false; /* there is no quota to tell of any more */
    if (end_known(req, &opening->call, &err) < 0)
        answer_error(req, resp, &err);
    else
        clear_browser(req, resp);
    http_resume(req);
}

enum http_next session_end(struct http_request *req, struct http_response *resp)
{
    struct opening *opening = req->state;
    struct err err;

    if (!opening->call.known) {
        clear_browser(req, resp);
        return HTTP_ANSWER;
    }
    if (crew_add(api_of(req)->intake, end_session, opening) < 0)
        return answer_error(req, resp, (err_sys(&err, "session"), &err));
    return HTTP_LATER;
}

void session_done(struct http_request *req)
{
    free(req->state);
    req->state = NULL;
}
