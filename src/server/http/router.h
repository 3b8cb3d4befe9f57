/* router: finds the route of a method and a path in a table of patterns. */
#pragma once

#include <stddef.h>

#include "server/http/server.h"
#include "server/http/target.h"

#define ROUTER_ARGS  4  /* limit of the parts that a pattern captures */
#define ROUTER_ALLOW 64 /* room for a list of methods with its NUL */

struct router_match {
    const struct http_route *route; /* NULL: none */
    const char *args[ROUTER_ARGS];  /* decoded, in target->args */
    /* The methods that the path allows, as in "GET, HEAD"; "" if no route has the path. */
    char allow[ROUTER_ALLOW];
};

/*
 * A pattern is "/a/{b}/c": its literal parts are compared with the decoded parts of the path, "{b}"
 * matches one part of at least one byte, "{b...}" the rest of at least one byte. The first of
 * several matching patterns is used. GET routes also serve HEAD.
 */
void router_find(const struct http_route *routes, size_t n, const char *method,
                 struct target *target, struct router_match *match);
