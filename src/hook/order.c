#include "hook/order.h"

#include <string.h>

static int cut_short(struct err *err)
{
    return err_set(err, ERR_INTERNAL, "an order to the courier does not add up");
}

/* A text that ends before `end`; *at is moved behind it. NULL if there is none. */
static const char *take_text(const char **at, const char *end)
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

int order_pack_terms(const struct order_terms *terms, struct buf *out, struct err *err)
{
    const struct terms_head head = { terms->timeout_ms, terms->http };

    buf_put(out, &head, sizeof head);
    buf_put(out, terms->allowed, strlen(terms->allowed) + 1);
    buf_put(out, terms->ca, strlen(terms->ca) + 1);
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int order_unpack_terms(const struct message *message, struct order_terms *terms, struct err *err)
{
    struct terms_head head;
    const char *at = message->data + sizeof head, *end = message->data + message->n;

    if (message->n < sizeof head)
        return cut_short(err);
    memcpy(&head, message->data, sizeof head);
    *terms = (struct order_terms){ .http = head.http != 0, .timeout_ms = head.timeout_ms };
    terms->allowed = take_text(&at, end);
    terms->ca = terms->allowed ? take_text(&at, end) : NULL;
    return terms->ca && at == end ? 0 : cut_short(err);
}

int order_pack(const struct order *order, struct buf *out, struct err *err)
{
    buf_put(out, &order->ticket, sizeof order->ticket);
    buf_put(out, order->url, strlen(order->url) + 1);
    buf_put(out, order->headers, strlen(order->headers) + 1);
    buf_put(out, order->body, order->body_bytes);
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

int order_unpack(const struct message *message, struct order *order, struct err *err)
{
    const char *at = message->data + sizeof order->ticket, *end = message->data + message->n;

    if (message->n < sizeof order->ticket)
        return cut_short(err);
    *order = (struct order){ 0 };
    memcpy(&order->ticket, message->data, sizeof order->ticket);
    order->url = take_text(&at, end);
    order->headers = order->url ? take_text(&at, end) : NULL;
    if (!order->headers)
        return cut_short(err);
    order->body = at;
    order->body_bytes = (size_t) (end - at);
    return 0;
}

bool order_read_answer(const void *packet, size_t n, struct order_answer *answer)
{
    if (n != sizeof *answer)
        return false;
    memcpy(answer, packet, n);
    return answer->end < ORDER_ENDS && answer->excerpt_bytes <= ORDER_EXCERPT &&
           answer->duration_ms >= 0 && answer->after_s >= 0 &&
           (answer->end != ORDER_ANSWERED ||
            (answer->http_status >= 100 && answer->http_status <= 999));
}
