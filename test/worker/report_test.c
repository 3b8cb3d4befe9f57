#include "sandbox/protocol/report.h"

#include <fcntl.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "tap.h"

#define SHA "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OUTPUT(name, offset, bytes, pages, sha)                                                    \
    "{\"output\":\"" name "\",\"offset\":" offset ",\"bytes\":" bytes ",\"pages\":" pages          \
    ",\"sha256\":\"" sha "\"}\n"

/* What the writer writes the reader reads, however the bytes are cut. */
static void test_both(void)
{
    const struct tool_output output = { "part \"1\".pdf", 10, 20, 3, SHA };
    struct worker_result result = { 0 };
    struct report report = { .result = &result };
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct err err;
    int pair[2], failed = 0;

    if (pipe2(pair, O_CLOEXEC) < 0)
        return;
    report_progress(pair[1], 0.5, &err);
    report_progress(pair[1], 0.25, &err);
    report_warning(pair[1], "code", "a message\nof two lines and \xff", &err);
    report_output(pair[1], &output, &err);
    report_out_of_memory(pair[1]);
    report_done(pair[1], "zip", &err);
    close(pair[1]);
    fdio_read_all(pair[0], 100000, &text, &err);
    close(pair[0]);
    for (size_t i = 0; i < text.len; i++)
        failed += report_feed(&report, text.data + i, 1, &err);
    is_int(failed, 0, "a report is read byte by byte");
    ok(report.fraction > 0.49 && report.fraction < 0.51, "progress never decreases");
    is_str(result.warnings ? result.warnings[0].message : NULL, "a message?of two lines and ?",
           "a warning becomes one line of text");
    is_str(result.outputs ? result.outputs[0].name : NULL, "part \"1\".pdf", "an output is read");
    ok(result.n_outputs == 1 && result.outputs[0].offset == 10 && result.outputs[0].bytes == 20 &&
           result.outputs[0].pages == 3 && strcmp(result.outputs[0].sha256, SHA) == 0,
       "an output has its offset, size and pages");
    ok(report.out_of_memory, "a refused allocation is read");
    ok(report.end == REPORT_DONE && strcmp(result.kind, "zip") == 0,
       "the end is read, with the kind of the result");
    ok(report_feed(&report, "{\"progress\":1}\n", 15, &err) < 0, "text after the end is refused");
    report_free(&report);
    worker_result_free(&result);
}

/* A job that wants no digests gets none. */
static void test_no_digest(void)
{
    static const char line[] = OUTPUT("", "0", "10", "1", "");
    struct worker_result result = { 0 };
    struct report report = { .result = &result };
    struct err err;

    ok(report_feed(&report, line, sizeof line - 1, &err) == 0 && result.n_outputs == 1 &&
           *result.outputs[0].sha256 == '\0',
       "an output without a digest is read");
    report_free(&report);
    worker_result_free(&result);
}

static void test_failure(void)
{
    struct worker_result result = { 0 };
    struct report report = { .result = &result };
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct err failure, err;
    int pair[2];

    if (pipe2(pair, O_CLOEXEC) < 0)
        return;
    err_field(&failure, ERR_PAGE_OUT_OF_RANGE, "pages", "there is no page %d", 9);
    report_failed(pair[1], &failure, &err);
    close(pair[1]);
    fdio_read_all(pair[0], 100000, &text, &err);
    close(pair[0]);
    ok(report_feed(&report, text.data, text.len, &err) == 0, "a failure is read");
    ok(report.end == REPORT_FAILED && report.failure.code == ERR_PAGE_OUT_OF_RANGE,
       "a failure has its code");
    is_str(report.failure.msg, "there is no page 9", "a failure has its message");
    is_str(report.failure.field, "pages", "a failure has its field");
    report_free(&report);
}

static int feed(const char *text, size_t times)
{
    struct worker_result result = { 0 };
    struct report report = { .result = &result };
    struct err err;
    int fed = 0;

    for (size_t i = 0; i < times && fed == 0; i++)
        fed = report_feed(&report, text, strlen(text), &err);
    report_free(&report);
    worker_result_free(&result);
    return fed;
}

