/*
 * split-blank: split with the parameter `blank`, which has to look at pages. Clients call it as
 * split.
 */
#include <string.h>

#include "base/scope.h"
#include "declare/tool/tool.h"
#include "declare/tool_run/run.h"
#include "engine/page_image/blank_page.h"
#include "pdf/extract/part.h"
#include "pdf/forms/unsign.h"

#define NAME_BYTES 300
#define TRIM_PAGES 64
#define LOOKING    0.7 /* of the work */

struct params {
    const char *blank;
    const char *inputPassword;
};

static const char *const blanks[] = { "drop", "keep", "remove", NULL };

static const struct param params[] = {
    CHOICE(struct params, blank, "What becomes of blank pages.", .required = true,
           .choices = blanks),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

struct job {
    struct tool_run *run;
    const struct params *params;
    struct pdf_doc doc;
    struct part_source *source;
    bool *blank; /* of each page */
    size_t n_blank;
    size_t *pages; /* of the part that is written, and those before it */
    struct damage_report damaged;
};

static int check_page(struct job *job, struct mupdf_document *drawn, size_t page, struct err *err)
{
    struct damage damage = { 0 };
    char words[DAMAGE_WORDS];

    if (blank_page_check(drawn, page, &job->blank[page], &damage, err) < 0)
        return -1;
    if (damage.n > 0) {
        damage_words(&damage, words);
        damage_report_add(&job->damaged, page, words);
    }
    job->n_blank += job->blank[page];
    if (page % TRIM_PAGES == TRIM_PAGES - 1)
        mupdf_document_trim(drawn);
    tool_progress(job->run, LOOKING * (double) (page + 1) / (double) job->doc.n_pages);
    return 0;
}

/*
 * Opens the document to look at. The pages must be those that qpdf found: a document that had to be
 * repaired is written as qpdf reads it, where a part will be later.
 */
static int open_drawn(struct job *job, struct mupdf_document *drawn, struct err *err)
{
    const char *path = job->run->inputs[0].path, *password = job->params->inputPassword;

    if (!job->doc.repaired) {
        if (mupdf_document_open(drawn, path, password, job->run, err) < 0)
            return -1;
        if (drawn->n_pages == job->doc.n_pages && !drawn->recovered)
            return 0;
        mupdf_document_close(drawn);
        *drawn = (struct mupdf_document){ 0 };
    }
    path = tool_part(job->run);
    if (pdf_doc_save(&job->doc, path, NULL, err) < 0 ||
        mupdf_document_open(drawn, path, password, job->run, err) < 0)
        return -1;
    if (drawn->n_pages != job->doc.n_pages)
        return err_set(err, ERR_CORRUPT_FILE,
                       "the document is damaged so that its pages cannot be counted: repair it "
                       "first");
    return 0;
}

static int find_blank(struct job *job, struct err *err)
{
    AUTO_MUPDF_DOCUMENT struct mupdf_document drawn = { 0 };

    if (open_drawn(job, &drawn, err) < 0)
        return -1;
    for (size_t i = 0; i < job->doc.n_pages; i++)
        if (check_page(job, &drawn, i, err) < 0)
            return -1;
    damage_report_warn(&job->damaged, job->run, "they do not count as blank");
    return 0;
}

static int write_part(struct job *job, size_t n, const char *path, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc part = { 0 };

    if (part_make(job->source, job->pages, n, &part, err) < 0)
        return -1;
    return pdf_doc_save(&part, path, NULL, err);
}

/* The part of n pages, which are consecutive. */
static int give_part(struct job *job, size_t n, struct err *err)
{
    char name[NAME_BYTES];
    size_t first = job->pages[0] + 1, last = job->pages[n - 1] + 1;

    if (write_part(job, n, tool_part(job->run), err) < 0)
        return -1;
    if (n == 1)
        snprintf(name, sizeof name, "%s_%zu.pdf", job->run->stem, first);
    else
        snprintf(name, sizeof name, "%s_%zu-%zu.pdf", job->run->stem, first, last);
    tool_progress(job->run, LOOKING + (1 - LOOKING) * (double) last / (double) job->doc.n_pages);
    return tool_part_done(job->run, name, n, err);
}

/* Whether a part ends after page i. */
static bool ends(const struct job *job, size_t i, bool keep)
{
    bool last = i + 1 == job->doc.n_pages;

    /* A kept blank page is the end of its part; blank pages at the beginning have no part yet. */
    return last || (keep ? job->blank[i] && !job->blank[i + 1] : job->blank[i + 1]);
}

static size_t count_parts(const struct job *job, bool keep)
{
    size_t n = 0;
    bool any = false;

    for (size_t i = 0; i < job->doc.n_pages; i++) {
        any = any || !job->blank[i];
        if (any && ends(job, i, keep)) {
            n++;
            any = false;
        }
    }
    return n;
}

static int give_parts(struct job *job, struct err *err)
{
    bool keep = strcmp(job->params->blank, "keep") == 0, any = false;
    size_t n = 0, parts = count_parts(job, keep);

    if (parts > TOOL_PARTS)
        return err_set(err, ERR_LIMIT_EXCEEDED, "there would be %zu parts, more than %d", parts,
                       TOOL_PARTS);
    for (size_t i = 0; i < job->doc.n_pages; i++) {
        if (keep || !job->blank[i])
            job->pages[n++] = i;
        any = any || !job->blank[i];
        if (!any || !ends(job, i, keep))
            continue;
        if (give_part(job, n, err) < 0)
            return -1;
        n = 0;
        any = false;
    }
    return tool_parts_done(job->run, err);
}

static int give_rest(struct job *job, struct err *err)
{
    size_t n = 0;

    for (size_t i = 0; i < job->doc.n_pages; i++)
        if (!job->blank[i])
            job->pages[n++] = i;
    if (write_part(job, n, job->run->output, err) < 0)
        return -1;
    return tool_done(job->run, n, err);
}

static int give(struct job *job, struct err *err)
{
    bool rest = strcmp(job->params->blank, "remove") == 0;

    if (job->n_blank == job->doc.n_pages)
        return err_field(err, ERR_PAGE_OUT_OF_RANGE, "blank",
                         "every page is blank: no page would be left");
    if (job->n_blank == 0)
        tool_warn(job->run, "no_blank_page", "no page of the document is blank");
    tool_figure(job->run, "blankPages", (int64_t) job->n_blank);
    unsign_document(&job->doc);
    job->source = part_source_open(&job->doc, rest ? PART_REDUCED : PART_OF_IT, err);
    if (!job->source)
        return -1;
    return rest ? give_rest(job, err) : give_parts(job, err);
}

static int do_blank(struct job *job, struct err *err)
{
    job->blank = calloc(job->doc.n_pages + 1, sizeof *job->blank);
    job->pages = calloc(job->doc.n_pages + 1, sizeof *job->pages);
    if (!job->blank || !job->pages)
        return pdf_doc_no_memory(err);
    return find_blank(job, err) < 0 ? -1 : give(job, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct job job = { .run = run, .params = p };
    int done;

    if (pdf_doc_open(&job.doc, run->inputs[0].path, p->inputPassword, run, err) < 0)
        return -1;
    done = do_blank(&job, err);
    pdf_doc_warn(&job.doc);
    part_source_close(job.source);
    pdf_doc_close(&job.doc);
    free(job.blank);
    free(job.pages);
    return done;
}

const struct tool tool_split_blank = {
    .name = "split-blank",
    .summary = "Cuts a PDF at its blank pages, or takes them out.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .many = true,
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .hidden = true,
};
