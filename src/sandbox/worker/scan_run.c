#include "sandbox/worker/scan_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "sandbox/protocol/report.h"

#define DAMAGED    "page_damaged"
#define NO_TEXT    "no_text_layer"   /* the warning of tools that found pages without text */
#define POOR_LAYER "text_layer_poor" /* of pages whose recognised text does not fit them */
#define FIRST_PART 0.1               /* of the progress: finding out that there are scans */

struct course {
    const struct catalog *catalog;
    const struct tool *tool;
    const struct worker_job *job;
    const struct scan_run_files *files;
    double done, share; /* of the progress */
};

static const char *param_text(const struct worker_job *job, const char *name)
{
    for (size_t i = 0; i < job->n_params; i++)
        if (job->params[i].value && strcmp(job->params[i].name, name) == 0)
            return job->params[i].value;
    return "";
}

static bool on_progress(void *arg, double fraction)
{
    const struct course *course = arg;
    const struct worker_job *job = course->job;

    return !job->progress || job->progress(job->arg, course->done + fraction * course->share);
}

/* Runs the tool itself on the job's document, or on `input` if that is not negative. */
static enum worker_end run_tool(struct course *course, const int *input,
                                struct worker_result *result, struct err *err)
{
    struct worker_job work = *course->job;
    struct worker *worker =
        catalog_route(course->catalog, course->tool, work.params, work.n_params, &work.tool, err);

    if (!worker)
        return WORKER_FAILED;
    if (input)
        work.inputs = input;
    work.progress = on_progress;
    work.arg = course;
    return worker_run(worker, &work, result, err);
}

static int empty(int fd, struct err *err)
{
    return ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0 ? err_sys(err, "scratch file") : 0;
}

static enum worker_end transcribe(struct course *course, const struct tool *transcriber,
                                  struct worker *worker, int output, struct worker_result *result,
                                  struct err *err)
{
    const struct worker_job *job = course->job;
    struct param_input params[CATALOG_PARAMS];
    struct worker_job work = *job;

    work.tool = transcriber->name;
    work.params = params;
    work.n_params = catalog_common_params(transcriber, job->params, job->n_params, params);
    work.output = output;
    work.no_digests = true;
    work.progress = on_progress;
    work.arg = course;
    if (empty(job->scratch, err) < 0 || empty(job->output, err) < 0)
        return WORKER_FAILED;
    return worker_run(worker, &work, result, err);
}

static bool has_warning(const struct worker_result *result, const char *code)
{
    for (size_t i = 0; i < result->n_warnings; i++)
        if (strcmp(result->warnings[i].code, code) == 0)
            return true;
    return false;
}

static int add_warnings(struct worker_result *to, struct worker_result *from, struct err *err)
{
    struct worker_warning *all =
        reallocarray(to->warnings, to->n_warnings + from->n_warnings + 1, sizeof *all);

    if (!all)
        return err_sys(err, "warnings");
    to->warnings = all;
    for (size_t i = 0; i < from->n_warnings && to->n_warnings < REPORT_WARNINGS; i++) {
        if (has_warning(to, from->warnings[i].code))
            continue;
        all[to->n_warnings++] = from->warnings[i];
        from->warnings[i] = (struct worker_warning){ 0 }; /* the other owns its texts now */
    }
    return 0;
}

static int add_figures(struct worker_result *to, struct worker_result *from, struct err *err)
{
    struct worker_figure *all =
        reallocarray(to->figures, to->n_figures + from->n_figures + 1, sizeof *all);

    if (!all)
        return err_sys(err, "figures");
    to->figures = all;
    for (size_t i = 0; i < from->n_figures; i++)
        all[to->n_figures++] = from->figures[i];
    if (to->n_rows == 0 && from->n_rows > 0) {
        free(to->rows);
        to->rows = from->rows;
        to->n_rows = from->n_rows;
        from->rows = NULL;
        from->n_rows = 0;
    }
    return 0;
}

/* Leaves of the warnings those with a code, or all others. */
static void sift(struct worker_result *result, const char *code, bool with_it)
{
    size_t kept = 0;

    for (size_t i = 0; i < result->n_warnings; i++) {
        struct worker_warning warning = result->warnings[i];

        if ((strcmp(warning.code, code) == 0) == with_it) {
            result->warnings[kept++] = warning;
        } else {
            free(warning.code);
            free(warning.message);
        }
    }
    result->n_warnings = kept;
}

