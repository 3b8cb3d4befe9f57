#include "server/http/lobby.h"

#include <string.h>
#include <unistd.h>

static size_t count_of(const struct lobby *lobby, const struct net_address *client)
{
    size_t n = 0;

    for (size_t i = 0; i < lobby->n; i++) {
        const struct arrival *other = &lobby->waiting[(lobby->first + i) % LOBBY_PLACES];

        n += other->counted && memcmp(&other->client, client, sizeof *client) == 0;
    }
    return n;
}

bool lobby_enter(struct lobby *lobby, const struct arrival *arrival)
{
    if (lobby->n == LOBBY_PLACES ||
        (arrival->counted && count_of(lobby, &arrival->client) >= LOBBY_PER_CLIENT))
        return false;
    lobby->waiting[(lobby->first + lobby->n++) % LOBBY_PLACES] = *arrival;
    return true;
}

bool lobby_leave(struct lobby *lobby, struct arrival *out)
{
    if (lobby->n == 0)
        return false;
    *out = lobby->waiting[lobby->first];
    lobby->first = (lobby->first + 1) % LOBBY_PLACES;
    lobby->n--;
    return true;
}

void lobby_clear(struct lobby *lobby)
{
    struct arrival arrival;

    while (lobby_leave(lobby, &arrival))
        close(arrival.fd);
}
