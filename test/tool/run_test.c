#include "declare/tool_run/run.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "declare/tool_run/result.h"
#include "tap.h"

struct nothing {
    bool quiet;
};

static const char *run_stem = "s";
static size_t n_parts;
static const char *const *part_names; /* in turn */
static size_t n_part_names;

/* Writes n_parts parts, the numbers from 0, all under one name. */
static int run_parts(struct tool_run *run, const void *params, struct err *err)
{
    (void) params;
    for (size_t i = 0; i < n_parts; i++) {
        AUTO_FCLOSE FILE *file = fopen(tool_part(run), "wb+");

        tool_warn(run, "numbered", "part %zu", i);
        if (!file || fprintf(file, "part number %zu", i) < 0 || fflush(file) ||
            tool_part_done(run, part_names[i % n_part_names], i + 1, err) < 0)
            return -1;
        tool_progress(run, (double) (i + 1) / (double) n_parts);
    }
    return tool_parts_done(run, err);
}

static int run_one(struct tool_run *run, const void *params, struct err *err)
{
    AUTO_FCLOSE FILE *file = fopen(run->output, "wb+");

    (void) params;
    if (!file || fputs("abc", file) < 0 || fflush(file))
        return err_sys(err, "output");
    return tool_done(run, 3, err);
}

static int run_nothing(struct tool_run *run, const void *params, struct err *err)
{
    (void) run, (void) params, (void) err;
    return 0;
}

/* Says more than a warning and a list of pages have room for. */
static int run_much(struct tool_run *run, const void *params, struct err *err)
{
    AUTO_BUF struct buf pages = BUF_EMPTY, words = BUF_EMPTY;

    for (int i = 1; i <= 400; i++) {
        buf_printf(&pages, "%s%d", i > 1 ? "," : "", i + (i > 200));
        buf_puts(&words, "\u00e9\u20ac");
    }
    tool_page_list(run, "many", buf_text(&pages));
    tool_warn(run, "long", "%s", buf_text(&words));
    return run_one(run, params, err);
}

/* What the sink heard. */
static struct {
    char message[300], pages[40];
    double progress;
    int warnings, outputs;
    char names[6][TOOL_NAME + 20];
    struct tool_output list[6];
} heard;

static void hear_progress(void *arg, double fraction)
{
    (void) arg;
    heard.progress = fraction;
}

static void hear_warning(void *arg, const char *code, const char *message)
{
    (void) arg, (void) code;
    snprintf(heard.message, sizeof heard.message, "%s", message);
    heard.warnings++;
}

static void hear_pages(void *arg, const char *name, const char *pages)
{
    (void) arg, (void) name;
    snprintf(heard.pages, sizeof heard.pages, "%s", pages);
}

static int hear_output(void *arg, const struct tool_output *output, struct err *err)
{
    (void) arg, (void) err;
    if (heard.outputs < 6) {
        snprintf(heard.names[heard.outputs], sizeof *heard.names, "%s", output->name);
        heard.list[heard.outputs] = *output;
    }
    heard.outputs++;
    return 0;
}

static int output;

/* Runs it and says the result's kind. */
static const char *run(int (*function)(struct tool_run *, const void *, struct err *))
{
    static char kind[16];
    struct tool tool = {
        .name = "sample", .gives = "pdf", .params_size = sizeof(struct nothing), .run = function
    };
    struct tool_sink sink = { .progress = hear_progress,
                              .warning = hear_warning,
                              .pages = hear_pages,
                              .output = hear_output };
    AUTO_CLOSE int scratch = memfd_create("scratch", 0);
    static struct err err;
    struct tool_result *result;

    memset(&heard, 0, sizeof heard);
    output = memfd_create("output", 0);
    result = tool_result_new(&tool, output, scratch, &sink, &err);
    struct tool_run job = { .output = tool_result_path(result),
                            .stem = run_stem,
                            .result = result };
    int failed = tool_result_run(&tool, &job, NULL, 0, &err);
    snprintf(kind, sizeof kind, "%s", failed ? "failed" : tool_result_kind(result));
    tool_result_free(result);
    return failed ? err.msg : kind;
}

