#include "server/api_submit/dry_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/num.h"
#include "base/scope.h"
#include "declare/value/page_list.h"
#include "declare/value/text.h"
#include "server/api_submit/package_kind.h"

#define LINES_BYTES  ((size_t) 1024 * 1024) /* what is read of inspect's words */
#define INSPECT      "inspect"
#define OFFICE_KINDS 4

struct dry_run {
    const struct api *api;
    const struct call *call;
    const struct tool *tool; /* the first that meets the documents */
    struct upload *upload;
    struct intake_order order; /* what the job would be made of */
    const struct documents *documents;
    const struct param_input *params;
    size_t n_params;
    json_t *files, *problems, *warnings;
    int64_t pages;
    bool password_required, stopped;
    int *fds;
    const char **names;
};

static void add_problem(struct dry_run *dry, const struct err *why, size_t file)
{
    json_t *problem =
        json_pack("{ss ss}", "code", err_name(why->code), "message",
                  why->code == ERR_INTERNAL ? "the files could not be looked at" : why->msg);

    if (file)
        json_object_set_new(problem, "file", json_integer((json_int_t) file));
    if (*why->field)
        json_object_set_new(problem, "field", json_string(why->field));
    json_array_append_new(dry->problems, problem);
}

/* A line of inspect, which a hostile file may have made: no more than numbers, a code that a job
 * may fail with, and a text. */
static bool read_line(const char *line, size_t n, int64_t numbers[static 4], struct err *why)
{
    const char *end = line + n, *at = line;
    char code[48];

    for (size_t i = 0; i < 4; i++) {
        const char *blank = memchr(at, ' ', (size_t) (end - at));

        if (!blank || !num_parse_i64(at, (size_t) (blank - at), 0, i ? 1 : INT32_MAX, &numbers[i]))
            return false;
        at = blank + 1;
    }
    for (n = 0; at < end && *at != ' ' && n < sizeof code - 1; at++)
        code[n++] = *at;
    code[n] = '\0';
    *why = (struct err){ .code = err_code_find(code) };
    if (strcmp(code, "-") == 0)
        why->msg[0] = '\0';
    else
        text_for_message(at < end ? at + 1 : at, at < end ? (size_t) (end - at - 1) : 0, why->msg,
                         sizeof why->msg);
    return true;
}

/* Repair is for what cannot be read; remove-password says in its own words what it misses. */
static bool is_problem(const struct dry_run *dry, const struct err *why)
{
    return !(why->code == ERR_CORRUPT_FILE && tool_accepts(dry->tool, TOOL_UNKNOWN));
}

static void add_file(struct dry_run *dry, size_t i, const int64_t numbers[static 4],
                     const struct err *why)
{
    json_t *file = json_array_get(dry->files, i);
    bool locked = why->code == ERR_PASSWORD_REQUIRED || why->code == ERR_WRONG_PASSWORD;

    if (*why->msg && is_problem(dry, why))
        add_problem(dry, why, i + 1);
    if (*why->msg && !locked)
        return;
    json_object_set_new(file, "encrypted", json_boolean(numbers[1]));
    json_object_set_new(file, "passwordRequired", json_boolean(locked));
    dry->password_required = dry->password_required || locked;
    if (locked)
        return;
    json_object_set_new(file, "pages", json_integer(numbers[0]));
    json_object_set_new(file, "damaged", json_boolean(numbers[2]));
    json_object_set_new(file, "signed", json_boolean(numbers[3]));
    dry->pages += numbers[0];
}

static void read_lines(struct dry_run *dry, const struct buf *lines)
{
    const char *at = lines->data, *end = at + lines->len;

    for (size_t i = 0; i < dry->documents->n && at < end; i++) {
        const char *stop = memchr(at, '\n', (size_t) (end - at));
        int64_t numbers[4];
        struct err why;

        if (!stop)
            return;
        if (read_line(at, (size_t) (stop - at), numbers, &why))
            add_file(dry, i, numbers, &why);
        at = stop + 1;
    }
}

