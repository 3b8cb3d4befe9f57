#include "base/metric.h"

#include "tap.h"

static bool has(const char *line)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    metric_write(&out);
    return strstr(buf_text(&out), line) != NULL;
}

int main(void)
{
    ok(has("# TYPE platen_http_requests_total counter\n"), "every family is described");
    ok(has("\nplaten_http_received_bytes_total 0\n"), "a plain counter begins at 0");
    metric_add(METRIC_HTTP_REQUESTS, "202,/a/{b}", 1);
    metric_add(METRIC_HTTP_REQUESTS, "202,/a/{b}", 1);
    ok(has("\nplaten_http_requests_total{code=\"202\",route=\"/a/{b}\"} 2\n"),
       "counters count by label");
    metric_set(METRIC_QUEUE_PENDING, 7);
    metric_set(METRIC_QUEUE_PENDING, 5);
    ok(has("\nplaten_queue_pending_jobs 5\n"), "gauges stand at what was set last");
    metric_observe(METRIC_JOB_RUN, "rotate", 0.02);
    metric_observe(METRIC_JOB_RUN, "rotate", 9000);
    ok(has("_bucket{tool=\"rotate\",le=\"0.01\"} 0\n"), "a bucket below holds nothing");
    ok(has("_bucket{tool=\"rotate\",le=\"0.025\"} 1\n"), "histogram buckets are cumulative");
    ok(has("_bucket{tool=\"rotate\",le=\"+Inf\"} 2\n"), "the last bucket holds all");
    ok(has("_sum{tool=\"rotate\"} 9000.02\n") && has("_count{tool=\"rotate\"} 2\n"),
       "with sum and count");
    for (int i = 0; i < 300; i++) {
        char label[16];

        snprintf(label, sizeof label, "e%d", i);
        metric_add(METRIC_JOBS_ACCEPTED, label, 1);
    }
    ok(has("platen_jobs_accepted_total{tool=\"other\"} 45\n"), "the number of labels is bounded");
    metric_add(METRIC_JOBS_ENDED, "rotate,wrong_password", 1);
    ok(has("\nplaten_jobs_ended_total{tool=\"rotate\",end=\"wrong_password\"} 1\n"),
       "there may be two labels");
    return done_testing();
}
