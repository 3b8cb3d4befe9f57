#include "server/webhook/request.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

static int cut_short(struct err *err)
{
    return err_set(err, ERR_INTERNAL, "a message to platen-webhook is malformed");
}

/* Reads a text that ends before `end`, and moves *at past it. NULL if there is none. */
static const char *read_text(const char **at, const char *end)
{
    const char *text = *at, *nul = memchr(text, '\0', (size_t) (end - text));

    if (nul)
        *at = nul + 1;
    return nul ? text : NULL;
}

struct terms_head {
    int64_t timeout_ms;
    int64_t http;
};

int webhook_terms_pack(const struct webhook_terms *terms, struct buf *out, struct err *err)
{
    const struct terms_head head = { terms->timeout_ms, terms->http };

    buf_put(out, &head, sizeof head);
    buf_put(out, terms->allowed, strlen(terms->allowed) + 1);
    buf_put(out, terms->ca, strlen(terms->ca) + 1);
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int webhook_terms_unpack(const struct message *message, struct webhook_terms *terms,
                         struct err *err)
{
    struct terms_head head;
    const char *at = message->data + sizeof head, *end = message->data + message->n;

    if (message->n < sizeof head)
        return cut_short(err);
    memcpy(&head, message->data, sizeof head);
    *terms = (struct webhook_terms){ .http = head.http != 0, .timeout_ms = head.timeout_ms };
    terms->allowed = read_text(&at, end);
    terms->ca = terms->allowed ? read_text(&at, end) : NULL;
    return terms->ca && at == end ? 0 : cut_short(err);
}

int webhook_own_terms_copy(struct webhook_own_terms *own, const struct webhook_terms *terms,
                           struct err *err)
{
    *own = (struct webhook_own_terms){ .values = *terms,
                                       .texts = { strdup(terms->allowed), strdup(terms->ca) } };
    own->values.allowed = own->texts[0];
    own->values.ca = own->texts[1];
    if (own->texts[0] && own->texts[1])
        return 0;
    webhook_own_terms_free(own);
    return err_set(err, ERR_INTERNAL, "out of memory");
}

void webhook_own_terms_free(struct webhook_own_terms *own)
{
    for (size_t i = 0; i < COUNT(own->texts); i++)
        free(own->texts[i]);
    *own = (struct webhook_own_terms){ 0 };
}

/* The numbers of a request, before its texts. */
struct request_head {
    uint64_t ticket;
    int64_t max_bytes, page, head, put, from, bytes;
};

int webhook_request_pack(const struct webhook_request *request, struct buf *out, struct err *err)
{
    const struct request_head head = { request->ticket, request->max_bytes, request->page,
                                       request->head,   request->put,       request->from,
                                       request->bytes };

    buf_put(out, &head, sizeof head);
    buf_put(out, request->url, strlen(request->url) + 1);
    buf_put(out, request->headers, strlen(request->headers) + 1);
    buf_put(out, request->body, request->body_bytes);
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int webhook_request_unpack(const struct message *message, struct webhook_request *request,
                           struct err *err)
{
    struct request_head head;
    const char *at = message->data + sizeof head, *end = message->data + message->n;

    if (message->n < sizeof head)
        return cut_short(err);
    memcpy(&head, message->data, sizeof head);
    *request = (struct webhook_request){ .ticket = head.ticket,
                                         .max_bytes = head.max_bytes,
                                         .page = head.page != 0,
                                         .head = head.head != 0,
                                         .put = head.put != 0,
                                         .from = head.from,
                                         .bytes = head.bytes };
    if (head.max_bytes < 0 || head.from < 0 || head.bytes < 0 || (head.put && head.max_bytes) ||
        (head.page && !head.max_bytes) || message->n_fds != (head.max_bytes || head.put ? 1U : 0U))
        return cut_short(err);
    request->url = read_text(&at, end);
    request->headers = request->url ? read_text(&at, end) : NULL;
    if (!request->headers)
        return cut_short(err);
    request->body = at;
    request->body_bytes = (size_t) (end - at);
    return 0;
}

bool webhook_response_read(const void *packet, size_t n, struct webhook_response *response)
{
    if (n != sizeof *response)
        return false;
    memcpy(response, packet, n);
    return response->end < WEBHOOK_ENDS && response->excerpt_bytes <= WEBHOOK_EXCERPT &&
           response->duration_ms >= 0 && response->after_s >= 0 && response->bytes >= 0 &&
           (response->end != WEBHOOK_ANSWERED ||
            (response->http_status >= 100 && response->http_status <= 999));
}
