#include "server/shipment/shipment_result.h"

#include <stdio.h>
#include <string.h>

#include "base/scope.h"

#define CODE 64 /* room for the name of an error of S3 with its NUL */

static const char *const faults[WEBHOOK_ENDS] = {
    [WEBHOOK_TIMEOUT] = "its host did not take it in time",
    [WEBHOOK_NO_HOST] = "its host was not found, or may not be reached",
    [WEBHOOK_UNREACHABLE] = "its host takes no connection",
    [WEBHOOK_TLS] = "the certificate or the TLS of its host is not acceptable",
    [WEBHOOK_BROKEN] = "its host broke off, or does not speak HTTP",
    [WEBHOOK_LOST] = "it was redirected more than five times, or to an address that is not allowed",
    [WEBHOOK_UNKEPT] = "the result could not be read",
};

/* A second attempt would be answered as the first one was. */
static bool is_final(int32_t status)
{
    static const int32_t passing[] = { 408, 409, 423, 425, 429 };

    for (size_t i = 0; i < COUNT(passing); i++)
        if (status == passing[i])
            return false;
    return status < 500 || status == 501 || status == 505;
}

/* The name of an error in a response of S3: the rest of it may hold the signature. */
static void find_code(const struct webhook_response *response, char out[static CODE])
{
    static const char tag[] = "<Code>";
    const char *at = memmem(response->excerpt, response->excerpt_bytes, tag, sizeof tag - 1);
    const char *end = response->excerpt + response->excerpt_bytes;
    size_t n = 0;

    *out = '\0';
    for (at = at ? at + sizeof tag - 1 : end; at < end && n + 1 < CODE; at++) {
        if (*at == '<') {
            out[n] = '\0';
            return;
        }
        if (!((*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z')))
            break;
        out[n++] = *at;
    }
    *out = '\0';
}

static void check_status(const struct webhook_response *response, struct store_shipment *s)
{
    char code[CODE];

    s->http_status = response->http_status;
    if (s->http_status >= 200 && s->http_status <= 299) {
        s->state = SHIPMENT_DONE;
        return;
    }
    if (s->http_status < 400) {
        snprintf(s->error, sizeof s->error,
                 "its host answered with status %d: of redirects only 307 and 308 are followed",
                 (int) s->http_status);
        return;
    }
    find_code(response, code);
    snprintf(s->error, sizeof s->error, "its host answered with status %d%s%s%s",
             (int) s->http_status, *code ? " (" : "", code, *code ? ")" : "");
}

void shipment_result_classify(const struct retry_rules *retry,
                              const struct webhook_response *response, int64_t now, uint32_t chance,
                              struct store_shipment *s)
{
    const struct delivery as = { .tries = s->attempts - 1, .since = s->created_at };
    const char *fault = response ? faults[response->end] : "the attempt was interrupted";

    s->state = SHIPMENT_FAILED;
    s->last_at = now;
    s->http_status = 0;
    s->duration_ms = response ? response->duration_ms : 0;
    *s->error = '\0';
    if (response && response->end == WEBHOOK_ANSWERED)
        check_status(response, s);
    else
        snprintf(s->error, sizeof s->error, "%s", fault ? fault : faults[WEBHOOK_BROKEN]);
    s->next_at = 0;
    if (s->state == SHIPMENT_DONE || (response && response->end == WEBHOOK_LOST) ||
        (s->http_status && is_final(s->http_status)))
        return;
    s->next_at = retry_at(retry, &as, now, response ? response->after_s * 1000LL : 0, chance);
    s->state = s->next_at ? SHIPMENT_WAITING : SHIPMENT_FAILED;
}
