#include "server/mcp/mcp_call.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/id.h"
#include "base/utf8.h"
#include "server/mcp/mcp_find.h"
#include "server/mcp/mcp_resources.h"
#include "server/mcp/mcp_show.h"
#include "server/mcp/mcp_tools.h"

#define WAIT_SECONDS 20 /* where the call does not say how long to wait */
#define LATEST       "/api/v1/jobs?limit=10"
#define FILES        "/api/v1/files/"
#define RESOURCES    "/api/v1/jobs?status=completed&limit=20"

static void clear_ask(struct mcp_ask *ask)
{
    buf_free(&ask->target);
    buf_free(&ask->body);
    *ask = (struct mcp_ask){ 0 };
}

static enum mcp_call_next done(struct mcp_call *call, json_t *result)
{
    call->result = result;
    return MCP_CALL_DONE;
}

static enum mcp_call_next ask_for(struct mcp_call *call, enum mcp_call_step step,
                                  const char *method)
{
    call->step = step;
    call->ask.method = method;
    if (!call->ask.target.failed && !call->ask.body.failed)
        return MCP_CALL_ASK;
    return done(call, NULL);
}

static int seconds_of(const json_t *arguments)
{
    const json_t *wait = json_object_get(arguments, "wait");

    return wait ? (int) json_integer_value(wait) : WAIT_SECONDS;
}

static bool is_true(const json_t *arguments, const char *name)
{
    return json_is_true(json_object_get(arguments, name));
}

static enum mcp_call_next begin_run(struct mcp_call *call, const struct catalog *catalog,
                                    const json_t *arguments)
{
    bool dry = is_true(arguments, "check_only");
    struct mcp_form form;
    char why[400];
    int made = mcp_form_make(&form, catalog, arguments, why, sizeof why);

    call->ask.body = form.body;
    if (made < 0)
        return done(call, mcp_show_fault(why));
    buf_printf(&call->ask.target, "/api/v1/tools/pdf/%s%s", form.tool, dry ? "/dry-run" : "");
    snprintf(call->ask.type, sizeof call->ask.type, "multipart/form-data; boundary=%s",
             form.boundary);
    call->seconds = seconds_of(arguments);
    if (!dry && !call->follows)
        snprintf(call->ask.prefer, sizeof call->ask.prefer, "wait=%d", call->seconds);
    call->sentence = "Nothing was made or charged. This is what would happen:";
    return ask_for(call, dry ? MCP_STEP_DATA : MCP_STEP_JOB, "POST");
}

/* The id in job:ID, job:ID/NAME, or ID alone. */
static bool read_job(const char *handle, char id[static ID_TEXT])
{
    if (strncmp(handle, "job:", 4) == 0)
        handle += 4;
    snprintf(id, ID_TEXT, "%s", handle);
    return id_is_valid(id) && (!handle[ID_TEXT - 1] || handle[ID_TEXT - 1] == '/');
}

static enum mcp_call_next begin_status(struct mcp_call *call, const json_t *arguments)
{
    const char *handle = json_string_value(json_object_get(arguments, "job"));
    char id[ID_TEXT];

    if (!handle && is_true(arguments, "cancel"))
        return done(call, mcp_show_fault("cancel needs job, the handle of what to cancel"));
    if (!handle) {
        buf_puts(&call->ask.target, LATEST);
        return ask_for(call, MCP_STEP_JOBS, "GET");
    }
    if (!read_job(handle, id))
        return done(call, mcp_show_fault("job is a handle job:ID, as run answered it"));
    buf_printf(&call->ask.target, "/api/v1/jobs/%s", id);
    if (is_true(arguments, "cancel"))
        return ask_for(call, MCP_STEP_DELETED, "DELETE");
    call->seconds = seconds_of(arguments);
    if (!call->follows)
        buf_printf(&call->ask.target, "?wait=%d", call->seconds);
    return ask_for(call, MCP_STEP_JOB, "GET");
}

static enum mcp_call_next begin_ticket(struct mcp_call *call, const json_t *arguments)
{
    const json_t *name = json_object_get(arguments, "name");
    const json_t *most = json_object_get(arguments, "max_bytes");
    json_t *form = json_object();
    char *text;

    if (name)
        json_object_set(form, "name", (json_t *) (uintptr_t) name);
    if (most)
        json_object_set(form, "maxBytes", (json_t *) (uintptr_t) most);
    text = json_dumps(form, JSON_COMPACT);
    json_decref(form);
    buf_puts(&call->ask.body, text ? text : "");
    free(text);
    buf_puts(&call->ask.target, "/api/v1/uploads/tickets");
    snprintf(call->ask.type, sizeof call->ask.type, "application/json");
    return ask_for(call, MCP_STEP_TICKET, "POST");
}

