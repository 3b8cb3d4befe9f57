/* run: one tool on local files, here and now: the same tool in the same sandbox, no server. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/log.h"
#include "base/scope.h"
#include "base/thread.h"
#include "cmd/cmd.h"
#include "cmd/place.h"
#include "cmd/source.h"
#include "dispatch/result.h"
#include "seal/notary.h"
#include "tool/file_kind.h"
#include "tool/run.h"
#include "tool/text.h"
#include "worker/pipeline_run.h"

#define MAX_PARAMS 64

struct order {
    const struct tool *tool;
    struct worker *worker;
    struct param_input params[MAX_PARAMS]; /* canonical values, ours to free */
    size_t n_params;
    struct tool_input attachments[MAX_PARAMS]; /* files that are values of parameters */
    size_t n_attachments;
    char parts[MAX_PARAMS][64]; /* the names of those for steps */
    struct pipeline *pipeline;  /* the steps */
    struct catalog *catalog;
    int *inputs;
    char (*names)[256];
    const char **name_list;
    size_t n_inputs;
    int64_t input_bytes;
    const char *out;
    bool force;
    bool line_read; /* the value of a parameter came from standard input */
    struct place place;
};

static int print_help(void)
{
    puts(
        "platen run TOOL FILE... [--PARAM VALUE]... -o OUT [--force]\n\n"
        "A FILE of - is standard input. OUT is a file, a folder (one that exists, or a name that\n"
        "ends in /), or - for standard output. Several parts go into a folder one by one, or into "
        "a\n"
        "file that is called NAME.zip. A file that exists is replaced, through symbolic links, "
        "and\n"
        "keeps its mode and owner; one that is read-only or an input only with --force.\n"
        "platen tools lists the tools, platen tools TOOL its parameters. A parameter's value of - "
        "is\n"
        "asked for on a terminal without being shown, and else read from a line of standard "
        "input:\n"
        "a password need not stand on the command line. The tool pipeline takes --steps, a JSON "
        "list\n"
        "of {\"tool\": ..., \"params\": {...}}; a file that a step names is given as --NAME "
        "FILE.\n\n"
        "Exit status: 0 done, 1 the job failed (code and message on standard error), 2 wrong use.");
    return 0;
}

/* Files that steps of a pipeline name. */
static const struct param step_file = { .name = "", .type = PARAM_UPLOAD, .max = 1e9 };

static bool is_pipeline(const struct order *order)
{
    return order->tool == &pipeline_tool;
}

static const struct param *declared(const struct tool *tool, const char *name)
{
    size_t n;
    const struct param *common = tool_common_params(&n), *found = param_find(common, n, name);

    return found ? found : param_find(tool->params, tool->n_params, name);
}

static int add_attachment(struct order *order, const struct param *param, const char *name,
                          const char *path, struct err *err)
{
    struct tool_input *file = &order->attachments[order->n_attachments];
    int64_t bytes = 0;
    AUTO_CLOSE int fd = source_open(path, &bytes, err);

    if (fd < 0)
        return -1;
    if (bytes == 0)
        return err_field(err, ERR_INVALID_PARAMETER, param->name, "%.150s is empty", path);
    if (param_check_upload(param, bytes, err) < 0)
        return -1;
    *file = (struct tool_input){ scope_take_fd(&fd), "", "", bytes };
    order->n_attachments++;
    order->params[order->n_params++] = (struct param_input){ name, NULL, file };
    return 0;
}