/* Adds what was said of an earlier process, and what it used. */
static int add_earlier(struct worker_result *to, struct worker_result *from, struct err *err)
{
    to->run_ms += from->run_ms;
    to->cpu_ms += from->cpu_ms;
    to->started_us = from->started_us ? from->started_us : to->started_us;
    to->peak_bytes = to->peak_bytes > from->peak_bytes ? to->peak_bytes : from->peak_bytes;
    return add_warnings(to, from, err) < 0 ? -1 : add_figures(to, from, err);
}

/* Says that scans could be read with the other program. */
static int warn_of_absence(struct worker_result *result, const struct tool *tool, struct err *err)
{
    struct worker_warning own = { .code = strdup("ocr_not_installed") };
    struct worker_result from = { .warnings = &own, .n_warnings = 1 };
    int done = -1;

    if (asprintf(&own.message,
                 "pages that are pictures were not read: %s is not installed on this server",
                 catalog_home(tool->transcriber)) < 0)
        own.message = NULL;
    if (own.code && own.message)
        done = add_warnings(result, &from, err);
    else
        err_sys(err, "warnings");
    free(own.code);
    free(own.message);
    return done;
}

/* Runs the transcriber, and the tool on what it gives. */
static enum worker_end read_scans(struct course *course, const struct tool *transcriber,
                                  struct worker *worker, struct worker_result *result,
                                  struct err *err)
{
    AUTO_WORKER_RESULT struct worker_result gave = { 0 };
    AUTO_CLOSE int between = course->files->stage(course->files->arg, err);
    enum worker_end end = WORKER_FAILED;
    struct err ignored;

    course->share = 0.95 - course->done;
    if (between >= 0)
        end = transcribe(course, transcriber, worker, between, &gave, err);
    course->done += course->share;
    course->share = 1 - course->done;
    if (end == WORKER_DONE &&
        (empty(course->job->scratch, err) < 0 || empty(course->job->output, err) < 0))
        end = WORKER_FAILED;
    if (end == WORKER_DONE)
        end = run_tool(course, &between, result, err);
    sift(result, POOR_LAYER, false); /* the transcriber has compared those with what it read */
    if (add_earlier(result, &gave, end == WORKER_DONE ? err : &ignored) < 0 && end == WORKER_DONE)
        end = WORKER_FAILED;
    return end;
}

/* Whether the tool found scans that are to be read. */
static bool is_wanted(const struct course *course, const struct worker_result *result)
{
    return strcmp(param_text(course->job, "ocr"), "off") != 0 &&
           (has_warning(result, NO_TEXT) || has_warning(result, POOR_LAYER));
}

enum worker_end scan_run(const struct catalog *catalog, const struct tool *tool,
                         const struct worker_job *job, const struct scan_run_files *files,
                         struct worker_result *result, struct err *err)
{
    struct course course = {
        .catalog = catalog, .tool = tool, .job = job, .files = files, .share = 1
    };
    AUTO_WORKER_RESULT struct worker_result first = { 0 };
    const struct tool *transcriber = NULL;
    struct worker *worker = NULL;
    bool forced = tool->transcriber && strcmp(param_text(job, "ocr"), "force") == 0;
    enum worker_end end = WORKER_DONE;
    struct err ignored;

    *result = (struct worker_result){ 0 };
    if (tool->transcriber)
        transcriber = catalog_find(catalog, tool->transcriber, &worker);
    if (forced && transcriber)
        return read_scans(&course, transcriber, worker, result, err);
    end = run_tool(&course, NULL, result, err);
    if (end != WORKER_DONE || !tool->transcriber || !is_wanted(&course, result))
        return end;
    if (!transcriber)
        return warn_of_absence(result, tool, err) < 0 ? WORKER_FAILED : end;
    /* What was transcribed shows less damage, under other numbers of objects; what else was said of
     * the document may be wrong of it. */
    sift(result, DAMAGED, true);
    result->n_figures = 0;
    first = *result;
    *result = (struct worker_result){ 0 };
    course.done = FIRST_PART;
    end = read_scans(&course, transcriber, worker, result, err);
    if (has_warning(&first, DAMAGED))
        sift(result, DAMAGED, false);
    if (add_earlier(result, &first, end == WORKER_DONE ? err : &ignored) < 0 && end == WORKER_DONE)
        end = WORKER_FAILED;
    return end;
}
