/*
 * direct: runs one tool in this process, without server, zygote or sandbox: for sanitizers,
 * coverage and debuggers. Takes the words of `platen run`:
 *
 *     direct run TOOL FILE... [--PARAM VALUE]... -o OUT
 *
 * and prints what the tool reports, one line each: "output NAME OFFSET BYTES PAGES",
 * "kind KIND", or "error CODE MESSAGE" (exit status 1); a warning as `platen run` writes it.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "declare/tool_run/result.h"
#include "double.h"
#include "leaks.h"
#include "tools/programs/table.h"

static void print_progress(void *arg, double fraction)
{
    (void) arg, (void) fraction;
}

static void print_warning(void *arg, const char *code, const char *message)
{
    (void) arg;
    printf("warning: %s: %s\n", code, message);
}

static void print_pages(void *arg, const char *name, const char *pages)
{
    (void) arg;
    printf("figure %s %s\n", name, pages);
}

static void print_row(void *arg, const struct tool_page_row *row)
{
    (void) arg;
    fprintf(stderr, "report: page %zu: %s", row->first, row->outcome);
    if (row->confidence >= 0)
        fprintf(stderr, ", %s, confidence %d, words %lld", row->language, row->confidence,
                (long long) row->words);
    fprintf(stderr, "\n");
}

static void print_figure(void *arg, const char *name, int64_t value)
{
    (void) arg;
    printf("figure %s %" PRId64 "\n", name, value);
}

static int print_output(void *arg, const struct tool_output *output, struct err *err)
{
    (void) arg, (void) err;
    printf("output %s %" PRId64 " %" PRId64 " %zu\n", *output->name ? output->name : "-",
           output->offset, output->bytes, output->pages);
    return 0;
}

struct request {
    struct param_input params[64];
    struct tool_input files[1000];
    struct tool_input attachments[64];
    size_t n_params, n_files;
    const char *out, *stem;
};

static int parse(int argc, char **argv, struct request *request)
{
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) {
            request->out = argv[++i];
        } else if (strcmp(argv[i], "--outputName") == 0 && i + 1 < argc) {
            request->stem = argv[++i];
        } else if (strncmp(argv[i], "--", 2) == 0 && i + 1 < argc && request->n_params < 64) {
            request->params[request->n_params++] = (struct param_input){ argv[i] + 2, argv[i + 1] };
            i++;
        } else if (request->n_files < 1000) {
            struct stat st;
            int fd = open(argv[i], O_RDONLY | O_CLOEXEC);

            if (fd < 0 || fstat(fd, &st) < 0)
                return -1;
            const char *slash = strrchr(argv[i], '/');
            request->files[request->n_files++] =
                (struct tool_input){ fd, argv[i], slash ? slash + 1 : argv[i],
                                     (int64_t) st.st_size };
        }
    }
    return request->out ? 0 : -1;
}

/* The value of a parameter that is a file. */
static int attach(struct tool_input *file, struct param_input *param, struct err *err)
{
    struct stat st;
    int fd = open(param->value, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(err, "%s", param->value);
    *file = (struct tool_input){ fd, param->value, "", (int64_t) st.st_size };
    *param = (struct param_input){ param->name, NULL, file };
    return 0;
}

/* Passwords as the server hands them on: prepared. */
static int prepare(const struct tool *tool, struct request *request, struct err *err)
{
    for (size_t i = 0; i < request->n_params; i++) {
        const struct param *p = param_find(tool->params, tool->n_params, request->params[i].name);
        char *value;

        if (!p)
            continue;
        if (p->type == PARAM_UPLOAD) {
            if (attach(&request->attachments[i], &request->params[i], err) < 0)
                return -1;
            continue;
        }
        if (param_check(p, request->params[i].value, &value, err) < 0)
            return -1;
        request->params[i].value = value;
    }
    if (tool_check_stamped(tool, request->params, request->n_params, double_authority(), err) < 0)
        return -1;
    return tool_check_count(tool, request->n_files, request->params, request->n_params, err);
}

static int run(const struct tool *tool, struct request *request, struct err *err)
{
    struct tool_sink sink = { .progress = print_progress,
                              .warning = print_warning,
                              .output = print_output,
                              .pages = print_pages,
                              .figure = print_figure,
                              .row = print_row };
    int output = open(request->out, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int scratch = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    struct tool_services services = double_services();
    const char *cores = getenv("CORES");
    struct tool_result *result = tool_result_new(tool, output, scratch, &sink, err);

    if (output < 0 || scratch < 0 || !result)
        return err_sys(err, "files");
    struct tool_run job = { .inputs = request->files,
                            .n_inputs = request->n_files,
                            .stem = request->stem ? request->stem : "result",
                            .output = tool_result_path(result),
                            .result = result,
                            .cores = cores ? (int) strtol(cores, NULL, 10) : 1,
                            .services = tool->asks ? &services : NULL };
    int done = prepare(tool, request, err) < 0
                   ? -1
                   : tool_result_run(tool, &job, request->params, request->n_params, err);
    if (done == 0)
        printf("kind %s\n", tool_result_kind(result));
    tool_result_free(result);
    close(output);
    close(scratch);
    return done;
}

int main(int argc, char **argv)
{
    static struct request request;
    struct err err;

    if (argc < 4 || parse(argc, argv, &request) < 0)
        return 2;
    for (size_t i = 0; i < COUNT(tools); i++) {
        if (strcmp(tools[i]->name, argv[2]) != 0)
            continue;
        if (run(tools[i], &request, &err) == 0)
            return 0;
        printf("error %s %s\n", err_name(err.code), err.msg);
        return 1;
    }
    return 2;
}
