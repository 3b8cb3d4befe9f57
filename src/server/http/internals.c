#include "server/http/internals.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <microhttpd.h>

#include "base/system/log.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool known, strict;

static void compare(void)
{
    const char *version = MHD_get_version();

    known = strcmp(version, INTERNALS_VERSION) == 0;
    strict = strtoul(version, NULL, 10) >= 1;
}

bool internals_use(enum internals what)
{
    (void) what;
    pthread_once(&once, compare);
    return known;
}

bool internals_strict(void)
{
    pthread_once(&once, compare);
    return strict;
}

static void log_version(void)
{
    log_warn("http.library_unknown", KV("version", MHD_get_version()),
             KV("known", INTERNALS_VERSION),
             KV("connections", internals_strict() ? "kept" : "one request each"));
}

void internals_log(void)
{
    static pthread_once_t logged = PTHREAD_ONCE_INIT;

    if (!internals_use(INTERNALS_POOL))
        pthread_once(&logged, log_version);
}
