#include "cmd/run_task.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "cmd/source.h"
#include "declare/value/file_kind.h"
#include "declare/value/text.h"
#include "server/api_submit/page_address.h"
#include "server/dispatch/result.h"
#include "server/webhook/file_client.h"
#include "server/webhook/page_client.h"

_Static_assert(RESULT_NAME == 201, "run_task_stem");

#define NAME         256
#define ROWS_PRINTED 50
#define ATTEMPTS     2 /* at a job whose process crashed: LibreOffice rarely does so at its start */

static void client_name(const char *path, char out[static NAME])
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    if (strcmp(path, "-") == 0)
        name = "document";
    text_file_name(name, strlen(name), out, NAME - 1);
}

int run_task_add_file(struct run_task *task, const char *path, struct err *err)
{
    const struct run_order *order = task->order;
    unsigned char head[FILE_KIND_HEAD];
    int64_t bytes = 0;
    AUTO_CLOSE int fd = -1;
    ssize_t n;

    /* Else the first line of a document would be taken for a password, and the rest repaired. */
    if (strcmp(path, "-") == 0 && order->line_read)
        return err_set(err, ERR_INVALID_REQUEST,
                       "standard input cannot be a document and the value of a parameter: give "
                       "one of them as a file");
    fd = source_open(path, &bytes, err);
    if (fd < 0)
        return -1;
    n = fdio_read_at(fd, head, sizeof head, 0, err);
    if (n < 0 || (!run_order_is_pipeline(order) &&
                  tool_check_kind(order->tool, file_kind_of(head, (size_t) n), path, err) < 0))
        return -1;
    task->inputs = reallocarray(task->inputs, task->n_inputs + 1, sizeof *task->inputs);
    task->names = reallocarray(task->names, task->n_inputs + 1, sizeof *task->names);
    if (!task->inputs || !task->names)
        return err_sys(err, "files");
    client_name(path, task->names[task->n_inputs]);
    task->input_bytes += bytes;
    task->inputs[task->n_inputs++] = scope_take_fd(&fd);
    return 0;
}

void run_task_stem(const struct run_order *order, const char *path, char out[static RESULT_NAME])
{
    char name[NAME];

    client_name(path, name);
    result_stem(run_order_output_name(order), pipeline_gives(order->pipeline, order->tool), name,
                out);
}

/* A bar on a terminal: "rotate  [#####     ]  50 %". */
static bool show_progress(void *arg, double fraction)
{
    const struct run_task *task = arg;
    int filled = (int) (fraction * 30);

    if (task->bar && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%s [%.*s%.*s] %3d %%", task->order->tool->name, filled,
                "##############################", 30 - filled, "                              ",
                (int) (fraction * 100));
    return true;
}

