#include "server/http/router.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Compares a literal part of a pattern with a part of the path, which may contain escapes. */
static bool part_is(const char *raw, size_t n, const char *literal, size_t literal_len,
                    char *scratch)
{
    return target_decode(raw, n, scratch) == literal_len &&
           memcmp(scratch, literal, literal_len) == 0;
}

/* Whether the path matches; fills args, whose text is written to `room` (as long as the path). */
static bool fits(const char *pattern, const char *raw, char *room,
                 const char *args[static ROUTER_ARGS])
{
    size_t n_args = 0;

    while (*pattern == '/' && *raw == '/') {
        size_t want, have;

        pattern++;
        raw++;
        want = strcspn(pattern, "/");
        have = strcspn(raw, "/");
        if (*pattern != '{') {
            if (!part_is(raw, have, pattern, want, room))
                return false;
        } else {
            bool rest = want > 4 && memcmp(pattern + want - 4, "...}", 4) == 0;

            if (rest)
                have = strlen(raw);
            if (have == 0 || n_args == ROUTER_ARGS)
                return false;
            args[n_args++] = room;
            room += target_decode(raw, have, room) + 1;
        }
        pattern += want;
        raw += have;
    }
    return *pattern == '\0' && *raw == '\0';
}

static void allow(struct router_match *match, const char *method)
{
    size_t n = strlen(match->allow);

    snprintf(match->allow + n, sizeof(match->allow) - n, "%s%s%s", n ? ", " : "", method,
             strcmp(method, "GET") == 0 ? ", HEAD" : "");
}

void router_find(const struct http_route *routes, size_t n, const char *method,
                 struct target *target, struct router_match *match)
{
    const char *wanted = strcmp(method, "HEAD") == 0 ? "GET" : method;

    *match = (struct router_match){ 0 };
    for (size_t i = 0; i < n; i++) {
        const char *args[ROUTER_ARGS] = { 0 };

        if (!fits(routes[i].pattern, target->raw, target->args, args))
            continue;
        allow(match, routes[i].method);
        if (strcmp(routes[i].method, wanted) != 0)
            continue;
        match->route = &routes[i];
        memcpy(match->args, args, sizeof(args));
        return;
    }
}
