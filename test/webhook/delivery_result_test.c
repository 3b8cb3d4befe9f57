/* When a delivery is tried again, and what an answer means. */
#include "server/webhook/delivery_result.h"
#include "server/webhook/request.h"
#include "tap.h"

#define NOW   1800000000000LL
#define HOUR  3600000LL
#define FIRST 5000LL

static const struct retry_rules rules = { .first_ms = FIRST, .for_ms = 24 * HOUR };

static int64_t wait_after(int32_t tries, uint32_t chance)
{
    const struct delivery d = { .tries = tries, .since = NOW };

    return retry_at(&rules, &d, NOW, 0, chance) - NOW;
}

static void test_retry(void)
{
    struct delivery d = { .since = NOW };
    int64_t now = NOW, at;
    int tries = 0;

    is_int(wait_after(0, 512), FIRST, "the first wait is the configured one");
    is_int(wait_after(1, 512), 3 * FIRST, "the second wait is three times the first");
    is_int(wait_after(2, 512), 9 * FIRST, "the third wait is nine times the first");
    is_int(wait_after(0, 0), FIRST * 3 / 4, "a wait is randomly up to a quarter shorter");
    ok(wait_after(0, 1023) > FIRST * 6 / 5 && wait_after(0, 1023) < FIRST * 5 / 4,
       "a wait is randomly up to a quarter longer");
    is_int(wait_after(900000000, 512), RETRY_LONGEST_MS, "a wait is at most RETRY_LONGEST_MS");
    is_int(retry_at(&rules, &d, NOW, HOUR, 512), NOW + HOUR, "Retry-After is respected");
    is_int(retry_at(&rules, &d, NOW, 99 * HOUR, 512), NOW + RETRY_LONGEST_MS,
           "Retry-After is limited to RETRY_LONGEST_MS");
    while ((at = retry_at(&rules, &d, now, 0, 512)) != 0 && tries++ < 100) {
        now = at;
        d.tries++;
    }
    ok(tries > 14 && tries < 30 && now > NOW + 21 * HOUR && now <= NOW + 24 * HOUR,
       "a dead receiver is tried %d times more, for about a day", tries);
    d.since = now;
    d.tries = 0;
    ok(retry_at(&rules, &d, now, 0, 512) > 0, "a redelivery on request has its own time limit");
}

static struct delivery_result judge(enum webhook_end end, int32_t status, const char *body)
{
    struct delivery d = { .id = "x", .since = NOW };
    struct webhook_response answer = { .end = end, .http_status = status, .duration_ms = 7 };
    struct delivery_result out;

    answer.excerpt_bytes = (uint32_t) strlen(body);
    memcpy(answer.excerpt, body, strlen(body));
    delivery_result_classify(&rules, &d, &answer, NOW, 512, &out);
    return out;
}

static void test_judge(void)
{
    struct delivery_result o = judge(WEBHOOK_ANSWERED, 200, "");
    struct delivery d = { .id = "x", .since = NOW };
    struct webhook_response answer = { .http_status = 200 };

    ok(o.stored.state == DELIVERY_DELIVERED && !o.error[0] && !o.stored.unreachable,
       "200 is a success");
    is_int(judge(WEBHOOK_ANSWERED, 299, "").stored.state, DELIVERY_DELIVERED,
           "any other 2xx is a success");
    o = judge(WEBHOOK_ANSWERED, 500, "<h1>\x01\xff");
    ok(o.stored.state == DELIVERY_WAITING && o.stored.next_at == NOW + FIRST, "500 is retried");
    is_str(o.excerpt, "<h1>??", "the excerpt of an answer is kept in printable form");
    is_int(judge(WEBHOOK_ANSWERED, 302, "").stored.state, DELIVERY_WAITING,
           "a redirect is not a success");
    is_int(judge(WEBHOOK_ANSWERED, 410, "").stored.state, DELIVERY_FAILED, "410 ends the delivery");
    o = judge(WEBHOOK_TIMEOUT, 0, "");
    ok(o.stored.state == DELIVERY_WAITING && o.stored.unreachable && o.stored.http_status == 0,
       "a missing answer is retried, one delivery to the host at a time");
    answer.duration_ms = 6000;
    delivery_result_classify(&rules, &d, &answer, NOW, 512, &o);
    ok(o.stored.state == DELIVERY_DELIVERED && o.stored.unreachable,
       "a slow answer is a success, and the host then gets one delivery at a time");
    delivery_result_classify(&rules, &d, NULL, NOW, 512, &o);
    ok(o.stored.state == DELIVERY_WAITING && !o.stored.unreachable,
       "a lost platen-webhook is retried and not counted against the host");
}

static void test_answers(void)
{
    struct webhook_response good = { .ticket = 1, .http_status = 200 }, out, bad;

    ok(webhook_response_read(&good, sizeof good, &out), "a response of platen-webhook is read");
    ok(!webhook_response_read(&good, sizeof good - 1, &out),
       "a truncated response of platen-webhook is refused");
    bad = good;
    bad.excerpt_bytes = WEBHOOK_EXCERPT + 1;
    ok(!webhook_response_read(&bad, sizeof bad, &out),
       "a response of platen-webhook with a wrong length is refused");
    bad = good;
    bad.end = WEBHOOK_ENDS;
    ok(!webhook_response_read(&bad, sizeof bad, &out),
       "a response of platen-webhook with an unknown end is refused");
    bad = good;
    bad.http_status = 1000;
    ok(!webhook_response_read(&bad, sizeof bad, &out),
       "a response of platen-webhook with an invalid status is refused");
}

int main(void)
{
    test_retry();
    test_judge();
    test_answers();
    return done_testing();
}
