/* pages: crops, resizes, imposes, orders and cuts pages, and puts them over or under others. */
#include "pdf/pages/pages.h"

#include "base/scope.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "engine/page_image/drawn_area.h"

#define TRIM_PAGES 64

struct params {
    const char *operations;
    const struct tool_input *with;
    const char *inputPassword;
};

static const struct param params[] = {
    TEXT(struct params, operations,
         "What is done to the pages, one after the other: a JSON list of at most 50 objects with "
         "the key op: crop (box, margins or auto), resize (size), scale (factor), nup (columns, "
         "rows), booklet, blank (after), delete (pages), reorder (pages), reverse, duplicate, "
         "poster (columns, rows), split (double pages of scans) or compose (with). Lengths are in "
         "points.",
         .required = true, .min = 1, .max = PAGE_OPERATIONS_CHARS),
    UPLOAD(struct params, with,
           "The PDF that compose draws over or under the pages, such as a letterhead.",
           .max = 100 << 20),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int measure_pages(struct mupdf_document *drawn, const bool *wanted, double (*areas)[4],
                         struct err *err)
{
    for (size_t i = 0; i < drawn->n_pages; i++) {
        if (wanted[i] && drawn_area_find(drawn, i, areas[i], err) < 0)
            return -1;
        if (i % TRIM_PAGES == TRIM_PAGES - 1)
            mupdf_document_trim(drawn);
    }
    return 0;
}

/* The document as the operations before have left it is written where the result will be. */
static int measure(const struct pages_job *job, struct pdf_doc *doc, const bool *wanted,
                   double (*areas)[4], struct err *err)
{
    AUTO_MUPDF_DOCUMENT struct mupdf_document drawn = { 0 };
    const char *path = job->run->output;

    if (pdf_doc_save(doc, path, NULL, err) < 0 ||
        mupdf_document_open(&drawn, path, job->password, job->run, err) < 0)
        return -1;
    if (drawn.n_pages != doc->n_pages)
        return err_set(err, ERR_CORRUPT_FILE,
                       "the document is damaged so that its pages cannot be counted: repair it "
                       "first");
    return measure_pages(&drawn, wanted, areas, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PAGE_OPERATIONS struct page_operations operations = { 0 };
    struct pages_job job = { .run = run,
                             .name = "operations",
                             .operations = &operations,
                             .password = p->inputPassword,
                             .other = p->with,
                             .measure = measure };
    size_t n_pages;

    if (page_operations_read(job.name, p->operations, &operations, err) < 0 ||
        pages_make(&job, &n_pages, err) < 0)
        return -1;
    return tool_done(run, n_pages, err);
}

const struct tool tool_pages = {
    .name = "pages",
    .summary = "Crops, resizes, orders and cuts pages, and puts several on a sheet.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_pages,
    .run = run,
};