static int add_param(struct order *order, const char *name, const char *value, struct err *err)
{
    const struct param *param = declared(order->tool, name);
    struct param_input given = { name, value };
    char line[4096], *canonical;

    if (!param && is_pipeline(order) && order->n_params < MAX_PARAMS) {
        char *part = order->parts[order->n_attachments];

        snprintf(part, sizeof *order->parts, "%s", name);
        return add_attachment(order, &step_file, part, value, err);
    }
    if (!param)
        return param_check_all(order->tool->params, order->tool->n_params, &given, 1, err);
    for (size_t i = 0; i < order->n_params; i++)
        if (strcmp(order->params[i].name, name) == 0)
            return err_field(err, ERR_INVALID_PARAMETER, name, "%s is given twice", name);
    if (order->n_params == MAX_PARAMS)
        return err_set(err, ERR_INVALID_REQUEST, "there are too many parameters");
    if (param->type == PARAM_UPLOAD)
        return add_attachment(order, param, param->name, value, err);
    if (strcmp(value, "-") == 0) {
        order->line_read = true;
        if (source_secret(param->name, line, sizeof line, err) < 0)
            return -1;
        value = line;
    }
    if (param_check(param, value, &canonical, err) < 0)
        return -1;
    order->params[order->n_params++] = (struct param_input){ param->name, canonical };
    return 0;
}

static int add_file(struct order *order, const char *path, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    unsigned char head[FILE_KIND_HEAD];
    int64_t bytes = 0;
    AUTO_CLOSE int fd = -1;
    ssize_t n;

    /* Else the first line of a document would be taken for a password, and the rest repaired. */
    if (standard && order->line_read)
        return err_set(err, ERR_INVALID_REQUEST,
                       "standard input cannot be a document and the value of a parameter: give "
                       "one of them as a file");
    fd = source_open(path, &bytes, err);
    if (fd < 0)
        return -1;
    name = standard ? "document" : name;
    n = fdio_read_at(fd, head, sizeof head, 0, err);
    if (n < 0 || (!is_pipeline(order) &&
                  tool_check_kind(order->tool, file_kind_of(head, (size_t) n), path, err) < 0))
        return -1;
    order->inputs = reallocarray(order->inputs, order->n_inputs + 1, sizeof *order->inputs);
    order->names = reallocarray(order->names, order->n_inputs + 1, sizeof *order->names);
    if (!order->inputs || !order->names)
        return err_sys(err, "files");
    text_file_name(name, strlen(name), order->names[order->n_inputs], sizeof *order->names - 1);
    order->input_bytes += bytes;
    order->inputs[order->n_inputs++] = scope_take_fd(&fd);
    return 0;
}

static int parse(struct order *order, int argc, char **argv, struct err *err)
{
    bool words = true;
    int n_files = 0; /* their names are gathered at the front of argv */

    for (int i = 2; i < argc; i++) {
        const char *word = argv[i];
        size_t n = strcspn(word, "=");
        char name[64];

        if (words && strcmp(word, "--") == 0) {
            words = false;
        } else if (words && (strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0)) {
            if (i + 1 == argc)
                return err_set(err, ERR_MISSING_FIELD, "-o needs a file or a folder");
            if (order->out)
                return err_set(err, ERR_INVALID_REQUEST, "-o is given twice");
            order->out = argv[++i];
        } else if (words && strcmp(word, "--force") == 0) {
            order->force = true;
        } else if (words && strncmp(word, "--", 2) == 0) {
            if (!word[n] && i + 1 == argc)
                return err_set(err, ERR_MISSING_FIELD, "%.60s needs a value", word);
            snprintf(name, sizeof name, "%.*s", (int) (n - 2), word + 2);
            if (add_param(order, name, word[n] ? word + n + 1 : argv[++i], err) < 0)
                return -1;
        } else {
            argv[2 + n_files++] = argv[i];
        }
    }
    /* After the parameters, which may have taken standard input. */
    for (int i = 0; i < n_files; i++)
        if (add_file(order, argv[2 + i], err) < 0)
            return -1;
    if (!order->out)
        return err_set(err, ERR_MISSING_FIELD,
                       "no output: add -o FILE, -o FOLDER or -o - for standard output");
    return is_pipeline(order) ? 0 : tool_check_count(order->tool, order->n_inputs, err);
}

/* The parameters that go to the tool, without those acted on here. */
static size_t own_params(const struct order *order, struct param_input out[static MAX_PARAMS])
{
    size_t n = 0;

    for (size_t i = 0; i < order->n_params; i++)
        if (param_find(order->tool->params, order->tool->n_params, order->params[i].name))
            out[n++] = order->params[i];
    return n;
}

