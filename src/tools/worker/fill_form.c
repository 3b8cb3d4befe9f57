/* fill-form: fills in the form of a PDF; several rows of values make a document each. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/effort.h"
#include "base/fdio.h"
#include "declare/tool/tool.h"
#include "pdf/document/doc.h"
#include "pdf/form_data/form_fill.h"
#include "pdf/form_data/form_read.h"
#include "pdf/forms/flatten.h"
#include "pdf/forms/unsign.h"
#include "pdf/merge/merge.h"
#include "pdf/update/import.h"
#include "stamp/form/painter.h"
#include "stamp/sign/container.h"

#define ROW_SHARE  0.2        /* of the effort that one page is allowed, for each row */
#define MAX_DATA   50000000   /* bytes */
#define MAX_MENDED 1000000000 /* bytes of a document that had to be rebuilt */

struct params {
    const struct tool_input *data;
    const char *rows;
    const char *unknown;
    const char *flatten;
    bool readOnly;
    const char *inputPassword;
};

static const char *const rows[] = { "zip", "merged", NULL };
static const char *const unknown[] = { "fail", "ignore", NULL };
static const char *const flatten[] = { "none", "filled", "all", NULL };

static const struct param params[] = {
    UPLOAD(
        struct params, data,
        "The values, as JSON, XFDF, FDF or CSV: a file, or its text. JSON is an object of names "
        "and values, or what form-fields lists. A JSON list of objects, or each row of CSV below "
        "the names, makes a document of its own.",
        .required = true, .text = true, .max = MAX_DATA),
    CHOICE(
        struct params, rows,
        "What several rows make: a ZIP with a PDF for each, or one PDF with the pages of all, in "
        "which fields that stay get names of their own.",
        .preset = "zip", .choices = rows),
    CHOICE(struct params, unknown,
           "What becomes of values for fields that the form does not have: the job fails, or they "
           "are ignored with a warning.",
           .preset = "fail", .choices = unknown),
    CHOICE(struct params, flatten,
           "Which fields become part of the page: none, those that were filled in, or all.",
           .preset = "none", .choices = flatten),
    BOOL(struct params, readOnly, "Whether fields cannot be changed in the result.",
         .preset = "false"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

/* A document with signatures is filled in by an update, after which they still hold. */
static int fill_signed(struct tool_run *run, struct form_fill *fill, struct pdf_doc *doc,
                       const struct form_row *row, const char *path, struct err *err)
{
    const struct tool_input *input = &run->inputs[0];
    AUTO_UPDATE struct update update = { 0 };
    int first = pdf_doc_next_number(doc);

    if (update_start(&update, doc, input->fd, input->bytes, err) < 0 ||
        form_fill_row(fill, doc, row, run, err) < 0 ||
        import_changed(&update, fill->objects, fill->n_objects, first, err) < 0 ||
        update_finish(&update, err) < 0 || update_check(&update, err) < 0)
        return -1;
    return container_append(&update, input->fd, path, run, err);
}

/* The document is opened for each row, always from the same bytes, which are read once. */
struct filling_job {
    struct tool_run *run;
    const struct params *p;
    struct form_fill *fill;
    const struct form_values *data;
    bool signed_;        /* its signatures stay valid in what is made of it */
    struct pdf_doc only; /* of one row: the document, open; else closed */
    struct buf mended;   /* the document as it was written after it was rebuilt, or empty */
    const char *mapped;  /* the bytes of a document that is sound, or NULL */
    size_t n;
};

static void job_free(struct filling_job *job)
{
    pdf_doc_close(&job->only);
    if (job->mapped)
        munmap((void *) (uintptr_t) job->mapped, job->n);
    buf_free(&job->mended);
}
#define AUTO_JOB __attribute__((cleanup(job_free)))

/* Opens the document for the first time, and warns about it. `apart`: each row makes a document of
 * its own. */
static int begin_rows(struct filling_job *job, bool apart, struct err *err)
{
    const struct tool_input *input = &job->run->inputs[0];
    const struct params *p = job->p;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_CLOSE int fd = -1;
    void *mapped;

    if (pdf_doc_open(&doc, input->path, p->inputPassword, NULL, err) < 0)
        return -1;
    job->signed_ = apart && doc.signed_ && strcmp(p->flatten, "none") == 0 && !p->readOnly;
    doc.signed_ = doc.signed_ && !job->signed_;
    doc.run = job->run;
    pdf_doc_warn(&doc);
    if (job->data->n == 1) {
        job->only = doc;
        doc = (struct pdf_doc){ 0 };
        return 0;
    }
    if (!doc.repaired && doc.update == UPDATE_WHOLE) {
        mapped = mmap(NULL, (size_t) input->bytes, PROT_READ, MAP_PRIVATE, input->fd, 0);
        if (mapped == MAP_FAILED)
            return pdf_doc_no_memory(err);
        job->mapped = mapped;
        job->n = (size_t) input->bytes;
        return 0;
    }
    if (job->signed_) /* an update needs the file as it is, and refuses it if it is damaged */
        return 0;
    if (pdf_doc_save(&doc, tool_part(job->run), NULL, err) < 0)
        return -1;
    fd = open(tool_part(job->run), O_RDONLY | O_CLOEXEC);
    return fd < 0 ? err_sys(err, "read the document")
                  : fdio_read_all(fd, MAX_MENDED, &job->mended, err);
}

static int open_copy(struct filling_job *job, struct pdf_doc *doc, struct err *err)
{
    const char *password = job->p->inputPassword;

    effort_begin(ROW_SHARE);
    if (job->only.q) {
        *doc = job->only;
        job->only = (struct pdf_doc){ 0 };
        return 0;
    }
    if (job->mapped)
        return pdf_doc_open_borrowed(doc, job->mapped, job->n, password, err);
    if (job->mended.len > 0)
        return pdf_doc_open_borrowed(doc, buf_text(&job->mended), job->mended.len, password, err);
    return pdf_doc_open(doc, job->run->inputs[0].path, password, NULL, err);
}

static int fill_copy(struct filling_job *job, struct pdf_doc *doc, const struct form_row *row,
                     struct err *err)
{
    const char *wanted = job->p->flatten;
    const struct flatten_options options = {
        .fields = true, .only = strcmp(wanted, "filled") == 0 ? &job->fill->changed : NULL
    };

    unsign_document(doc);
    if (form_fill_row(job->fill, doc, row, job->run, err) < 0)
        return -1;
    return strcmp(wanted, "none") == 0
               ? 0
               : flatten_document(doc, &options, job->fill->painter, job->run, err);
}

static int fill_row(struct filling_job *job, size_t i, const char *path, size_t *pages,
                    struct err *err)
{
    const struct form_row *row = &job->data->rows[i];
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (open_copy(job, &doc, err) < 0)
        return -1;
    *pages = doc.n_pages;
    job->fill->signed_ = job->signed_;
    if (job->signed_)
        return fill_signed(job->run, job->fill, &doc, row, path, err);
    return fill_copy(job, &doc, row, err) < 0 ? -1 : pdf_doc_save(&doc, path, NULL, err);
}

/* A document of a merge; the merge closes it, also after an error. */
static int open_filled(void *arg, size_t i, struct pdf_doc *doc, struct err *err)
{
    struct filling_job *job = arg;

    return open_copy(job, doc, err) < 0 ? -1 : fill_copy(job, doc, &job->data->rows[i], err);
}

static int merge_rows(struct filling_job *job, struct err *err)
{
    const struct merge_sources sources = {
        .n = job->data->n, .open = open_filled, .arg = job, .what = "row"
    };
    const struct merge_options options = { .sources = &sources };
    size_t pages;

    if (merge_files(job->run, &options, &pages, err) < 0)
        return -1;
    return tool_done(job->run, pages, err);
}

static int fill_rows(struct filling_job *job, struct err *err)
{
    struct tool_run *run = job->run;
    char name[TOOL_NAME];
    size_t pages;

    for (size_t i = 0; i < job->data->n; i++) {
        const char *path = tool_part(run);

        if (fill_row(job, i, path, &pages, err) < 0)
            return err_wrap(err, "row %zu", i + 1);
        snprintf(name, sizeof name, "%.150s_%zu.pdf", run->stem, i + 1);
        if (tool_part_done(run, name, pages, err) < 0)
            return -1;
        tool_progress(run, (double) (i + 1) / (double) job->data->n);
    }
    return tool_parts_done(run, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_FORM_VALUES struct form_values data = { 0 };
    AUTO_FORM_FILL struct form_fill fill = { .ignore_unknown = strcmp(p->unknown, "ignore") == 0,
                                             .read_only = p->readOnly };
    AUTO_PAINTER struct field_painter *painter = painter_new(err);
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    AUTO_JOB struct filling_job job = { .run = run, .p = p, .fill = &fill, .data = &data };
    bool merged = strcmp(p->rows, "merged") == 0;
    size_t pages;

    if (!painter || fdio_read_all(p->data->fd, MAX_DATA, &bytes, err) < 0 ||
        form_values_read(&data, &bytes, err) < 0)
        return -1;
    fill.painter = painter;
    if (begin_rows(&job, data.n == 1 || !merged, err) < 0)
        return -1;
    if (data.n > 1)
        return merged ? merge_rows(&job, err) : fill_rows(&job, err);
    if (fill_row(&job, 0, run->output, &pages, err) < 0)
        return -1;
    tool_figure(run, "filled", (int64_t) fill.filled);
    return tool_done(run, pages, err);
}

const struct tool tool_fill_form = {
    .name = "fill-form",
    .summary = "Fills in a PDF form from JSON, XFDF, FDF or CSV, once or for each row.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .many = true,
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .threads = true,
};