static void test_limits(void)
{
    static const char row[] = "{\"row\":\"blank\",\"first\":1,\"last\":1,\"language\":\"\","
                              "\"words\":0,\"confidence\":-1}\n";
    ok(feed("{\"warning\":\"code\",\"message\":\"x\"}\n", REPORT_WARNINGS) == 0,
       "100 warnings accepted");
    ok(feed("{\"warning\":\"code\",\"message\":\"x\"}\n", REPORT_WARNINGS + 1) < 0,
       "101 warnings are refused");
    ok(feed("{\"figure\":\"pages\",\"value\":1}\n", REPORT_FIGURES) == 0, "50 figures accepted");
    ok(feed(row, TOOL_PAGE_ROWS) == 0, "500 rows of pages accepted");
    ok(feed(row, TOOL_PAGE_ROWS + 1) < 0, "501 rows refused");
    ok(feed("{\"figure\":\"pages\",\"value\":1}\n", REPORT_FIGURES + 1) < 0, "51 figures refused");
    ok(feed(OUTPUT("a", "0", "1", "0", SHA), REPORT_OUTPUTS) == 0, "10001 outputs are accepted");
    ok(feed(OUTPUT("a", "0", "1", "0", SHA), REPORT_OUTPUTS + 1) < 0, "10002 outputs are refused");
    ok(feed("0123456789abcdef", REPORT_LINE / 16) == 0, "a line of the maximum length is accepted");
    ok(feed("0123456789abcdef", REPORT_LINE / 16 + 1) < 0, "a longer line is refused");
    ok(feed("{\"progress\":0.1}\n", REPORT_BYTES / 17) == 0, "a report of 8 MB is accepted");
    ok(feed("{\"progress\":0.1}\n", REPORT_BYTES / 17 + 1) < 0, "a longer report is refused");
    ok(feed("\n", 1000) == 0, "empty lines are ignored");
}

int main(void)
{
    static const char *const bad[] = {
        "x\n",
        "{\n",
        "[]\n",
        "1\n",
        "null\n",
        "{}\n",
        "{\"unknown\":1}\n",
        "{\"progress\":\"1\"}\n",
        "{\"progress\":-0.1}\n",
        "{\"progress\":1.1}\n",
        "{\"progress\":1e999}\n",
        "{\"progress\":0.1,\"progress\":0.2}\n",
        "{\"progress\":0.1}{\"progress\":0.2}\n",
        "{\"warning\":\"code\"}\n",
        "{\"figure\":\"pages\"}\n",
        "{\"figure\":\"Pages\",\"value\":1}\n",
        "{\"row\":\"blank\",\"first\":2,\"last\":1,\"language\":\"\",\"words\":0,\"confidence\":0}"
        "\n",
        "{\"row\":\"blank\",\"first\":1,\"last\":1,\"language\":\"<\",\"words\":0,\"confidence\":0}"
        "\n",
        "{\"row\":\"a b\",\"first\":1,\"last\":1,\"language\":\"\",\"words\":0,\"confidence\":0}\n",
        "{\"row\":\"blank\",\"first\":1,\"last\":1,\"language\":\"\",\"words\":0,\"confidence\":"
        "101}\n",
        "{\"figure\":\"pages\",\"value\":1.5}\n",
        "{\"figure\":\"pages\",\"pages\":\"1;2\"}\n",
        "{\"figure\":\"pages\",\"pages\":\"1\",\"value\":1}\n",
        "{\"warning\":\"\",\"message\":\"\"}\n",
        "{\"warning\":\"code\",\"message\":\"\xff\"}\n",
        "{\"warning\":\"code\",\"message\":\"\\u0000\"}\n",
        "{\"warning\":\"code\",\"message\":\"\\u001b[2J\"}\n",
        OUTPUT("a/b", "0", "1", "0", SHA),
        OUTPUT("a\\\\b", "0", "1", "0", SHA),
        OUTPUT("..", "0", "1", "0", SHA),
        OUTPUT("a\\nb", "0", "1", "0", SHA),
        OUTPUT("a", "-1", "1", "0", SHA),
        OUTPUT("a", "0", "-1", "0", SHA),
        OUTPUT("a", "0", "1", "-1", SHA),
        OUTPUT("a", "0", "1", "0.5", SHA),
        OUTPUT("a", "9999999999999999999", "1", "0", SHA),
        OUTPUT("a", "0", "1", "0", "0123"),
        OUTPUT("a", "0", "1", "0", SHA "0"),
        "{\"done\":\"\"}\n",
        "{\"done\":\"sixteen_letters_\"}\n",
        "{\"done\":\"pdf\"}\n{\"done\":\"pdf\"}\n",
        "{\"done\":\"pdf\"}\n{\"failed\":\"corrupt_file\",\"message\":\"\",\"field\":\"\"}\n",
        "{\"failed\":\"quota_exceeded\",\"message\":\"\",\"field\":\"\"}\n",
        "{\"failed\":\"corrupt_file\",\"message\":\"a\\nb\",\"field\":\"\"}\n",
    };

    test_both();
    test_no_digest();
    test_failure();
    for (size_t i = 0; i < COUNT(bad); i++)
        ok(feed(bad[i], 1) < 0, "refused: %.*s", (int) strcspn(bad[i], "\n"), bad[i]);
    test_limits();
    return done_testing();
}
