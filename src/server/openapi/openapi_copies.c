#include "server/openapi/openapi_copies.h"

#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "server/api_call/pack.h"

#define GUIDE_BASE "http://localhost:8080" /* the server in the examples of docs/guide.md */
#define ADDRESSES  16                      /* with copies of their own */
#define BASE       300                     /* bytes of an address */

struct copy {
    struct copy *next;
    const struct buf *document;
    bool packed;
    char base[BASE]; /* "": under all other addresses */
    struct openapi_copy copy;
};

struct openapi_copies {
    pthread_mutex_t lock; /* guards what follows */
    struct copy *list;
    size_t n;
};

struct openapi_copies *openapi_copies_new(struct err *err)
{
    struct openapi_copies *copies = calloc(1, sizeof *copies);

    if (copies)
        pthread_mutex_init(&copies->lock, NULL);
    else
        err_sys(err, "openapi");
    return copies;
}

void openapi_copies_free(struct openapi_copies *copies)
{
    while (copies && copies->list) {
        struct copy *copy = copies->list;

        copies->list = copy->next;
        buf_free(&copy->copy.body);
        free(copy);
    }
    if (copies)
        pthread_mutex_destroy(&copies->lock);
    free(copies);
}

/* The document, with the address that the guide's examples name replaced by this one. */
static void put_document(const struct buf *document, const char *base, struct buf *out)
{
    const char *at = document->data, *end = at + document->len, *found;

    while ((found = memmem(at, (size_t) (end - at), GUIDE_BASE, strlen(GUIDE_BASE))) != NULL) {
        buf_put(out, at, (size_t) (found - at));
        buf_puts(out, base);
        at = found + strlen(GUIDE_BASE);
    }
    buf_put(out, at, (size_t) (end - at));
}

static int write_copy(struct copy *copy)
{
    const char *base = *copy->base ? copy->base : "/";
    struct buf *body = &copy->copy.body;
    char digest[DIGEST_TEXT];
    json_t *servers = json_pack("[{ss}]", "url", base);
    AUTO_FREE char *text = servers ? json_dumps(servers, JSON_COMPACT) : NULL;

    json_decref(servers);
    put_document(copy->document, *copy->base ? base : GUIDE_BASE, body);
    buf_printf(body, ",\"servers\":%s}", text ? text : "[]");
    if (!text || body->failed)
        return -1;
    digest_text(body->data, body->len, digest);
    snprintf(copy->copy.etag, sizeof copy->copy.etag, "\"%s%s\"", digest,
             copy->packed ? "-gzip" : "");
    return copy->packed ? pack_gzip(body) : 0;
}

static struct copy *find(struct openapi_copies *copies, const struct copy *like)
{
    struct copy *copy = copies->list;

    while (copy && (copy->document != like->document || copy->packed != like->packed ||
                    strcmp(copy->base, like->base) != 0))
        copy = copy->next;
    return copy;
}

/* Whether no copy is for this address yet. */
static bool is_new_address(const struct openapi_copies *copies, const char *base)
{
    for (const struct copy *copy = copies->list; copy; copy = copy->next)
        if (strcmp(copy->base, base) == 0)
            return false;
    return true;
}

const struct openapi_copy *openapi_copies_find(struct openapi_copies *copies,
                                               const struct buf *document, const char *base,
                                               bool packed)
{
    struct copy like = { .document = document, .packed = packed }, *found;

    snprintf(like.base, sizeof like.base, "%s", base);
    pthread_mutex_lock(&copies->lock);
    if (is_new_address(copies, like.base)) {
        if (copies->n < ADDRESSES && strlen(base) < BASE)
            copies->n++;
        else
            *like.base = '\0';
    }
    found = find(copies, &like);
    if (!found && (found = calloc(1, sizeof *found)) != NULL) {
        *found = like;
        found->next = copies->list;
        copies->list = found;
        if (write_copy(found) < 0) {
            copies->list = found->next;
            buf_free(&found->copy.body);
            free(found);
            found = NULL;
        }
    }
    pthread_mutex_unlock(&copies->lock);
    return found ? &found->copy : NULL;
}
