/*
 * Input: one byte for the size of the pieces, what a job's process says of its job. It must mean
 * the same in one piece and in many, and nothing that could not be.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "fuzz.h"
#include "sandbox/protocol/report.h"

static void judge(const struct report *report)
{
    const struct worker_result *result = report->result;

    if (!(report->fraction >= 0 && report->fraction <= 1) || result->n_outputs > REPORT_OUTPUTS ||
        result->n_warnings > REPORT_WARNINGS)
        abort();
    for (size_t i = 0; i < result->n_outputs; i++)
        if (result->outputs[i].offset < 0 || result->outputs[i].bytes < 0)
            abort();
    if (report->end == REPORT_FAILED && !*report->failure.msg)
        abort();
}

static void read_report(const uint8_t *data, size_t n, size_t piece, struct buf *told)
{
    AUTO_WORKER_RESULT struct worker_result result = { 0 };
    struct report report = { .result = &result };
    struct err err = { 0 };
    int fed = 0;

    for (size_t at = 0; fed == 0 && at < n; at += piece) {
        size_t take = piece < n - at ? piece : n - at;
        AUTO_FREE uint8_t *copy = malloc(take); /* so that a read past the piece is seen */

        memcpy(copy, data + at, take);
        fed = report_feed(&report, copy, take, &err);
        judge(&report);
    }
    buf_printf(told, "%d %d %s %zu %zu %g", fed, (int) report.end, result.kind, result.n_outputs,
               result.n_warnings, report.fraction);
    report_free(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    AUTO_BUF struct buf whole = BUF_EMPTY, pieces = BUF_EMPTY;

    if (n < 2)
        return 0;
    read_report(data + 1, n - 1, n - 1, &whole);
    read_report(data + 1, n - 1, 1 + data[0] % 60, &pieces);
    if (strcmp(buf_text(&whole), buf_text(&pieces)) != 0)
        abort();
    return 0;
}
