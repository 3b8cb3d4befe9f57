#include "sandbox/worker/pipeline_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/tool_run/result.h"
#include "declare/value/file_kind.h"
#include "declare/value/text.h"
#include "sandbox/protocol/report.h"
#include "sandbox/protocol/request.h"

#define NAME_BYTES 256

/* Files that are passed from one step to the next. */
struct batch {
    int *fds;
    char **names;
    int64_t *pages;
    size_t n;
    int64_t bytes;
    bool borrowed; /* the descriptors belong to the job */
};

struct course {
    const struct catalog *catalog;
    const struct pipeline *pipeline;
    const struct worker_job *job;
    const struct scan_run_files *files;
    struct worker_result *result; /* of all steps */
    struct batch now, next;       /* now: the step's input; next: its output so far */
    size_t step;
    /* of all runs: the part that is done, and the part of the current process */
    double done, share;
};

static void drop(struct batch *batch)
{
    for (size_t i = 0; i < batch->n; i++) {
        if (!batch->borrowed)
            close(batch->fds[i]);
        free(batch->names[i]);
    }
    free(batch->fds);
    free(batch->names);
    free(batch->pages);
    *batch = (struct batch){ 0 };
}

/* Takes ownership of the descriptor, also on failure. */
static int add_file(struct batch *batch, int fd, const char *name, int64_t pages, struct err *err)
{
    size_t n = batch->n + 1;
    int *fds = reallocarray(batch->fds, n, sizeof *fds);
    char **names = fds ? reallocarray(batch->names, n, sizeof *names) : NULL;
    int64_t *counts = names ? reallocarray(batch->pages, n, sizeof *counts) : NULL;
    char *own = counts ? strdup(name) : NULL;

    if (fds)
        batch->fds = fds;
    if (names)
        batch->names = names;
    if (counts)
        batch->pages = counts;
    if (!own) {
        if (!batch->borrowed)
            close(fd);
        return err_sys(err, "files between steps");
    }
    fds[batch->n] = fd;
    names[batch->n] = own;
    counts[batch->n] = pages;
    batch->n = n;
    return 0;
}

static const char *find_nearest(void *arg, const char *name)
{
    return catalog_nearest(arg, name);
}

static const struct tool *find_tool(void *arg, const char *name)
{
    const struct tool *tool = catalog_find(arg, name, NULL);

    return tool && !tool->hidden ? tool : NULL;
}

static struct pipeline *plan(const struct pipeline_source *source, const char *steps, char **text,
                             struct err *err)
{
    struct pipeline *pipeline = pipeline_new(steps, source, err);

    if (!pipeline || !text)
        return pipeline;
    *text = pipeline_text(pipeline, source);
    if (*text)
        return pipeline;
    pipeline_free(pipeline);
    err_set(err, ERR_INTERNAL, "out of memory");
    return NULL;
}

struct pipeline *pipeline_run_plan(const struct catalog *catalog, const char *steps,
                                   const struct param_input *extra, size_t n_extra, bool authority,
                                   char **text, struct err *err)
{
    struct pipeline_source source = { .find = find_tool,
                                      .nearest = find_nearest,
                                      .arg = (void *) (uintptr_t) catalog,
                                      .extra = extra,
                                      .n_extra = n_extra,
                                      .authority = authority };

    return plan(&source, steps, text, err);
}

struct pipeline *pipeline_run_plan_stored(const struct catalog *catalog, const char *steps,
                                          bool authority, char **text, struct err *err)
{
    struct pipeline_source source = { .find = find_tool,
                                      .nearest = find_nearest,
                                      .arg = (void *) (uintptr_t) catalog,
                                      .authority = authority,
                                      .stored = true };

    return plan(&source, steps, text, err);
}

static const struct tool *tool_of(const struct course *course)
{
    return course->pipeline->steps[course->step].tool;
}

static bool on_progress(void *arg, double fraction)
{
    const struct course *course = arg;
    const struct worker_job *job = course->job;

    return !job->progress || job->progress(job->arg, course->done + fraction * course->share);
}

/* Copies one output of a process to a file of its own, because the process of the next step must
 * not get more than its input. */
static int add_input(struct course *course, int from, int64_t offset, int64_t bytes,
                     const char *name, int64_t pages, struct err *err)
{
    AUTO_CLOSE int fd = course->files->stage(course->files->arg, err);

    if (fd < 0 || fdio_copy(from, offset, bytes, fd, err) < 0)
        return -1;
    return add_file(&course->next, scope_take_fd(&fd), name, pages, err);
}