/* The password that opens the documents is called so by every tool, or password; compare has one
 * for its second document. Puts those that were sent into `out`, and returns their number. */
static size_t open_passwords(const struct dry_run *dry, struct param_input out[static 2])
{
    static const char *const names[] = { "inputPassword", "inputPassword2" };
    size_t n = 0;

    for (size_t name = 0; name < COUNT(names); name++) {
        const char *found = NULL;

        for (size_t i = 0; i < dry->n_params; i++)
            if (strcmp(dry->params[i].name, names[name]) == 0 ||
                (name == 0 && strcmp(dry->params[i].name, "password") == 0 &&
                 strcmp(dry->tool->name, "remove-password") == 0))
                found = dry->params[i].value;
        if (found)
            out[n++] = (struct param_input){ .name = names[name], .value = found };
    }
    return n;
}

static struct worker_job job_of(const struct dry_run *dry, const char *tool, int output,
                                int scratch)
{
    AUTO_CONFIG const struct config *config = live_hold(dry->api->settings);
    const char *stem = "dry-run";

    return (struct worker_job){ .id = stem,
                                .tool = tool,
                                .stem = stem,
                                .inputs = dry->fds,
                                .input_names = dry->names,
                                .n_inputs = dry->documents->n,
                                .output = output,
                                .scratch = scratch,
                                .limits = { .run_ms = config->dry_run_timeout,
                                            .memory_bytes = config->job_memory,
                                            .output_bytes = config->job_output },
                                .no_digests = true,
                                .cancel = dry_runs_cancel(dry->api->dry_runs) };
}

/* An error that is not about the document is not a problem of the job. */
static void note_end(struct dry_run *dry, enum worker_end end, const struct err *why)
{
    struct err said = *why;

    dry->stopped = end == WORKER_CANCELLED;
    if (end == WORKER_DONE || dry->stopped)
        return;
    if (end != WORKER_FAILED)
        said.code = ERR_INTERNAL;
    add_problem(dry, &said, dry->documents->n == 1 ? 1 : 0);
}

static void inspect(struct dry_run *dry, int output, int scratch, struct worker *worker)
{
    AUTO_WORKER_RESULT struct worker_result result = { 0 };
    AUTO_BUF struct buf lines = BUF_EMPTY;
    struct worker_job job = job_of(dry, INSPECT, output, scratch);
    struct param_input passwords[2];
    enum worker_end end;
    struct err err;

    job.params = passwords;
    job.n_params = open_passwords(dry, passwords);
    end = worker_run(worker, &job, &result, &err);
    if (end == WORKER_DONE && lseek(output, 0, SEEK_SET) == 0 &&
        fdio_read_all(output, LINES_BYTES, &lines, &err) == 0)
        read_lines(dry, &lines);
    note_end(dry, end, &err);
}

/* The tool itself, for office documents. */
static void try_out(struct dry_run *dry, int output, int scratch, struct worker *worker)
{
    AUTO_WORKER_RESULT struct worker_result result = { 0 };
    struct worker_job job = job_of(dry, dry->tool->name, output, scratch);
    json_t *file = json_array_get(dry->files, 0);
    enum worker_end end;
    struct err err;

    job.params = dry->params;
    job.n_params = dry->n_params;
    end = worker_run(worker, &job, &result, &err);
    dry->password_required = end == WORKER_FAILED &&
                             (err.code == ERR_PASSWORD_REQUIRED || err.code == ERR_WRONG_PASSWORD);
    json_object_set_new(file, "passwordRequired", json_boolean(dry->password_required));
    for (size_t i = 0; i < result.n_warnings; i++)
        json_array_append_new(dry->warnings, json_pack("{ss ss}", "code", result.warnings[i].code,
                                                       "message", result.warnings[i].message));
    for (size_t i = 0; end == WORKER_DONE && i < result.n_outputs; i++)
        dry->pages += result.outputs[i].pages;
    if (end == WORKER_DONE)
        json_object_set_new(file, "pages", json_integer(dry->pages));
    note_end(dry, end, &err);
}