static const char *bytes_at(int64_t offset, size_t n)
{
    static char text[40];
    struct err err;

    memset(text, 0, sizeof text);
    fdio_read_at(output, text, n, offset, &err);
    return text;
}

/* Whether unzip(1), with its own idea of a ZIP, accepts the output. */
static bool unzip_is_content(void)
{
    char path[40];
    int status = -1;
    pid_t child;

    snprintf(path, sizeof path, "/proc/%d/fd/%d", getpid(), output);
    child = fork();
    if (child == 0) {
        execlp("unzip", "unzip", "-tqq", path, (char *) NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    return status == 0;
}

/* A stem of 200 bytes: 66 characters of three and two letters. */
static void test_names(void)
{
    static const char *const three[] = { "a_1.pdf", "a_2.pdf", "A_1.pdf" };
    static char stem[TOOL_NAME], name[300]; /* later runs have them too */
    static const char *const longer[] = { name };

    part_names = three;
    n_part_names = 3;
    n_parts = 6;
    run(run_parts);
    is_str(heard.names[2], "A_1 (2).pdf", "letters' case makes no difference");
    is_str(heard.names[3], "a_1 (3).pdf", "each name has a count of its own");
    is_str(heard.names[4], "a_2 (2).pdf", "from 2 on");
    close(output);

    for (size_t i = 0; i < 66; i++)
        memcpy(stem + 3 * i, "\xe6\xbc\xa2", 4);
    snprintf(name, sizeof name, "%s_10-12.pdf", stem);
    run_stem = stem;
    part_names = longer;
    n_part_names = 1;
    n_parts = 2;
    run(run_parts);
    is_int(strlen(heard.names[0]), 189 + 10, "a long name is cut, between characters");
    is_str(heard.names[0] + 189, "_10-12.pdf", "in its stem");
    is_int(strlen(heard.names[1]), 186 + 14, "with its number too");
    is_str(heard.names[1] + 186, "_10-12 (2).pdf", "which stays");
    close(output);
}

int main(void)
{
    static const char *const same[] = { "part.pdf" };
    char digest[DIGEST_TEXT];

    part_names = same;
    n_part_names = 1;
    is_str(run(run_one), "pdf", "one file is what the tool gives");
    digest_text("abc", 3, digest);
    is_str(heard.list[0].sha256, digest, "its digest is taken");
    ok(heard.list[0].bytes == 3 && heard.list[0].pages == 3 && !*heard.names[0],
       "its size and pages too");
    close(output);

    n_parts = 1;
    is_str(run(run_parts), "pdf", "one part is no ZIP");
    is_str(bytes_at(0, 39), "part number 0", "it is the result itself");
    ok(heard.outputs == 1 && heard.list[0].offset == 0 && !*heard.names[0], "and reported so");
    close(output);

    n_parts = 3;
    is_str(run(run_parts), "zip", "several parts are a ZIP");
    is_int(heard.outputs, 3, "each is reported");
    is_str(heard.names[0], "part.pdf", "under its name");
    is_str(heard.names[1], "part (2).pdf", "which is made unique");
    is_str(bytes_at(heard.list[0].offset, 13), "part number 0", "and is a range of bytes of it");
    is_str(bytes_at(heard.list[2].offset, 13), "part number 2", "the last one too");
    is_int(heard.warnings, 1, "a warning is given once");
    ok(heard.progress == 1, "progress is heard");
    ok(memcmp(bytes_at(6, 2), "\0\x08", 2) == 0, "names are marked as UTF-8, sizes stand in front");
    ok(unzip_is_content(), "another program finds the ZIP sound");
    close(output);

    run(run_much);
    is_str(heard.pages, "1-200,202-401", "a long list of pages is given with ranges");
    ok(strlen(heard.message) < 256 && utf8_is_valid(heard.message, strlen(heard.message)),
       "a long warning is cut after a character");
    is_str(heard.message + strlen(heard.message) - 3, "...", "and says so");
    close(output);

    test_names();
    is_str(run(run_nothing), "sample ended without a result", "a tool that gives nothing fails");
    close(output);
    n_parts = TOOL_PARTS + 1;
    is_str(run(run_parts), "the result would have more than 10000 parts", "parts are bounded");
    close(output);
    return done_testing();
}