/* Takes ownership of the output's descriptor. */
static int add_inputs(struct course *course, int output, const char *stem,
                      const struct worker_result *gave, struct err *err)
{
    AUTO_CLOSE int fd = output;
    const struct tool *tool = tool_of(course);
    int64_t most = course->job->limits.output_bytes;
    const char *extension = file_kind_extension(gave->kind);
    char name[NAME_BYTES + 16];

    for (size_t i = 0; i < gave->n_outputs; i++)
        course->next.bytes += gave->outputs[i].bytes;
    if (most > 0 && course->next.bytes > most)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the files it gives are larger than %lld bytes",
                       (long long) most);
    if (course->next.n + gave->n_outputs > REQUEST_INPUTS)
        return err_set(err, ERR_LIMIT_EXCEEDED, "it gives more than %u files", REQUEST_INPUTS);
    if (tool->many && strcmp(gave->kind, "zip") == 0) {
        for (size_t i = 0; i < gave->n_outputs; i++)
            if (add_input(course, fd, gave->outputs[i].offset, gave->outputs[i].bytes,
                          gave->outputs[i].name, gave->outputs[i].pages, err) < 0)
                return -1;
        return 0;
    }
    snprintf(name, sizeof name, "%.200s.%s", stem, extension ? extension : "bin");
    return add_file(&course->next, scope_take_fd(&fd), name, gave->outputs[0].pages, err);
}

/* Adds a warning. A step that is run for many files repeats its warnings: each code is kept
 * once. */
static int add_warning(struct course *course, struct worker_warning *gave, struct err *err)
{
    struct worker_result *all = course->result;
    unsigned step = (unsigned) course->step + 1;
    struct worker_warning *warnings;

    for (size_t i = 0; i < all->n_warnings; i++)
        if (all->warnings[i].step == step && strcmp(all->warnings[i].code, gave->code) == 0)
            return 0;
    if (all->n_warnings == REPORT_WARNINGS)
        return 0;
    warnings = reallocarray(all->warnings, all->n_warnings + 1, sizeof *warnings);
    if (!warnings)
        return err_sys(err, "warnings");
    all->warnings = warnings;
    warnings[all->n_warnings++] = (struct worker_warning){ gave->code, gave->message, step };
    *gave = (struct worker_warning){ 0 }; /* the result owns its texts now */
    return 0;
}

/* Adds a figure; equal ones are summed, except lists of pages: each is of one file. */
static int add_figure(struct course *course, const struct worker_figure *gave, struct err *err)
{
    struct worker_result *all = course->result;
    unsigned step = (unsigned) course->step + 1;
    struct worker_figure *figures;

    for (size_t i = 0; i < all->n_figures; i++)
        if (all->figures[i].step == step && strcmp(all->figures[i].name, gave->name) == 0 &&
            !*gave->pages)
            return __builtin_add_overflow(all->figures[i].value, gave->value,
                                          &all->figures[i].value)
                       ? err_set(err, ERR_INTERNAL, "figures of a step make no sense")
                       : 0;
    figures = reallocarray(all->figures, all->n_figures + 1, sizeof *figures);
    if (!figures)
        return err_sys(err, "figures");
    all->figures = figures;
    figures[all->n_figures] = *gave;
    figures[all->n_figures++].step = step;
    return 0;
}

static int add_rows(struct course *course, const struct worker_result *gave, struct err *err)
{
    struct worker_result *all = course->result;
    struct worker_row *rows = reallocarray(all->rows, all->n_rows + gave->n_rows + 1, sizeof *rows);

    if (!rows)
        return err_sys(err, "rows");
    all->rows = rows;
    for (size_t i = 0; i < gave->n_rows && all->n_rows < TOOL_PAGE_ROWS; i++) {
        rows[all->n_rows] = gave->rows[i];
        rows[all->n_rows++].step = (unsigned) course->step + 1;
    }
    return 0;
}

