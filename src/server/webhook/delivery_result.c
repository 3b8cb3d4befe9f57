#include "server/webhook/delivery_result.h"

#include <stdio.h>
#include <string.h>

#include "base/metric.h"
#include "base/scope.h"
#include "declare/value/text.h"

#define GONE    410
#define SLOW_MS 5000 /* a host that takes longer counts as slow, and gets fewer connections */

static const struct {
    const char *label, *error;
} failures[WEBHOOK_ENDS] = {
    [WEBHOOK_TIMEOUT] = { "timeout", "the receiver did not answer in time" },
    [WEBHOOK_NO_HOST] = { "no_host", "the host was not found, or callbacks may not reach it" },
    [WEBHOOK_UNREACHABLE] = { "unreachable", "the host takes no connection" },
    [WEBHOOK_TLS] = { "tls", "the host's certificate or its TLS is not acceptable" },
    [WEBHOOK_BROKEN] = { "broken", "the receiver broke off, or does not speak HTTP" },
};

void delivery_result_init_metrics(void)
{
    static const char *const others[] = { "delivered", "gone", "redirected", "rejected", "lost" };

    for (size_t i = 0; i < WEBHOOK_ENDS; i++)
        if (failures[i].label)
            metric_add(METRIC_WEBHOOK_ATTEMPTS, failures[i].label, 0);
    for (size_t i = 0; i < COUNT(others); i++)
        metric_add(METRIC_WEBHOOK_ATTEMPTS, others[i], 0);
    metric_add(METRIC_WEBHOOKS_ENDED, delivery_status(DELIVERY_DELIVERED), 0);
    metric_add(METRIC_WEBHOOKS_ENDED, delivery_status(DELIVERY_FAILED), 0);
}

static void check_status(int32_t status, struct delivery_result *out)
{
    if (status >= 200 && status <= 299) {
        out->label = "delivered";
        out->stored.state = DELIVERY_DELIVERED;
        return;
    }
    out->label = status == GONE ? "gone" : status < 400 ? "redirected" : "rejected";
    if (status == GONE)
        snprintf(out->error, sizeof out->error,
                 "the receiver answered with status 410: it wants no more of this");
    else if (status < 400)
        snprintf(out->error, sizeof out->error,
                 "the receiver answered with status %d: redirects are not followed, callbackUrl "
                 "must be its final address",
                 (int) status);
    else
        snprintf(out->error, sizeof out->error, "the receiver answered with status %d",
                 (int) status);
}

static void check_answer(const struct webhook_response *response, struct delivery_result *out)
{
    uint32_t end;

    out->stored.duration_ms = response->duration_ms;
    out->stored.unreachable = response->duration_ms >= SLOW_MS;
    if (response->end == WEBHOOK_ANSWERED) {
        out->stored.http_status = response->http_status;
        text_for_message(response->excerpt, response->excerpt_bytes, out->excerpt,
                         sizeof out->excerpt);
        check_status(response->http_status, out);
        return;
    }
    end = failures[response->end].label ? response->end
                                        : WEBHOOK_BROKEN; /* the others are of files */
    out->label = failures[end].label;
    out->stored.unreachable = true;
    snprintf(out->error, sizeof out->error, "%s", failures[end].error);
}

void delivery_result_classify(const struct retry_rules *retry, const struct delivery *delivery,
                              const struct webhook_response *response, int64_t now, uint32_t chance,
                              struct delivery_result *out)
{
    int64_t after = response ? response->after_s * 1000LL : 0;

    memset(out, 0, sizeof *out);
    memcpy(out->stored.id, delivery->id, ID_TEXT);
    out->stored.at = now;
    out->stored.state = DELIVERY_FAILED;
    if (response) {
        check_answer(response, out);
    } else {
        out->label = "lost";
        snprintf(out->error, sizeof out->error, "the attempt was interrupted");
    }
    if (out->stored.state == DELIVERY_FAILED && out->stored.http_status != GONE) {
        out->stored.next_at = retry_at(retry, delivery, now, after, chance);
        out->stored.state = out->stored.next_at ? DELIVERY_WAITING : DELIVERY_FAILED;
    }
    out->stored.error = *out->error ? out->error : NULL;
    out->stored.excerpt = *out->excerpt ? out->excerpt : NULL;
}
