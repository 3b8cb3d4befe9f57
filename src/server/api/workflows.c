#include "server/api/workflows.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/num.h"
#include "base/system/crew.h"
#include "base/system/log.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/call.h"
#include "server/api_call/visitors.h"
#include "server/api_submit/workflow_form.h"

struct caller {
    struct call call; /* first: answer_finish finds it here */
    struct http_request *req;
    struct buf form;
    int64_t version; /* of If-Match; 0: any */
    bool authority;
};

static struct workflow_rules rules_of(const struct caller *caller)
{
    return (struct workflow_rules){ .catalog = api_of(caller->req)->catalog,
                                    .key = &caller->call.key,
                                    .authority = caller->authority };
}

/* An ETag that no workflow has is that of an earlier version. */
static int64_t read_match(const struct http_request *req)
{
    const char *tag = http_header(req, "If-Match");
    size_t n = tag ? strlen(tag) : 0;
    int64_t version;

    if (!tag || strcmp(tag, "*") == 0)
        return 0;
    if (n > 2 && tag[0] == '"' && tag[n - 1] == '"' &&
        num_parse_i64(tag + 1, n - 2, 1, INT64_MAX - 1, &version))
        return version;
    return INT64_MAX;
}

static int begin_workflow(struct http_request *req, struct err *err)
{
    struct caller *caller = calloc(1, sizeof *caller);
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);

    req->state = caller;
    if (!caller)
        return err_sys(err, "workflows");
    caller->req = req;
    caller->authority = *config->timestamp_url != '\0';
    if (call_begin(req, &caller->call, err) < 0)
        return -1;
    if (visitors_is(&caller->call.key))
        return err_set(err, ERR_FORBIDDEN,
                       "a visitor has no saved workflows: ask the operator of this server for an "
                       "account");
    caller->version = read_match(req);
    return 0;
}

enum http_next workflows_begin(struct http_request *req, struct http_response *resp)
{
    struct err err;

    return begin_workflow(req, &err) < 0 ? answer_error(req, resp, &err) : HTTP_CONTINUE;
}

enum http_next workflows_begin_form(struct http_request *req, struct http_response *resp)
{
    const char *type = http_header(req, "Content-Type");
    struct err err;

    if (begin_workflow(req, &err) < 0)
        return answer_error(req, resp, &err);
    if (!type || strncasecmp(type, "application/json", 16) != 0) {
        err_set(&err, ERR_UNSUPPORTED_MEDIA_TYPE, "send the workflow as application/json");
        return answer_error(req, resp, &err);
    }
    return HTTP_CONTINUE;
}

enum http_next workflows_body(struct http_request *req, const void *data, size_t n,
                              struct http_response *resp)
{
    struct caller *caller = req->state;
    struct err err;

    if (caller->form.len + n > WORKFLOW_FORM_BYTES) {
        err_set(&err, ERR_INVALID_REQUEST, "the JSON has more than %zu bytes", WORKFLOW_FORM_BYTES);
        return answer_error(req, resp, &err);
    }
    buf_put(&caller->form, data, n);
    return HTTP_CONTINUE;
}

void workflows_done(struct http_request *req)
{
    struct caller *caller = req->state;

    if (caller && caller->form.data)
        explicit_bzero(caller->form.data, caller->form.len);
    if (caller)
        buf_free(&caller->form);
    free(caller);
    req->state = NULL;
}

/* The answer with one workflow. */
static void show_workflow(struct caller *caller, int status, const struct store_workflow *workflow)
{
    struct http_response *resp = http_later(caller->req);
    const struct workflow_rules rules = rules_of(caller);

    if (status == 201)
        http_response_header(resp, "Location", "/api/v1/workflows/%s", workflow->id);
    http_response_header(resp, "ETag", "\"%lld\"", (long long) workflow->version);
    http_response_header(resp, "Cache-Control", "%s", "no-store");
    answer_json(resp, status, workflow_form_show(workflow, &rules));
}

/* Answers with the workflow, or with the error if `done` is below 0. */
static void end_call(struct caller *caller, int done, int status,
                     const struct store_workflow *workflow, const struct err *err)
{
    if (done < 0)
        answer_error(caller->req, http_later(caller->req), err);
    else
        show_workflow(caller, status, workflow);
    http_resume(caller->req);
}

