#include "server/dispatch/pace.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/job/job.h"

#define TOOLS  64
#define FADING 0.9 /* weight of the earlier jobs relative to the latest one */
#define HEAD_BYTES                                                                                 \
    65536.0           /* what costs every job something, as if it were that much more input        \
                       */
#define FIRST_MS 25.0 /* estimate for a tool without earlier jobs */
#define MOST_MS  3600000.0

struct tool_pace {
    char tool[JOB_TOOL];
    double ms, bytes; /* of the last jobs, fading */
};

struct pace {
    pthread_mutex_t lock; /* guards what follows */
    struct tool_pace tools[TOOLS];
    size_t n;
};

struct pace *pace_new(struct err *err)
{
    struct pace *pace = calloc(1, sizeof *pace);

    if (!pace)
        err_sys(err, "pace");
    else
        pthread_mutex_init(&pace->lock, NULL);
    return pace;
}

void pace_free(struct pace *pace)
{
    if (!pace)
        return;
    pthread_mutex_destroy(&pace->lock);
    free(pace);
}

/* Under the lock. NULL if there is no room for another tool. */
static struct tool_pace *find_pace(struct pace *pace, const char *tool)
{
    for (size_t i = 0; i < pace->n; i++)
        if (strcmp(pace->tools[i].tool, tool) == 0)
            return &pace->tools[i];
    if (pace->n == TOOLS)
        return NULL;
    struct tool_pace *new = &pace->tools[pace->n++];

    snprintf(new->tool, sizeof new->tool, "%s", tool);
    new->ms = FIRST_MS;
    new->bytes = HEAD_BYTES;
    return new;
}

int64_t pace_expect(struct pace *pace, const char *tool, int64_t input_bytes)
{
    double rate = FIRST_MS / HEAD_BYTES, ms;
    const struct tool_pace *known;

    pthread_mutex_lock(&pace->lock);
    known = find_pace(pace, tool);
    if (known)
        rate = known->ms / known->bytes;
    pthread_mutex_unlock(&pace->lock);
    ms = rate * ((double) input_bytes + HEAD_BYTES);
    return ms < 1 ? 1 : (int64_t) (ms < MOST_MS ? ms : MOST_MS);
}

void pace_note(struct pace *pace, const char *tool, int64_t input_bytes, int64_t run_ms)
{
    struct tool_pace *known;

    pthread_mutex_lock(&pace->lock);
    known = find_pace(pace, tool);
    if (known) {
        known->ms = known->ms * FADING + (double) run_ms;
        known->bytes = known->bytes * FADING + (double) input_bytes + HEAD_BYTES;
    }
    pthread_mutex_unlock(&pace->lock);
}