static const char *output_name(const struct order *order)
{
    for (size_t i = 0; i < order->n_params; i++)
        if (strcmp(order->params[i].name, "outputName") == 0)
            return order->params[i].value;
    return NULL;
}

/* A bar on a terminal: "rotate  [#####     ]  50 %". */
static bool show_progress(void *cls, double fraction)
{
    const struct order *order = cls;
    int filled = (int) (fraction * 30);

    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%s [%.*s%.*s] %3d %%", order->tool->name, filled,
                "##############################", 30 - filled, "                              ",
                (int) (fraction * 100));
    return true;
}

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* What lies between two steps. */
static int stage_here(void *cls, struct err *err)
{
    const struct order *order = cls;

    return place_stage(&order->place, err);
}

static enum worker_end run_order(struct order *order, struct worker_job *job,
                                 struct worker_result *result, struct err *err)
{
    const struct pipeline_files files = { stage_here, order };
    struct param_input own[MAX_PARAMS];
    enum worker_end end;

    job->params = own;
    job->n_params = own_params(order, own);
    end = order->pipeline ? pipeline_run(order->catalog, order->pipeline, job, &files, result, err)
                          : worker_run(order->worker, job, result, err);
    clear_progress();
    for (size_t i = 0; i < result->n_warnings && end == WORKER_DONE; i++)
        fprintf(stderr, "warning: %s: %s\n", result->warnings[i].code, result->warnings[i].message);
    return end;
}

static int work(struct order *order, const struct config *config, const struct notary *notary,
                struct err *err)
{
    AUTO_WORKER_RESULT struct worker_result result = { 0 };
    AUTO_CLOSE int output = place_stage(&order->place, err);
    AUTO_CLOSE int scratch = output < 0 ? -1
                             : order->input_bytes <= WORKER_SCRATCH_IN_MEMORY
                                 ? fdio_memory_file(err)
                                 : place_stage(&order->place, err);
    char stem[RESULT_NAME], name[RESULT_NAME];

    if (output < 0 || scratch < 0)
        return -1;
    order->name_list = calloc(order->n_inputs + 1, sizeof *order->name_list);
    if (!order->name_list)
        return err_sys(err, "files");
    for (size_t i = 0; i < order->n_inputs; i++)
        order->name_list[i] = order->names[i];
    result_stem(output_name(order), pipeline_gives(order->pipeline, order->tool), order->names[0],
                stem);
    struct worker_job job = { .id = "run",
                              .tool = order->tool->name,
                              .stem = stem,
                              .inputs = order->inputs,
                              .input_names = order->name_list,
                              .n_inputs = order->n_inputs,
                              .output = output,
                              .scratch = scratch,
                              .limits = { .run_ms = config->job_timeout,
                                          .memory_bytes = config->job_memory,
                                          .output_bytes = config->job_output,
                                          .cores = thread_cores() },
                              .no_digests = true,
                              .services = &notary->services,
                              .cancel = -1,
                              .progress = show_progress,
                              .cls = order };
    if (run_order(order, &job, &result, err) != WORKER_DONE)
        return -1;
    result_name(stem, output_name(order) ? "" : order->tool->name, file_kind_extension(result.kind),
                name);
    return place_save(&order->place, name, output, &result, err);
}

static void free_order(struct order *order)
{
    pipeline_free(order->pipeline);
    for (size_t i = 0; i < order->n_inputs; i++)
        close(order->inputs[i]);
    for (size_t i = 0; i < order->n_attachments; i++)
        close(order->attachments[i].fd);
    for (size_t i = 0; i < order->n_params; i++)
        free((char *) (uintptr_t) order->params[i].value);
    free(order->inputs);
    free(order->names);
    free(order->name_list);
}