static enum mcp_call_next begin_usage(struct mcp_call *call)
{
    buf_puts(&call->ask.target, "/api/v1/usage");
    call->sentence = "The quota of this account:";
    return ask_for(call, MCP_STEP_DATA, "GET");
}

static enum mcp_call_next begin_workflows(struct mcp_call *call)
{
    buf_puts(&call->ask.target, "/api/v1/workflows");
    call->sentence = "The saved workflows of this account, which run does by their ids:";
    return ask_for(call, MCP_STEP_DATA, "GET");
}

enum mcp_call_next mcp_call_begin(struct mcp_call *call, const struct catalog *catalog,
                                  const char *tool, const json_t *arguments, bool follows)
{
    char why[400];
    int checked = mcp_tools_check(tool, arguments, why, sizeof why);

    *call = (struct mcp_call){ .follows = follows };
    if (checked > 0)
        return MCP_CALL_NONE;
    if (checked < 0)
        return done(call, mcp_show_fault(why));
    if (strcmp(tool, "run") == 0)
        return begin_run(call, catalog, arguments);
    if (strcmp(tool, "status") == 0)
        return begin_status(call, arguments);
    if (strcmp(tool, "upload_ticket") == 0)
        return begin_ticket(call, arguments);
    if (strcmp(tool, "usage") == 0)
        return begin_usage(call);
    if (strcmp(tool, "workflows") == 0)
        return begin_workflows(call);
    return done(call, mcp_find(catalog, json_string_value(json_object_get(arguments, "query")),
                               json_string_value(json_object_get(arguments, "tool"))));
}

static enum mcp_call_next refuse_call(struct mcp_call *call)
{
    call->refused = true;
    return MCP_CALL_DONE;
}

static enum mcp_call_next refuse_unknown(struct mcp_call *call)
{
    mcp_resources_unknown(call->uri, call->modern, &call->fault);
    return refuse_call(call);
}

enum mcp_call_next mcp_call_list(struct mcp_call *call, const char *cursor, bool modern)
{
    *call = (struct mcp_call){ .modern = modern };
    if (cursor && !id_is_valid(cursor)) {
        mcp_fault_set(&call->fault, 200, MCP_INVALID_PARAMS,
                      "cursor is a nextCursor of an earlier answer");
        return refuse_call(call);
    }
    buf_printf(&call->ask.target, RESOURCES "%s%s", cursor ? "&cursor=" : "", cursor ? cursor : "");
    return ask_for(call, MCP_STEP_LIST, "GET");
}

enum mcp_call_next mcp_call_read(struct mcp_call *call, const char *uri, bool modern)
{
    char id[ID_TEXT];

    *call = (struct mcp_call){ .modern = modern, .uri = uri };
    if (!mcp_resources_job(uri, id))
        return refuse_unknown(call);
    buf_printf(&call->ask.target, "/api/v1/jobs/%s", id);
    return ask_for(call, MCP_STEP_FIND, "GET");
}

/* The job of a resource was found: it is shown, or its file is read. */
static enum mcp_call_next read_resource(struct mcp_call *call, json_t *job)
{
    bool missing;
    const json_t *output = mcp_resources_output(job, call->uri, &missing);
    const char *url = json_string_value(json_object_get(output, "downloadUrl"));
    const char *path = url ? strstr(url, FILES) : NULL;

    call->job = job;
    if (missing)
        return refuse_unknown(call);
    if (!output)
        return done(call, mcp_resources_job_contents(call->uri, job, call->modern));
    if (json_integer_value(json_object_get(output, "bytes")) > (json_int_t) MCP_RESOURCE_BYTES) {
        mcp_resources_too_large(call->uri, output, &call->fault);
        return refuse_call(call);
    }
    clear_ask(&call->ask);
    buf_puts(&call->ask.target, path ? path : "");
    call->most = MCP_RESOURCE_BYTES;
    return ask_for(call, MCP_STEP_FILE, "GET");
}

/* The answers of the API for resources. */
static enum mcp_call_next answer_resource(struct mcp_call *call, int status, const void *body,
                                          size_t n)
{
    const json_t *output;
    json_t *json;
    bool missing;

    if (call->step == MCP_STEP_FILE && status == 200) {
        output = mcp_resources_output(call->job, call->uri, &missing);
        return done(call, mcp_resources_contents(call->uri,
                                                 json_string_value(json_object_get(output, "name")),
                                                 body, n, call->modern));
    }
    if (call->step != MCP_STEP_LIST && (status == 404 || status == 410))
        return refuse_unknown(call);
    json = n ? json_loadb(body, n, 0, NULL) : NULL;
    if (status == 200 && json && call->step == MCP_STEP_FIND)
        return read_resource(call, json);
    if (status == 200 && json)
        call->result = mcp_resources_list(json, call->modern);
    else
        mcp_resources_refused(json, status, &call->fault);
    call->refused = !call->result;
    json_decref(json);
    return MCP_CALL_DONE;
}