static bool is_office(const struct dry_run *dry)
{
    static const char *const kinds[OFFICE_KINDS] = { "zip", "ole", "biff", "text" };
    const char *kind = dry->documents->more[0].kind;

    for (size_t i = 0; kind && i < OFFICE_KINDS; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return tool_accepts(dry->tool, kind);
    return false;
}

/* Tools whose result has the pages that their document has. */
static bool keeps_pages(const struct tool *tool)
{
    static const char *const names[] = { "add-password",    "compress", "page-numbers", "rotate",
                                         "remove-password", "sign",     "watermark" };

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(tool->name, names[i]) == 0)
            return true;
    return false;
}

/* Pages that a document does not have. `number` of the step, -1: there are none. */
static void check_pages(struct dry_run *dry, const struct pipeline_step *step, int number,
                        int64_t pages, size_t file)
{
    for (size_t k = 0; k < step->n_params; k++) {
        const struct param_input *given = &step->params[k];
        const struct param *param =
            param_find(step->tool->params, step->tool->n_params, given->name);
        AUTO_PAGE_LIST struct page_list list = { 0 };
        struct err err;

        if (!param || param->type != PARAM_PAGES ||
            page_list_resolve(given->value, (size_t) pages, &list, &err) == 0)
            continue;
        if (number < 0)
            snprintf(err.field, sizeof err.field, "%s", param->name);
        else
            snprintf(err.field, sizeof err.field, "steps[%d].%s", number, param->name);
        add_problem(dry, &err, file);
    }
}

/* What is known of the documents without running anything: as far as steps keep their pages. */
static void check_steps(struct dry_run *dry)
{
    const struct pipeline *pipeline = upload_pipeline(dry->upload);
    struct pipeline_step alone = { dry->tool, (struct param_input *) (uintptr_t) dry->params,
                                   dry->n_params };
    size_t n = pipeline ? pipeline->n : 1;
    bool merged = false;

    for (size_t i = 0; i < n; i++) {
        const struct pipeline_step *step = pipeline ? &pipeline->steps[i] : &alone;
        int number = pipeline ? (int) i : -1;

        for (size_t f = 0; step->tool->max_files == 1 && f < (merged ? 1 : dry->documents->n);
             f++) {
            int64_t pages =
                merged
                    ? dry->pages
                    : json_integer_value(json_object_get(json_array_get(dry->files, f), "pages"));

            if (pages > 0)
                check_pages(dry, step, number, pages, merged ? 0 : f + 1);
        }
        /* All of them, if each is known. */
        if (strcmp(step->tool->name, "merge") == 0 && step->n_params == 0 &&
            json_array_size(dry->problems) == 0)
            merged = true;
        else if (!keeps_pages(step->tool))
            return;
    }
}

static int examine_inputs(struct dry_run *dry, struct err *err)
{
    AUTO_CLOSE int output = blob_stage(dry->api->blobs, err);
    AUTO_CLOSE int scratch = output < 0 ? -1 : blob_stage(dry->api->blobs, err);
    bool office = is_office(dry);
    struct worker *worker = NULL;

    if (scratch < 0)
        return -1;
    if (!catalog_find(dry->api->catalog, office ? dry->tool->name : INSPECT, &worker))
        return err_set(err, ERR_INTERNAL, "no program can look at files");
    if (office && dry->documents->n > 1) {
        json_array_append_new(dry->warnings,
                              json_pack("{ss ss}", "code", "not_inspected", "message",
                                        "several office documents are not looked at: send one"));
        return 0;
    }
    if (office)
        try_out(dry, output, scratch, worker);
    else
        inspect(dry, output, scratch, worker);
    if (dry->stopped)
        return err_set(err, ERR_SHUTTING_DOWN, "the server is about to stop; try again shortly");
    if (!office)
        check_steps(dry);
    return 0;
}

