#include "server/config/url_password.h"

#include <stddef.h>
#include <string.h>

#define PARAMETER "password="

/* Returns the start of the password, with the colon before it if it follows a user name, and sets
 * *n to the length of both. NULL: the address has no password. */
static const char *find_password(const char *url, size_t *n)
{
    const char *start = strstr(url, "://"), *at, *colon, *query;
    size_t host;

    if (!start)
        return NULL;
    start += 3;
    host = strcspn(start, "/?#");
    at = memrchr(start, '@', host);
    colon = at ? memchr(start, ':', (size_t) (at - start)) : NULL;
    if (colon) {
        *n = (size_t) (at - colon);
        return colon;
    }
    for (query = strchr(start, '?'); query; query = strchr(query + 1, '&')) {
        if (strncmp(query + 1, PARAMETER, strlen(PARAMETER)) != 0)
            continue;
        query += 1 + strlen(PARAMETER);
        *n = strcspn(query, "&#");
        if (*n > 0)
            return query;
        query--;
    }
    return NULL;
}

bool url_password_is_in(const char *url)
{
    size_t n;

    return find_password(url, &n) != NULL;
}

void url_password_hide(char *url)
{
    const char *found;
    size_t n;

    while ((found = find_password(url, &n)) != NULL)
        memmove(url + (found - url), found + n, strlen(found + n) + 1);
}
