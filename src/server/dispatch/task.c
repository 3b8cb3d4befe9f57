#include "server/dispatch/task.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "data/blob/blob_name.h"
#include "declare/value/file_kind.h"
#include "server/dispatch/intake.h"
#include "server/dispatch/job_files.h"
#include "server/dispatch/remote.h"
#include "server/dispatch/shipping.h"
#include "server/dispatch/test_mark.h"

#define SECRETS_BYTES ((size_t) 8 << 20) /* a thousand addresses fit */

/* Takes over an object's members, but for the parameters the server itself acts on. */
static int add_params(struct task *task, json_t *object, struct err *err)
{
    const char *name;
    json_t *value;
    struct param_input *params =
        reallocarray(task->params, task->n_params + json_object_size(object) + 1, sizeof *params);

    if (!params)
        return err_sys(err, "parameters");
    task->params = params;
    json_object_foreach(object, name, value)
    {
        if (!json_is_string(value))
            return err_set(err, ERR_INTERNAL, "the job's parameters cannot be read");
        if (!tool_server_param(name) && strcmp(name, REMOTE_SECRET) != 0 &&
            strcmp(name, INTAKE_TEST) != 0 && strcmp(name, SHIPPING_MARK) != 0)
            params[task->n_params++] = (struct param_input){ name, json_string_value(value) };
    }
    return 0;
}

static int open_secrets(struct task *task, const struct job *job, struct blob_store *blobs,
                        struct err *err)
{
    AUTO_CLOSE int fd = -1;
    AUTO_BUF struct buf text = BUF_EMPTY;
    int64_t bytes;

    if (!job->has_secret)
        return 0;
    fd = blob_open(blobs, job->id, BLOB_NAME_SECRETS, SECRETS_BYTES, &bytes, err);
    if (fd < 0 || fdio_read_all(fd, SECRETS_BYTES, &text, err) < 0)
        return -1;
    task->json[1] = json_loads(buf_text(&text), 0, NULL);
    explicit_bzero(text.data, text.len);
    if (!json_is_object(task->json[1]))
        return err_set(err, ERR_INTERNAL, "the job's secrets cannot be read");
    return add_params(task, task->json[1], err);
}

/* Takes over a file's descriptor: it is a document, or the value of a parameter. */
static void add_input(struct task *task, const json_t *described, int fd, int64_t bytes)
{
    const char *param = json_string_value(json_object_get(described, "param"));
    const char *name = json_string_value(json_object_get(described, "name"));
    struct tool_input *attachment = &task->attachments[task->n_attachments];

    if (!param) {
        task->names[task->n_inputs] = name ? name : "";
        task->inputs[task->n_inputs++] = fd;
        return;
    }
    *attachment = (struct tool_input){ fd, "", "", bytes };
    task->params[task->n_params++] = (struct param_input){ param, NULL, attachment };
    task->n_attachments++;
}

static int open_inputs(struct task *task, const struct job *job, struct store *store,
                       struct blob_store *blobs, struct err *err)
{
    AUTO_JOB_INPUTS struct job_inputs inputs = { .small = BUF_EMPTY };
    size_t n = (size_t) job->n_inputs;
    struct param_input *params = reallocarray(task->params, task->n_params + n + 1, sizeof *params);

    if (params)
        task->params = params;
    task->inputs = calloc(n + 1, sizeof *task->inputs);
    task->names = calloc(n + 1, sizeof *task->names);
    task->attachments = calloc(n + 1, sizeof *task->attachments);
    if (!params || !task->inputs || !task->names || !task->attachments)
        return err_sys(err, "inputs");
    if (job_inputs_open(&inputs, store, blobs, job, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const json_t *described = json_array_get(task->json[2], i);
        int64_t bytes = json_integer_value(json_object_get(described, "bytes"));
        int fd = job_inputs_next(&inputs, i, &bytes, err);

        if (fd < 0)
            return -1;
        add_input(task, described, fd, bytes);
    }
    return 0;
}

static int make_scratch(const struct task *task, struct err *err)
{
    return task->input_bytes <= WORKER_SCRATCH_IN_MEMORY ? fdio_memory_file(err)
                                                         : blob_stage(task->blobs, err);
}

/* They were checked at submission; whether a tool is still installed shows now. */
static int plan_steps(struct task *task, struct err *err)
{
    const char *steps = json_string_value(json_object_get(task->json[0], "steps"));

    task->pipeline = steps ? pipeline_run_plan(task->catalog, steps, task->params, task->n_params,
                                               true, NULL, err)
                           : NULL;
    if (task->pipeline)
        return 0;
    err->code = ERR_INTERNAL;
    return steps ? err_wrap(err, "the job's steps cannot be done any more")
                 : err_set(err, ERR_INTERNAL, "the job's steps cannot be read");
}

int task_open(struct task *task, const struct job *job, struct store *store,
              struct blob_store *blobs, const struct catalog *catalog, struct err *err)
{
    bool one_tool = strcmp(job->tool, PIPELINE_NAME) != 0;