static int account(struct course *course, struct worker_result *gave, struct err *err)
{
    struct worker_result *all = course->result;

    all->run_ms += gave->run_ms;
    all->cpu_ms += gave->cpu_ms;
    all->started_us = all->started_us ? all->started_us : gave->started_us;
    all->peak_bytes = all->peak_bytes > gave->peak_bytes ? all->peak_bytes : gave->peak_bytes;
    for (size_t i = 0; i < gave->n_warnings; i++)
        if (add_warning(course, &gave->warnings[i], err) < 0)
            return -1;
    for (size_t i = 0; i < gave->n_figures; i++)
        if (add_figure(course, &gave->figures[i], err) < 0)
            return -1;
    return add_rows(course, gave, err);
}

static int check_kinds(const struct course *course, size_t first, size_t n, struct err *err)
{
    for (size_t i = first; i < first + n; i++) {
        unsigned char head[FILE_KIND_HEAD];
        ssize_t got = fdio_read_at(course->now.fds[i], head, sizeof head, 0, err);

        if (got < 0)
            return -1;
        if (!tool_accepts(tool_of(course), file_kind_of(head, (size_t) got)))
            return err_set(err, ERR_UNSUPPORTED_FILE_TYPE, "%.80s is not of a kind it takes",
                           course->now.names[i]);
    }
    return 0;
}

static int empty(int fd, struct err *err)
{
    return ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0 ? err_sys(err, "scratch file") : 0;
}

/* Runs the step's tool for n files of the batch, from `first`. `whole`: its output is the
 * pipeline's result. */
static enum worker_end run_tool(struct course *course, size_t first, size_t n, bool whole,
                                struct err *err)
{
    const struct pipeline_step *step = &course->pipeline->steps[course->step];
    const struct worker_job *job = course->job;
    AUTO_WORKER_RESULT struct worker_result gave = { 0 };
    AUTO_CLOSE int output = whole ? -1 : course->files->stage(course->files->arg, err);
    struct worker_job work = *job;
    char stem[NAME_BYTES];
    enum worker_end end;
    struct err ignored;

    if ((!whole && output < 0) || check_kinds(course, first, n, err) < 0 ||
        empty(job->scratch, err) < 0)
        return WORKER_FAILED;
    snprintf(stem, sizeof stem, "%s", n == course->now.n ? job->stem : course->now.names[first]);
    if (n < course->now.n)
        text_cut_extension(stem);
    work.stem = stem;
    work.params = step->params;
    work.n_params = step->n_params;
    work.inputs = course->now.fds + first;
    work.input_names = (const char *const *) course->now.names + first;
    work.n_inputs = n;
    work.output = whole ? job->output : output;
    work.no_digests = whole ? job->no_digests : true;
    work.progress = on_progress;
    work.arg = course;
    end = scan_run(course->catalog, step->tool, &work, course->files, &gave, err);
    if (end != WORKER_DONE)
        return account(course, &gave, &ignored) < 0 ? WORKER_FAILED : end;
    if (account(course, &gave, err) < 0)
        return WORKER_FAILED;
    if (!whole)
        return add_inputs(course, scope_take_fd(&output), stem, &gave, err) < 0 ? WORKER_FAILED
                                                                                : WORKER_DONE;
    memcpy(course->result->kind, gave.kind, sizeof gave.kind);
    course->result->outputs = gave.outputs;
    course->result->n_outputs = gave.n_outputs;
    gave.outputs = NULL;
    gave.n_outputs = 0;
    return WORKER_DONE;
}

static enum worker_end run_step(struct course *course, struct err *err)
{
    const struct tool *tool = tool_of(course);
    const struct pipeline_step *step = &course->pipeline->steps[course->step];
    const struct worker_job *job = course->job;
    int64_t before_ms = course->result->run_ms;
    bool last = course->step + 1 == course->pipeline->n;
    size_t each = tool->max_files == 1 ? 1 : course->now.n, n = course->now.n;
    enum worker_end end = WORKER_DONE;

    if (tool->max_files == 1 && n > PIPELINE_RUNS) {
        err_set(err, ERR_LIMIT_EXCEEDED, "it would be run for %zu files, at most for %d", n,
                PIPELINE_RUNS);
        return WORKER_FAILED;
    }
    if (tool->max_files > 1 && tool_check_count(tool, n, step->params, step->n_params, err) < 0)
        return WORKER_FAILED;
    if (tool->max_files == 0)
        return run_tool(course, 0, 0, last, err);
    for (size_t i = 0; i < n && end == WORKER_DONE; i += each) {
        int64_t used_ms = course->result->run_ms - before_ms;

        if (job->limits.run_ms > 0 && used_ms >= job->limits.run_ms) {
            err_set(err, ERR_LIMIT_EXCEEDED, "all its runs took longer than %lld s",
                    (long long) job->limits.run_ms / 1000);
            return WORKER_FAILED;
        }
        course->share = (double) each / (double) n / (double) course->pipeline->n;
        course->done =
            ((double) course->step + (double) i / (double) n) / (double) course->pipeline->n;
        end = run_tool(course, i, each, last && each == n, err);
    }
    drop(&course->now);
    course->now = course->next;
    course->next = (struct batch){ 0 };
    return end;
}

