#include "server/dispatch/test_mark.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/value/file_kind.h"

#define MARKER "watermark"

static const struct param_input look[] = {
    { .name = "text", .value = "TEST" },
    { .name = "color", .value = "#cc0000" },
    { .name = "opacity", .value = "0.35" },
};

static bool gives_pdf(const struct tool *tool)
{
    return strcmp(tool->gives, "pdf") == 0;
}

/* What it gives may not be changed any more: it is signed, or needs a password. */
static bool closes(const struct tool *tool)
{
    return tool->asks || param_find(tool->params, tool->n_params, "ownerPassword");
}

bool test_mark_is_before(const struct test_mark *mark)
{
    bool before = false;

    if (!mark->pipeline)
        return !gives_pdf(mark->tool) || mark->tool->many || closes(mark->tool);
    for (size_t i = 0; i < mark->pipeline->n; i++) {
        const struct tool *tool = mark->pipeline->steps[i].tool;

        before |= !gives_pdf(tool) || tool->many || closes(tool);
    }
    return before;
}

static enum worker_end run_marker(const struct test_mark *mark, const struct worker_job *job,
                                  int input, int output, struct worker_result *result,
                                  struct err *err)
{
    struct param_input params[COUNT(look) + 1];
    const char *const name = "document.pdf";
    struct worker_job work = *job;
    struct worker *worker = NULL;

    memcpy(params, look, sizeof look);
    params[COUNT(look)] = (struct param_input){ .name = "inputPassword", .value = mark->password };
    if (!catalog_find(mark->catalog, MARKER, &worker)) {
        err_set(err, ERR_INTERNAL, "the tool that marks the results of test keys is not here");
        return WORKER_FAILED;
    }
    if (ftruncate(job->scratch, 0) < 0 || lseek(job->scratch, 0, SEEK_SET) < 0) {
        err_sys(err, "scratch file");
        return WORKER_FAILED;
    }
    work.tool = MARKER;
    work.params = params;
    work.n_params = COUNT(look) + (mark->password != NULL);
    work.inputs = &input;
    work.input_names = (const char *const[]){ name };
    work.n_inputs = 1;
    work.output = output;
    work.services = NULL;
    return worker_run(worker, &work, result, err);
}

static bool is_pdf(int fd)
{
    const char *kind = file_kind_of_file(fd);

    return kind && strcmp(kind, "pdf") == 0;
}

int test_mark_documents(const struct test_mark *mark, const struct worker_job *job, int *marked,
                        struct err *err)
{
    int unmarked = 0;

    for (size_t i = 0; i < job->n_inputs; i++) {
        AUTO_WORKER_RESULT struct worker_result result = { 0 };
        AUTO_CLOSE int output = blob_stage(mark->blobs, err);
        struct err ignored;

        marked[i] = -1;
        if (output < 0)
            return -1;
        if (is_pdf(job->inputs[i]) &&
            run_marker(mark, job, job->inputs[i], output, &result, &ignored) == WORKER_DONE)
            marked[i] = scope_take_fd(&output);
        else
            unmarked++;
    }
    return unmarked;
}

static int copy_of(const struct test_mark *mark, int fd, struct err *err)
{
    AUTO_CLOSE int copy = blob_stage(mark->blobs, err);
    struct stat st;

    if (copy < 0)
        return -1;
    if (fstat(fd, &st) < 0)
        return err_sys(err, "result");
    return fdio_copy(fd, 0, st.st_size, copy, err) < 0 ? -1 : scope_take_fd(&copy);
}

enum worker_end test_mark_result(const struct test_mark *mark, const struct worker_job *job,
                                 struct worker_result *result, struct err *err)
{
    AUTO_WORKER_RESULT struct worker_result drawn = { 0 };
    AUTO_CLOSE int copy = copy_of(mark, job->output, err);
    struct worker_output *outputs = result->outputs;
    size_t n = result->n_outputs;
    enum worker_end end = WORKER_FAILED;

    if (copy < 0)
        return end;
    if (ftruncate(job->output, 0) < 0 || lseek(job->output, 0, SEEK_SET) < 0) {
        err_sys(err, "result");
        return end;
    }
    end = run_marker(mark, job, copy, job->output, &drawn, err);
    result->run_ms += drawn.run_ms;
    result->cpu_ms += drawn.cpu_ms;
    if (end != WORKER_DONE) {
        err_wrap(err, "the result of a test key could not be marked");
        return end;
    }
    result->outputs = drawn.outputs;
    result->n_outputs = drawn.n_outputs;
    drawn.outputs = outputs;
    drawn.n_outputs = n;
    return end;
}