void run_task_clear_bar(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* What lies between two steps. */
static int stage_here(void *arg, struct err *err)
{
    const struct run_task *task = arg;

    return place_stage(task->place, err);
}

static void print_figure(const char *label, const struct worker_figure *figure)
{
    const char *colon = label ? ": " : "";

    if (*figure->pages)
        fprintf(stderr, "%s%sreport: %s %s\n", label ? label : "", colon, figure->name,
                figure->pages);
    else if (figure->value != 0)
        fprintf(stderr, "%s%sreport: %s %" PRId64 "\n", label ? label : "", colon, figure->name,
                figure->value);
}

/* One page a line: the lists above name the pages of a long document. */
static void print_rows(const char *label, const struct worker_result *result)
{
    const char *before = label ? label : "", *colon = label ? ": " : "";

    for (size_t i = 0; i < result->n_rows && result->n_rows <= ROWS_PRINTED; i++) {
        const struct worker_row *row = &result->rows[i];

        fprintf(stderr, "%s%sreport: page %" PRId64, before, colon, row->first);
        if (row->last > row->first)
            fprintf(stderr, "-%" PRId64, row->last);
        fprintf(stderr, ": %s", row->outcome);
        if (row->confidence >= 0)
            fprintf(stderr, ", %s, confidence %d, words %" PRId64, row->language, row->confidence,
                    row->words);
        fprintf(stderr, "\n");
    }
}

static enum worker_end run_once(struct run_task *task, struct worker_job *job,
                                struct worker_result *result, struct err *err)
{
    const struct scan_run_files files = { stage_here, task };
    const struct run_order *order = task->order;

    return order->pipeline ? pipeline_run(order->catalog, order->pipeline, job, &files, result, err)
                           : scan_run(order->catalog, order->tool, job, &files, result, err);
}

static int rewind_file(int fd, struct err *err)
{
    return ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0 ? err_sys(err, "start again") : 0;
}

static enum worker_end run_job(struct run_task *task, struct worker_job *job,
                               struct worker_result *result, struct err *err)
{
    struct param_input own[RUN_PARAMS];
    enum worker_end end = WORKER_LOST;

    job->params = own;
    job->n_params = run_order_own_params(task->order, own);
    for (int i = 0; i < ATTEMPTS && end == WORKER_LOST; i++) {
        worker_result_free(result);
        if (i > 0 && (rewind_file(job->output, err) < 0 || rewind_file(job->scratch, err) < 0))
            return WORKER_FAILED;
        end = run_once(task, job, result, err);
    }
    run_task_clear_bar();
    for (size_t i = 0; i < result->n_warnings && end == WORKER_DONE; i++)
        fprintf(stderr, "%s%swarning: %s: %s\n", task->label ? task->label : "",
                task->label ? ": " : "", result->warnings[i].code, result->warnings[i].message);
    for (size_t i = 0; i < result->n_figures && end == WORKER_DONE; i++)
        print_figure(task->label, &result->figures[i]);
    if (end == WORKER_DONE)
        print_rows(task->label, result);
    return end;
}

/* Pages are fetched by the settings for files of a server, so that a command runs the same there.
 */
static struct page_session *begin_fetching_here(void *arg, const struct page_address *page,
                                                struct err *err)
{
    const struct config *config = arg;
    const struct webhook_terms terms = { .http = config->fetch_http,
                                         .timeout_ms = config->fetch_timeout,
                                         .allowed = config->allow_fetch.text,
                                         .ca = config->fetch_ca };
    char program[PATH_MAX];

    if (!config->fetch) {
        err_field(err, ERR_ADDRESSES_REFUSED, "url",
                  "the setting fetch says that nothing is fetched");
        return NULL;
    }
    if (file_client_path(config->programs, program, sizeof program, err) < 0)
        return NULL;
    return page_client_begin(program, &terms, page, err);
}

/* What the names of results begin with if outputName does not say so. */
static const char *first_name(const struct run_task *task, char host[static PAGE_NAME])
{
    const struct run_order *order = task->order;
    const struct page_request page = { order->pipeline, order->tool, order->params,
                                       order->n_params };

    page_address_name(&page, host);
    return task->n_inputs ? task->names[0] : host;
}

int run_task_run(struct run_task *task, struct err *err)
{
    const struct run_order *order = task->order;
    const struct config *config = task->config;
    AUTO_WORKER_RESULT struct worker_result result = { 0 };
    AUTO_CLOSE int output = place_stage(task->place, err);
    AUTO_CLOSE int scratch = output < 0 ? -1
                             : task->input_bytes <= WORKER_SCRATCH_IN_MEMORY
                                 ? fdio_memory_file(err)
                                 : place_stage(task->place, err);
    const struct page_service pages = {
        (void *) (uintptr_t) config, begin_fetching_here, page_client_ask, page_client_fd,
        page_client_receive,         page_client_end
    };
    char stem[RESULT_NAME], name[RESULT_NAME], host[PAGE_NAME];

    if (output < 0 || scratch < 0)
        return -1;
    task->name_list = calloc(task->n_inputs + 1, sizeof *task->name_list);
    if (!task->name_list)
        return err_sys(err, "files");
    for (size_t i = 0; i < task->n_inputs; i++)
        task->name_list[i] = task->names[i];
    result_stem(run_order_output_name(order), pipeline_gives(order->pipeline, order->tool),
                first_name(task, host), stem);
    struct worker_job job = { .id = "run",
                              .tool = order->tool->name,
                              .stem = stem,
                              .inputs = task->inputs,
                              .input_names = task->name_list,
                              .n_inputs = task->n_inputs,
                              .output = output,
                              .scratch = scratch,
                              .limits = { .run_ms = config->job_timeout,
                                          .memory_bytes = config->job_memory,
                                          .output_bytes = config->job_output,
                                          .cores = task->cores,
                                          .office_cpu_ms = config->office_cpu },
                              .no_digests = true,
                              .services = &task->signer->services,
                              .pages = &pages,
                              .cancel = task->cancel,
                              .progress = show_progress,
                              .arg = task };
    if (run_job(task, &job, &result, err) != WORKER_DONE)
        return -1;
    result_name(stem, run_order_output_name(order) ? "" : order->tool->name,
                file_kind_extension(result.kind), name);
    return place_save(task->place, name, output, &result, err);
}

void run_task_free(struct run_task *task)
{
    for (size_t i = 0; i < task->n_inputs; i++)
        close(task->inputs[i]);
    free(task->inputs);
    free(task->names);
    free(task->name_list);
}