static int check_steps(struct order *order, const char *steps, bool authority, struct err *err)
{
    struct param_input files[MAX_PARAMS];

    for (size_t i = 0; i < order->n_attachments; i++)
        files[i] = (struct param_input){ order->parts[i], NULL, &order->attachments[i] };
    order->pipeline =
        pipeline_run_plan(order->catalog, steps, files, order->n_attachments, authority, NULL, err);
    return order->pipeline ? pipeline_check_count(order->pipeline, order->n_inputs, err) : -1;
}

/* Nothing is done before it is known that the result has somewhere to go. */
static int find_place(struct order *order, struct err *err)
{
    const struct place_rules rules = { order->force, order->inputs, order->n_inputs };

    return place_find(&order->place, order->out, &rules, err);
}

static int check(struct order *order, const struct config *config, struct err *err)
{
    struct param_input own[MAX_PARAMS];
    size_t n = own_params(order, own);
    bool authority = *config->timestamp_url;

    if (tool_check_params(order->tool, own, n, err) < 0)
        return -1;
    return is_pipeline(order) ? check_steps(order, own[0].value, authority, err)
                              : tool_check_stamped(order->tool, own, n, authority, err);
}

static int run(struct catalog *catalog, const struct config *config, int argc, char **argv)
{
    struct order order = { .catalog = catalog };
    struct notary notary;
    struct err err;
    int status = 0;

    order.tool = strcmp(argv[1], PIPELINE_NAME) == 0
                     ? &pipeline_tool
                     : catalog_find(catalog, argv[1], &order.worker);
    if (!order.tool)
        return cmd_fail(2, "there is no tool %s; platen tools lists them", argv[1]);
    if (parse(&order, argc, argv, &err) < 0 || check(&order, config, &err) < 0 ||
        find_place(&order, &err) < 0)
        status = cmd_fail(2, "%s: %s", err_name(err.code), err.msg);
    else if (cmd_notary(config, &notary, &err) < 0 || work(&order, config, &notary, &err) < 0)
        status = cmd_fail(1, "%s: %s", err_name(err.code), err.msg);
    free_order(&order);
    return status;
}

/* The steps as they stand in the words, before anything is judged; NULL: not there, or no JSON. */
static json_t *find_steps(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        if (strncmp(argv[i], "--steps=", 8) == 0)
            return json_loads(argv[i] + 8, 0, NULL);
        if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc)
            return json_loads(argv[i + 1], 0, NULL);
    }
    return NULL;
}

/* Whose programs have to be started: LibreOffice takes its time. Steps that cannot be read ask for
 * a tool that no program has: then all are started, and they are judged. */
static void choose_tools(const char *tool, const json_t *steps,
                         const char *wanted[static PIPELINE_STEPS + 1])
{
    size_t n = 0;

    do {
        const char *name = json_string_value(json_object_get(json_array_get(steps, n), "tool"));

        wanted[n++] = name ? name : tool;
    } while (n < json_array_size(steps) && n < PIPELINE_STEPS);
    wanted[n] = NULL;
}

static struct catalog *open_catalog(const struct config *config, int argc, char **argv,
                                    struct err *err)
{
    bool several = strcmp(argv[1], PIPELINE_NAME) == 0;
    json_t *steps = several ? find_steps(argc, argv) : NULL;
    const char *wanted[PIPELINE_STEPS + 1];
    struct catalog *catalog;

    choose_tools(argv[1], steps, wanted);
    catalog = catalog_open(config->programs, config->allow_unsandboxed, wanted, err);
    json_decref(steps);
    return catalog;
}

int cmd_run(int argc, char **argv)
{
    struct config config;
    struct catalog *catalog;
    struct err err;
    int status;

    if (cmd_wants_help(argc, argv))
        return print_help();
    if (cmd_config(&config, &argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    if (argc < 2)
        return cmd_fail(2, "which tool? platen tools lists them");
    log_setup(LOG_ERROR, LOG_KEY_VALUE);
    signal(SIGPIPE, SIG_IGN);
    cmd_raise_files();
    catalog = open_catalog(&config, argc, argv, &err);
    if (!catalog)
        return cmd_fail(1, "%s", err.msg);
    status = run(catalog, &config, argc, argv);
    catalog_close(catalog);
    return status;
}
