#include "server/http/accept_queue.h"

#include <string.h>
#include <unistd.h>

static size_t count_of(const struct accept_queue *queue, const struct net_address *client)
{
    size_t n = 0;

    for (size_t i = 0; i < queue->n; i++) {
        const struct arrival *other = &queue->waiting[(queue->first + i) % ACCEPT_QUEUE_PLACES];

        n += other->counted && memcmp(&other->client, client, sizeof *client) == 0;
    }
    return n;
}

bool accept_queue_add(struct accept_queue *queue, const struct arrival *arrival)
{
    if (queue->n == ACCEPT_QUEUE_PLACES ||
        (arrival->counted && count_of(queue, &arrival->client) >= ACCEPT_QUEUE_PER_CLIENT))
        return false;
    queue->waiting[(queue->first + queue->n++) % ACCEPT_QUEUE_PLACES] = *arrival;
    return true;
}

bool accept_queue_remove(struct accept_queue *queue, struct arrival *out)
{
    if (queue->n == 0)
        return false;
    *out = queue->waiting[queue->first];
    queue->first = (queue->first + 1) % ACCEPT_QUEUE_PLACES;
    queue->n--;
    return true;
}

void accept_queue_clear(struct accept_queue *queue)
{
    struct arrival arrival;

    while (accept_queue_remove(queue, &arrival))
        close(arrival.fd);
}