/* Callbacks for a result that is assembled here. */
static void no_progress(void *arg, double fraction)
{
    (void) arg, (void) fraction;
}

static void no_warning(void *arg, const char *code, const char *message)
{
    (void) arg, (void) code, (void) message;
}

static int on_output(void *arg, const struct tool_output *output, struct err *err)
{
    struct worker_result *result = arg;
    struct worker_output *outputs =
        reallocarray(result->outputs, result->n_outputs + 1, sizeof *outputs);
    struct worker_output *added;

    if (!outputs)
        return err_sys(err, "outputs");
    result->outputs = outputs;
    added = &outputs[result->n_outputs++];
    *added = (struct worker_output){ strdup(output->name), output->offset, output->bytes,
                                     (int64_t) output->pages, "" };
    memcpy(added->sha256, output->sha256, sizeof added->sha256);
    return added->name ? 0 : err_sys(err, "outputs");
}

/* The last step was run for each of several files: combines them in one ZIP, like a tool's
 * parts. */
static int put_together(struct course *course, struct err *err)
{
    const struct worker_job *job = course->job;
    const struct tool *last = course->pipeline->steps[course->pipeline->n - 1].tool;
    struct tool_sink sink = { .arg = course->result,
                              .progress = no_progress,
                              .warning = no_warning,
                              .output = on_output,
                              .no_digests = job->no_digests };
    struct tool_run run = { .result =
                                tool_result_new(last, job->output, job->scratch, &sink, err) };
    int done = run.result ? 0 : -1;

    for (size_t i = 0; i < course->now.n && done == 0; i++) {
        struct stat st;

        if (fstat(course->now.fds[i], &st) < 0)
            done = err_sys(err, "files between steps");
        else if (empty(job->scratch, err) < 0 ||
                 fdio_copy(course->now.fds[i], 0, st.st_size, job->scratch, err) < 0)
            done = -1;
        else
            done = tool_part_done(&run, course->now.names[i], (size_t) course->now.pages[i], err);
    }
    if (done == 0)
        done = tool_parts_done(&run, err);
    if (done == 0)
        snprintf(course->result->kind, sizeof course->result->kind, "%s",
                 tool_result_kind(run.result));
    tool_result_free(run.result);
    return done;
}

static int begin_course(struct course *course, struct err *err)
{
    const struct worker_job *job = course->job;

    course->now.borrowed = true;
    for (size_t i = 0; i < job->n_inputs; i++)
        if (add_file(&course->now, job->inputs[i], job->input_names ? job->input_names[i] : "", 0,
                     err) < 0)
            return -1;
    return 0;
}

enum worker_end pipeline_run(const struct catalog *catalog, const struct pipeline *pipeline,
                             const struct worker_job *job, const struct scan_run_files *files,
                             struct worker_result *result, struct err *err)
{
    struct course course = {
        .catalog = catalog, .pipeline = pipeline, .job = job, .files = files, .result = result
    };
    enum worker_end end = WORKER_DONE;

    *result = (struct worker_result){ 0 };
    if (begin_course(&course, err) < 0)
        end = WORKER_FAILED;
    for (; course.step < pipeline->n && end == WORKER_DONE; course.step++) {
        end = run_step(&course, err);
        if (end != WORKER_DONE)
            err_wrap(err, "step %zu (%s)", course.step + 1, tool_of(&course)->name);
    }
    if (end == WORKER_DONE && course.now.n && put_together(&course, err) < 0)
        end = WORKER_FAILED;
    drop(&course.now);
    drop(&course.next);
    return end;
}

bool pipeline_run_uses_office(const struct pipeline *pipeline, const struct tool *tool)
{
    for (size_t i = 0; pipeline && i < pipeline->n; i++)
        if (catalog_is_office(pipeline->steps[i].tool->name))
            return true;
    return catalog_is_office(tool->name);
}
