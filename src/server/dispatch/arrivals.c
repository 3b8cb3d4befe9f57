#include "server/dispatch/arrivals.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define PLACES 1024 /* a power of two */

struct arrival {
    char job_id[ID_TEXT];
    int64_t at; /* monotonic us */
};

struct arrivals {
    pthread_mutex_t lock; /* guards the places */
    struct arrival places[PLACES];
};

struct arrivals *arrivals_new(struct err *err)
{
    struct arrivals *arrivals = calloc(1, sizeof *arrivals);

    if (!arrivals) {
        err_sys(err, "arrivals");
        return NULL;
    }
    pthread_mutex_init(&arrivals->lock, NULL);
    return arrivals;
}

void arrivals_free(struct arrivals *arrivals)
{
    if (!arrivals)
        return;
    pthread_mutex_destroy(&arrivals->lock);
    free(arrivals);
}

/* An id's last digits are random: each job has one place where it can stand. */
static struct arrival *place(struct arrivals *arrivals, const char *job_id)
{
    unsigned long number = id_is_valid(job_id) ? strtoul(job_id + ID_TEXT - 9, NULL, 16) : 0;

    return &arrivals->places[number % PLACES];
}

void arrivals_note(struct arrivals *arrivals, const char *job_id)
{
    struct arrival *arrival = place(arrivals, job_id);

    pthread_mutex_lock(&arrivals->lock);
    snprintf(arrival->job_id, sizeof arrival->job_id, "%s", job_id);
    arrival->at = clock_mono_us();
    pthread_mutex_unlock(&arrivals->lock);
}

int64_t arrivals_remove(struct arrivals *arrivals, const char *job_id)
{
    struct arrival *arrival = place(arrivals, job_id);
    int64_t at = 0;

    pthread_mutex_lock(&arrivals->lock);
    if (strcmp(arrival->job_id, job_id) == 0) {
        at = arrival->at;
        arrival->job_id[0] = '\0';
    }
    pthread_mutex_unlock(&arrivals->lock);
    return at;
}
