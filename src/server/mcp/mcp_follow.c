#include "server/mcp/mcp_follow.h"

#include <stdio.h>
#include <string.h>

#include "server/dispatch/hub.h"

static void wake_stream(void *arg)
{
    const struct mcp_follow *follow = arg;

    http_stream_wake(follow->turn->req);
}

/* The job has ended, or the time is over. */
static void ring(void *arg)
{
    struct mcp_follow *follow = arg;

    pthread_mutex_lock(&follow->lock);
    follow->rung = true;
    http_stream_wake(follow->turn->req);
    pthread_cond_signal(&follow->changed);
    pthread_mutex_unlock(&follow->lock);
}

int mcp_follow_begin(struct mcp_follow *follow, struct mcp_turn *turn, const char *job,
                     int64_t owner, int64_t seconds, struct err *err)
{
    const struct hub_waiter waiter = { ring, NULL, follow };

    *follow = (struct mcp_follow){ .turn = turn, .hub = api_of(turn->req)->hub };
    snprintf(follow->job, sizeof follow->job, "%s", job);
    pthread_mutex_init(&follow->lock, NULL);
    pthread_cond_init(&follow->changed, NULL);
    follow->listener = hub_listen(follow->hub, job, owner, wake_stream, follow, err);
    if (follow->listener)
        follow->ticket = hub_wait(follow->hub, job, seconds * 1000, &waiter);
    if (follow->ticket)
        return 0;
    if (follow->listener)
        err_set(err, ERR_SHUTTING_DOWN, "the server is about to stop");
    mcp_follow_end(follow);
    return -1;
}

enum mcp_follow_news mcp_follow_look(struct mcp_follow *follow)
{
    struct hub_news news = hub_look(follow->hub, follow->listener);
    bool rung, first = !follow->looked;
    int percent = (int) (news.progress * 100);

    pthread_mutex_lock(&follow->lock);
    rung = follow->rung;
    pthread_mutex_unlock(&follow->lock);
    follow->looked = true;
    if (news.attempt && percent > follow->percent) {
        follow->percent = percent;
        mcp_turn_progress(follow->turn, percent, 100, NULL);
    }
    if (rung || news.closed)
        return MCP_FOLLOW_LAST;
    return news.over || first ? MCP_FOLLOW_LOOK : MCP_FOLLOW_NOTHING;
}

void mcp_follow_end(struct mcp_follow *follow)
{
    if (!follow->hub)
        return;
    hub_leave(follow->hub, follow->listener);
    if (follow->ticket && !hub_cancel(follow->hub, follow->job, follow->ticket)) {
        pthread_mutex_lock(&follow->lock);
        while (!follow->rung)
            pthread_cond_wait(&follow->changed, &follow->lock);
        pthread_mutex_unlock(&follow->lock);
    }
    pthread_cond_destroy(&follow->changed);
    pthread_mutex_destroy(&follow->lock);
    *follow = (struct mcp_follow){ 0 };
}