enum mcp_call_next mcp_call_look(struct mcp_call *call, bool last)
{
    call->last = last;
    clear_ask(&call->ask);
    buf_printf(&call->ask.target, "/api/v1/jobs/%s", call->job_id);
    return ask_for(call, MCP_STEP_JOB, "GET");
}

enum mcp_call_next mcp_call_await(struct mcp_call *call)
{
    enum mcp_call_next next = mcp_call_look(call, true);

    buf_printf(&call->ask.target, "?wait=%d", call->seconds);
    return next;
}

static bool has_ended(const json_t *job)
{
    const char *status = json_string_value(json_object_get(job, "status"));

    return !status || strcmp(status, "completed") == 0 || strcmp(status, "failed") == 0;
}

enum mcp_call_next mcp_call_see(struct mcp_call *call, const char *id)
{
    mcp_call_free(call);
    *call = (struct mcp_call){ 0 };
    buf_printf(&call->ask.target, "/api/v1/jobs/%s", id);
    return ask_for(call, MCP_STEP_SEE, "GET");
}

static enum mcp_call_next see_job(struct mcp_call *call, int status, const void *body, size_t n)
{
    json_t *job = status == 200 ? json_loadb(body, n, 0, NULL) : NULL;

    call->found = job != NULL;
    call->over = has_ended(job);
    json_decref(job);
    return MCP_CALL_SEEN;
}

/* Whether the caller is to follow the job further. */
static bool is_followed(struct mcp_call *call, const json_t *job)
{
    const char *id = json_string_value(json_object_get(job, "jobId"));

    if (!call->follows || call->last || call->seconds == 0 || !id || has_ended(job))
        return false;
    snprintf(call->job_id, sizeof call->job_id, "%s", id);
    return id_is_valid(call->job_id);
}

/* A short text is read, to be shown. */
static enum mcp_call_next show_job(struct mcp_call *call, json_t *job)
{
    const char *url = mcp_show_short_text(job);
    const char *path = url ? strstr(url, FILES) : NULL;
    json_t *result;

    if (is_followed(call, job)) {
        json_decref(job);
        return MCP_CALL_FOLLOW;
    }
    if (path) {
        call->job = job;
        clear_ask(&call->ask);
        buf_puts(&call->ask.target, path);
        call->most = MCP_SHOW_TEXT;
        return ask_for(call, MCP_STEP_TEXT, "GET");
    }
    result = mcp_show_job(job, NULL);
    json_decref(job);
    return done(call, result);
}

static enum mcp_call_next show_text(struct mcp_call *call, int status, const void *body, size_t n)
{
    char text[MCP_SHOW_TEXT + 1];

    if (status != 200 || n > MCP_SHOW_TEXT || memchr(body, 0, n) || !utf8_is_valid(body, n))
        return done(call, mcp_show_job(call->job, NULL));
    memcpy(text, body, n);
    text[n] = '\0';
    return done(call, mcp_show_job(call->job, text));
}

enum mcp_call_next mcp_call_answer(struct mcp_call *call, int status, const void *body, size_t n)
{
    json_t *json, *result;

    if (call->step == MCP_STEP_TEXT)
        return show_text(call, status, body, n);
    if (call->step == MCP_STEP_SEE)
        return see_job(call, status, body, n);
    if (call->step >= MCP_STEP_LIST)
        return answer_resource(call, status, body, n);
    if (call->step == MCP_STEP_DELETED && status == 204)
        return done(call, mcp_show_data("The job and its files were deleted.", json_object()));
    json = n ? json_loadb(body, n, 0, NULL) : NULL;
    if (status < 200 || status > 299 || !json_is_object(json))
        result = mcp_show_error(json, status);
    else if (call->step == MCP_STEP_JOBS)
        result = mcp_show_jobs(json);
    else if (call->step == MCP_STEP_TICKET)
        result = mcp_show_ticket(json);
    else if (call->step == MCP_STEP_JOB)
        return show_job(call, json);
    else
        return done(call, mcp_show_data(call->sentence, json));
    json_decref(json);
    return done(call, result);
}

void mcp_call_free(struct mcp_call *call)
{
    clear_ask(&call->ask);
    json_decref(call->result);
    json_decref(call->job);
    call->result = call->job = NULL;
}