static void list_all(void *arg)
{
    struct caller *caller = arg;
    struct http_response *resp = http_later(caller->req);
    AUTO_WORKFLOWS struct store_workflows all = { 0 };
    const struct workflow_rules rules = rules_of(caller);
    struct err err;
    json_t *list;

    if (store_workflow_list(api_of(caller->req)->store, caller->call.key.id, &all, &err) < 0) {
        answer_error(caller->req, resp, &err);
    } else {
        list = json_array();
        for (size_t i = 0; i < all.n; i++)
            json_array_append_new(list, workflow_form_show(&all.list[i], &rules));
        http_response_header(resp, "Cache-Control", "%s", "no-store");
        answer_json(resp, 200, json_pack("{so}", "workflows", list));
    }
    http_resume(caller->req);
}

static int read_form(const struct caller *caller, struct store_workflow *workflow, struct err *err)
{
    const struct workflow_rules rules = rules_of(caller);

    workflow->key_id = caller->call.key.id;
    workflow->created_at = workflow->updated_at = clock_wall_ms();
    return caller->form.failed ? err_sys(err, "workflows")
                               : workflow_form_read(&caller->form, &rules, workflow, err);
}

static void note_change(const struct caller *caller, const char *event, const char *id)
{
    log_info(event, KV("workflow", id), KV("key", (const char *) caller->call.key.prefix),
             KV("request", caller->req->id));
}

static void create_one(void *arg)
{
    struct caller *caller = arg;
    AUTO_WORKFLOW struct store_workflow workflow = { 0 };
    struct err err;
    int done;

    id_new(workflow.id);
    done = read_form(caller, &workflow, &err);
    if (done == 0)
        done = store_workflow_add(api_of(caller->req)->store, &workflow, &err);
    if (done == 0)
        note_change(caller, "workflow.made", workflow.id);
    end_call(caller, done, 201, &workflow, &err);
}

/* The id in the address. */
static int read_id(const struct caller *caller, char id[static ID_TEXT], struct err *err)
{
    const char *given = caller->req->args[0];

    if (!id_is_valid(given))
        return store_refuse_workflow(ERR_WORKFLOW_NOT_FOUND, err);
    snprintf(id, ID_TEXT, "%s", given);
    return 0;
}

static void show_one(void *arg)
{
    struct caller *caller = arg;
    AUTO_WORKFLOW struct store_workflow workflow = { 0 };
    char id[ID_TEXT];
    struct err err;
    int done = read_id(caller, id, &err);

    if (done == 0)
        done = store_workflow_find(api_of(caller->req)->store, id, caller->call.key.id, &workflow,
                                   &err);
    end_call(caller, done, 200, &workflow, &err);
}

static void replace_one(void *arg)
{
    struct caller *caller = arg;
    AUTO_WORKFLOW struct store_workflow workflow = { 0 };
    struct err err;
    int done = read_id(caller, workflow.id, &err);

    if (done == 0)
        done = read_form(caller, &workflow, &err);
    if (done == 0)
        done = store_workflow_replace(api_of(caller->req)->store, &workflow, caller->version, &err);
    if (done == 0)
        note_change(caller, "workflow.changed", workflow.id);
    end_call(caller, done, 200, &workflow, &err);
}

static void delete_one(void *arg)
{
    struct caller *caller = arg;
    struct http_response *resp = http_later(caller->req);
    char id[ID_TEXT];
    struct err err;

    if (read_id(caller, id, &err) < 0 ||
        store_workflow_remove(api_of(caller->req)->store, id, caller->call.key.id, caller->version,
                              &err) < 0) {
        answer_error(caller->req, resp, &err);
    } else {
        note_change(caller, "workflow.removed", id);
        resp->status = 204;
    }
    http_resume(caller->req);
}

/* On a thread of the intake, which may wait for the disk. */
static enum http_next hand_over(struct http_request *req, struct http_response *resp,
                                void (*work)(void *))
{
    struct err err;

    if (crew_add(api_of(req)->intake, work, req->state) < 0)
        return answer_error(req, resp, (err_sys(&err, "workflows"), &err));
    return HTTP_LATER;
}

enum http_next workflows_list(struct http_request *req, struct http_response *resp)
{
    return hand_over(req, resp, list_all);
}

enum http_next workflows_create(struct http_request *req, struct http_response *resp)
{
    return hand_over(req, resp, create_one);
}

enum http_next workflows_show(struct http_request *req, struct http_response *resp)
{
    return hand_over(req, resp, show_one);
}

enum http_next workflows_replace(struct http_request *req, struct http_response *resp)
{
    return hand_over(req, resp, replace_one);
}

enum http_next workflows_delete(struct http_request *req, struct http_response *resp)
{
    return hand_over(req, resp, delete_one);
}
