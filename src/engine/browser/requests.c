#include "engine/browser/requests.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/scope.h"

#define MISSING 1000 /* limit of what is kept */

void requests_free(struct requests *requests)
{
    for (size_t i = 0; i < requests->n_missing; i++) {
        free(requests->missing[i].address);
        free(requests->missing[i].why);
    }
    free(requests->missing);
}

void requests_miss(struct requests *requests, const char *address, const char *why, bool font)
{
    struct missing one = { .font = font };

    for (size_t i = 0; i < requests->n_missing; i++)
        if (strcmp(requests->missing[i].address, address) == 0)
            return;
    if (requests->n_missing == requests->cap) {
        size_t cap = requests->cap ? requests->cap * 2 : 16;
        struct missing *more =
            cap <= MISSING ? realloc(requests->missing, cap * sizeof *more) : NULL;

        if (!more)
            return;
        requests->missing = more;
        requests->cap = cap;
    }
    one.address = strdup(address);
    one.why = strdup(why);
    if (one.address && one.why) {
        requests->missing[requests->n_missing++] = one;
    } else {
        free(one.address);
        free(one.why);
    }
}

/* The parts that a page shows, or is shown with. What a script asks for besides is its own affair.
 */
static bool is_part(const char *type)
{
    static const char *const parts[] = { "Document", "Stylesheet", "Image", "Media",
                                         "Font",     "Script",     NULL };

    for (size_t i = 0; parts[i]; i++)
        if (strcmp(type, parts[i]) == 0)
            return true;
    return false;
}

static void fail_request(struct requests *requests, const char *session, const char *id)
{
    devtools_send(requests->devtools, session, "Fetch.failRequest",
                  json_pack("{ss ss}", "requestId", id, "errorReason", "AccessDenied"));
}

static void fulfil(struct requests *requests, const char *session, const char *id, const char *type,
                   const struct buf *body)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    base64_put(body->data, body->len, &text);
    devtools_send(requests->devtools, session, "Fetch.fulfillRequest",
                  json_pack("{ss si s[{ss ss} {ss ss}] so}", "requestId", id, "responseCode", 200,
                            "responseHeaders", "name", "Content-Type", "value", type, "name",
                            "Cache-Control", "value", "no-store", "body",
                            json_stringn_nocheck(buf_text(&text), text.len)));
}

/* Why there is no such file; NULL: it was sent. */
static const char *answer_from_files(struct requests *requests, const char *session, const char *id,
                                     const char *address)
{
    AUTO_BUF struct buf body = BUF_EMPTY;
    const char *type;

    if (!assets_owns(address))
        return "nothing is fetched from other addresses";
    switch (assets_read(requests->assets, address, &body, &type)) {
    case ASSETS_FOUND:
        fulfil(requests, session, id, type, &body);
        return NULL;
    case ASSETS_BROKEN:
        return "the file cannot be unpacked";
    case ASSETS_TOO_LARGE:
        return "the files are too large";
    case ASSETS_ABSENT:
        break;
    }
    return "it is not among the files";
}

void requests_answer(struct requests *requests, const char *session, const json_t *params)
{
    const char *id = devtools_text(params, "requestId");
    const char *type = devtools_text(params, "resourceType");
    const char *address = devtools_text(json_object_get(params, "request"), "url");
    const char *why = answer_from_files(requests, session, id, address);

    requests->answered++;
    if (!why)
        return;
    fail_request(requests, session, id);
    if (is_part(type))
        requests_miss(requests, address, why, strcmp(type, "Font") == 0);
}