static json_t *quota(const struct dry_run *dry)
{
    const struct plan *plan = dry->call->plan;
    const struct usage *used = &dry->call->usage;
    bool counts = !dry->tool->free || upload_pipeline(dry->upload);
    int64_t bytes = counts ? upload_bytes(dry->upload) - dry->order.reused_bytes : 0;
    int64_t requests_left = plan->requests_per_month - used->requests;
    int64_t bytes_left = plan->bytes_per_month - used->bytes;

    return json_pack("{sI sI sI sI sb}", "requests", (json_int_t) counts, "bytes",
                     (json_int_t) bytes, "requestsRemaining",
                     (json_int_t) (requests_left > 0 ? requests_left : 0), "bytesRemaining",
                     (json_int_t) (bytes_left > 0 ? bytes_left : 0), "sufficient",
                     !counts || (requests_left > 0 && bytes <= bytes_left));
}

/* The tool the documents come to first, and its parameters. */
static void choose(struct dry_run *dry, const struct tool *tool, struct param_input *own)
{
    const struct pipeline *steps = upload_pipeline(dry->upload);
    const struct param_input *all = dry->order.params;

    dry->tool = steps ? steps->steps[0].tool : tool;
    dry->params = steps ? steps->steps[0].params : own;
    dry->n_params = steps ? steps->steps[0].n_params : 0;
    if (steps)
        return;
    for (size_t i = 0; i < dry->order.n_params; i++)
        if (param_find(tool->params, tool->n_params, all[i].name))
            own[dry->n_params++] = all[i];
}

static int open_documents(struct dry_run *dry, struct err *err)
{
    size_t n = dry->documents->n;

    dry->fds = calloc(n + 1, sizeof *dry->fds);
    dry->names = calloc(n + 1, sizeof *dry->names);
    if (!dry->fds || !dry->names)
        return err_sys(err, "dry run");
    for (size_t i = 0; i < n; i++) {
        const struct intake_file *file = &dry->documents->files[i];
        const char *kind = dry->documents->more[i].kind;

        if (kind && strcmp(kind, "zip") == 0)
            kind = package_kind(file->fd);
        dry->fds[i] = file->fd;
        dry->names[i] = file->name;
        json_array_append_new(dry->files, json_pack("{ss sI ss*}", "name", file->name, "bytes",
                                                    (json_int_t) file->bytes, "kind", kind));
    }
    return 0;
}

static json_t *write_report(const struct dry_run *dry, const char *tool)
{
    json_t *cost = quota(dry);
    bool ok =
        json_array_size(dry->problems) == 0 && json_is_true(json_object_get(cost, "sufficient"));

    return json_pack("{sb ss sb sI sb sO sO sO so}", "dryRun", 1, "tool", tool, "ok", ok, "pages",
                     (json_int_t) dry->pages, "passwordRequired", dry->password_required, "files",
                     dry->files, "problems", dry->problems, "warnings", dry->warnings, "quota",
                     cost);
}

json_t *dry_run_report(const struct api *api, const struct call *call, const struct tool *tool,
                       struct upload *upload, struct err *err)
{
    struct param_input own[UPLOAD_FIELDS];
    struct dry_run dry = { .api = api,
                           .call = call,
                           .upload = upload,
                           .documents = upload_documents(upload),
                           .files = json_array(),
                           .problems = json_array(),
                           .warnings = json_array() };
    json_t *report = NULL;

    if (upload_order(upload, &dry.order, err) == 0) {
        choose(&dry, tool, own);
        if (open_documents(&dry, err) == 0 && examine_inputs(&dry, err) == 0 &&
            !(report = write_report(&dry, tool->name)))
            err_set(err, ERR_INTERNAL, "out of memory");
    }
    json_decref(dry.files);
    json_decref(dry.problems);
    json_decref(dry.warnings);
    free(dry.fds);
    free(dry.names);
    return report;
}
