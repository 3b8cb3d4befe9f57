#include "server/mcp/mcp_listen.h"

#include <string.h>

#include "server/dispatch/hub.h"
#include "server/mcp/mcp_resources.h"

static void wake_stream(void *arg)
{
    const struct mcp_listen *listen = arg;

    http_stream_wake(listen->turn->req);
}

int mcp_listen_read(struct mcp_listen *listen, struct mcp_turn *turn, struct hub *hub,
                    int64_t owner, struct mcp_fault *fault)
{
    const json_t *asked = json_object_get(turn->message.params, "notifications");
    const json_t *list = json_object_get(asked, "resourceSubscriptions"), *each;
    size_t i;

    *listen = (struct mcp_listen){ .turn = turn, .hub = hub, .owner = owner };
    if (!json_is_object(asked) || (list && !json_is_array(list)))
        return mcp_fault_set(fault, 200, MCP_INVALID_PARAMS,
                             "subscriptions/listen needs notifications, an object, in which "
                             "resourceSubscriptions is a list");
    if (!turn->accepts)
        return mcp_fault_set(fault, 200, MCP_INVALID_PARAMS,
                             "the answer is an event stream: send Accept: text/event-stream");
    if (json_array_size(list) > MCP_LISTEN_JOBS)
        return mcp_fault_set(fault, 200, MCP_INVALID_PARAMS, "one stream has at most %d resources",
                             MCP_LISTEN_JOBS);
    json_array_foreach(list, i, each)
    {
        struct mcp_listen_job *job = &listen->jobs[listen->n];
        const char *uri = json_string_value(each);

        /* Files never change: only jobs are listened to. */
        if (uri && mcp_resources_job(uri, job->id) && !strchr(uri, '/')) {
            job->uri = uri;
            listen->n++;
        }
    }
    return 0;
}

int mcp_listen_next(struct mcp_listen *listen, const char **id, struct err *err)
{
    struct mcp_listen_job *job;

    if (listen->asked == listen->n)
        return 0;
    job = &listen->jobs[listen->asked];
    *id = job->id;
    job->listener = hub_listen(listen->hub, job->id, listen->owner, wake_stream, listen, err);
    return job->listener ? 1 : -1;
}

static void leave_job(struct mcp_listen *listen, struct mcp_listen_job *job)
{
    hub_leave(listen->hub, job->listener);
    job->listener = NULL;
}

void mcp_listen_found(struct mcp_listen *listen, enum mcp_listen_state state)
{
    struct mcp_listen_job *job = &listen->jobs[listen->asked];

    if (state != MCP_LISTEN_PENDING)
        leave_job(listen, job);
    listen->over[listen->asked] = state == MCP_LISTEN_OVER;
    if (state != MCP_LISTEN_GONE) {
        listen->asked++;
        return;
    }
    listen->n--;
    memmove(job, job + 1, (listen->n - listen->asked) * sizeof *job);
}

/* A notification of this stream, with what identifies it. */
static void send_note(struct mcp_listen *listen, const char *method, json_t *params)
{
    json_object_set_new(params, "_meta",
                        json_pack("{sO}", MCP_META "subscriptionId", listen->turn->message.id));
    mcp_turn_note(listen->turn, method, params);
}

static void send_change(struct mcp_listen *listen, const struct mcp_listen_job *job)
{
    send_note(listen, "notifications/resources/updated", json_pack("{ss}", "uri", job->uri));
}

static bool waits(const struct mcp_listen *listen)
{
    for (size_t i = 0; i < listen->n; i++)
        if (listen->jobs[i].listener)
            return true;
    return false;
}

bool mcp_listen_begin(struct mcp_listen *listen)
{
    json_t *granted = json_object(), *uris = json_array();

    for (size_t i = 0; i < listen->n; i++)
        json_array_append_new(uris, json_string(listen->jobs[i].uri));
    if (listen->n)
        json_object_set(granted, "resourceSubscriptions", uris);
    json_decref(uris);
    send_note(listen, "notifications/subscriptions/acknowledged",
              json_pack("{so}", "notifications", granted));
    for (size_t i = 0; i < listen->n; i++)
        if (listen->over[i])
            send_change(listen, &listen->jobs[i]);
    return waits(listen);
}

bool mcp_listen_look(struct mcp_listen *listen)
{
    bool closed = false, beat = false;

    for (size_t i = 0; i < listen->n; i++) {
        struct mcp_listen_job *job = &listen->jobs[i];
        struct hub_news news = { 0 };

        if (job->listener)
            news = hub_look(listen->hub, job->listener);
        closed = closed || news.closed;
        beat = beat || news.beat;
        if (news.over) {
            leave_job(listen, job);
            send_change(listen, job);
        }
    }
    if (beat)
        mcp_turn_beat(listen->turn);
    return !closed && waits(listen);
}

json_t *mcp_listen_result(const struct mcp_listen *listen)
{
    return json_pack("{s{sO}}", "_meta", MCP_META "subscriptionId", listen->turn->message.id);
}

void mcp_listen_end(struct mcp_listen *listen)
{
    for (size_t i = 0; listen->hub && i < listen->n; i++)
        leave_job(listen, &listen->jobs[i]);
    *listen = (struct mcp_listen){ 0 };
}