    task->catalog = catalog;
    task->blobs = blobs;
    task->input_bytes = job->input_bytes;
    task->tool = one_tool ? catalog_find(catalog, job->tool, NULL) : NULL;
    if (one_tool && !task->tool)
        return err_set(err, ERR_INTERNAL, "the tool %s is not here any more", job->tool);
    task->json[0] = json_loads(job->params_json, 0, NULL);
    task->json[2] = json_loads(job->inputs_json, 0, NULL);
    if (!json_is_object(task->json[0]) || !json_is_array(task->json[2]))
        return err_set(err, ERR_INTERNAL, "the job's description cannot be read");
    task->test = json_string_value(json_object_get(task->json[0], INTAKE_TEST));
    if (add_params(task, task->json[0], err) < 0 || open_secrets(task, job, blobs, err) < 0 ||
        open_inputs(task, job, store, blobs, err) < 0 || (!one_tool && plan_steps(task, err) < 0))
        return -1;
    task->output = blob_stage(blobs, err);
    if (task->output < 0)
        return -1;
    task->scratch = make_scratch(task, err);
    return task->scratch < 0 ? -1 : 0;
}

int task_rewind(struct task *task, struct err *err)
{
    if (ftruncate(task->output, 0) < 0 || ftruncate(task->scratch, 0) < 0 ||
        lseek(task->output, 0, SEEK_SET) < 0 || lseek(task->scratch, 0, SEEK_SET) < 0)
        return err_sys(err, "start again");
    return 0;
}

void task_close(struct task *task)
{
    pipeline_free(task->pipeline);
    for (size_t i = 0; i < task->n_inputs; i++)
        close(task->inputs[i]);
    for (size_t i = 0; i < task->n_attachments; i++)
        close(task->attachments[i].fd);
    if (task->output >= 0)
        close(task->output);
    if (task->scratch >= 0)
        close(task->scratch);
    free(task->inputs);
    free(task->attachments);
    free(task->names);
    free(task->params);
    for (size_t i = 0; i < COUNT(task->json); i++)
        json_decref(task->json[i]);
    *task = (struct task) TASK_EMPTY;
}

/* What lies between two steps may be large: it is kept on the disk. */
static int stage(void *arg, struct err *err)
{
    const struct task *task = arg;

    return blob_stage(task->blobs, err);
}

static enum worker_end run_unmarked(struct task *task, const struct worker_job *work,
                                    struct worker_result *result, struct err *err)
{
    const struct scan_run_files files = { stage, task };

    if (task->pipeline)
        return pipeline_run(task->catalog, task->pipeline, work, &files, result, err);
    return scan_run(task->catalog, task->tool, work, &files, result, err);
}

static const char *value_of(const struct param_input *params, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(params[i].name, name) == 0)
            return params[i].value;
    return NULL;
}

/* With marked copies of its documents. */
static enum worker_end run_marked_documents(struct task *task, const struct test_mark *mark,
                                            const struct worker_job *work,
                                            struct worker_result *result, struct err *err)
{
    struct worker_job marked = *work;
    AUTO_FREE int *copies = calloc(work->n_inputs + 1, sizeof *copies);
    AUTO_FREE int *inputs = calloc(work->n_inputs + 1, sizeof *inputs);
    enum worker_end end = WORKER_FAILED;
    int unmarked = -1;

    if (!copies || !inputs) {
        err_sys(err, "test");
        return end;
    }
    memset(copies, 0xff, (work->n_inputs + 1) * sizeof *copies);
    unmarked = test_mark_documents(mark, work, copies, err);
    for (size_t i = 0; i < work->n_inputs; i++)
        inputs[i] = copies[i] >= 0 ? copies[i] : work->inputs[i];
    marked.inputs = inputs;
    if (unmarked >= 0 && ftruncate(work->scratch, 0) == 0 && lseek(work->scratch, 0, SEEK_SET) == 0)
        end = run_unmarked(task, &marked, result, err);
    for (size_t i = 0; i < work->n_inputs; i++)
        if (copies[i] >= 0)
            close(copies[i]);
    if (end == WORKER_DONE && unmarked > 0) {
        err_set(err, ERR_UNSUPPORTED_CONTENT,
                "a test key's documents are marked, which cannot be done with this one: use "
                "another");
        end = WORKER_FAILED;
    }
    return end;
}

enum worker_end task_run(struct task *task, const struct worker_job *work,
                         struct worker_result *result, struct err *err)
{
    const struct pipeline_step *first = task->pipeline ? task->pipeline->steps : NULL;
    const struct test_mark mark = {
        .catalog = task->catalog,
        .blobs = task->blobs,
        .tool = task->pipeline ? &pipeline_tool : catalog_find(task->catalog, work->tool, NULL),
        .pipeline = task->pipeline,
        .password = value_of(first ? first->params : task->params,
                             first ? first->n_params : task->n_params, "inputPassword"),
    };
    enum worker_end end;

    if (!task->test)
        return run_unmarked(task, work, result, err);
    if (test_mark_is_before(&mark))
        return run_marked_documents(task, &mark, work, result, err);
    end = run_unmarked(task, work, result, err);
    return end == WORKER_DONE ? test_mark_result(&mark, work, result, err) : end;
}

void task_result_name(const struct task *task, const struct job *job, const char *kind,
                      char out[static RESULT_NAME])
{
    const char *extension = file_kind_extension(kind);
    bool chosen = json_object_get(task->json[0], "outputName") != NULL;

    result_name(job->stem, chosen ? "" : job->tool, extension ? extension : "bin", out);
}

int64_t task_output_bytes(const struct task *task)
{
    struct stat st;

    return fstat(task->output, &st) == 0 ? (int64_t) st.st_size : 0;
}
