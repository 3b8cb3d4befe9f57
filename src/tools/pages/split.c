/* split: parts of a PDF as documents of their own. */
#include <string.h>
#include <sys/stat.h>

#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "declare/value/page_list.h"
#include "declare/value/text.h"
#include "pdf/extract/part.h"
#include "pdf/forms/unsign.h"

#define NAME_BYTES  300
#define TITLE_BYTES 80
#define LARGE_BYTES 120 /* of a list of pages in a warning */

struct params {
    const char *pages;
    const char *mode;
    int64_t every;
    int64_t maxSize;
    int64_t level;
    const char *blank;
    const char *inputPassword;
};

static const char *const modes[] = { "ranges", "extract", "each", "remove", NULL };
static const char *const blanks[] = { "drop", "keep", "remove", NULL };

static const struct param params[] = {
    PAGES(struct params, pages, "Which pages; mode says what becomes of them."),
    CHOICE(struct params, mode,
           "ranges: one PDF per item of pages. extract: one PDF of them all. each: one PDF per "
           "page. remove: one PDF of all others.",
           .preset = "ranges", .choices = modes),
    INT(struct params, every, "Instead of pages: the number of pages of each part.", .min = 1,
        .max = 1000000),
    INT(struct params, maxSize,
        "Instead of pages: the largest size of a part in bytes; a page that is larger is a part of "
        "its own.",
        .min = 1000, .max = 1e12),
    INT(struct params, level,
        "Instead of pages: a part begins at every entry of this level of the outline.", .min = 1,
        .max = 64),
    CHOICE(struct params, blank,
           "Instead of pages: a part ends at every blank page. drop: without that page. keep: with "
           "it. remove: one PDF of all pages that are not blank.",
           .choices = blanks),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

struct job {
    struct tool_run *run;
    const struct params *params;
    struct pdf_doc doc;
    struct part_source *source;
    size_t *all;             /* every page number, in order */
    size_t n_large;          /* pages that alone are larger than maxSize, */
    char large[LARGE_BYTES]; /* and which: ", 3, 17" */
};

static int write_part(struct job *job, const size_t *pages, size_t n, const char *path,
                      struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc part = { 0 };

    if (part_make(job->source, pages, n, &part, err) < 0)
        return -1;
    return pdf_doc_save(&part, path, NULL, err);
}

/* Gives the part just written its name, and says how far the job is. */
static int name_part(struct job *job, size_t n_pages, const char *label, double done,
                     struct err *err)
{
    char name[NAME_BYTES];

    snprintf(name, sizeof name, "%s_%s.pdf", job->run->stem, label);
    tool_progress(job->run, done);
    return tool_part_done(job->run, name, n_pages, err);
}

static int give_part(struct job *job, const size_t *pages, size_t n, const char *label, double done,
                     struct err *err)
{
    if (write_part(job, pages, n, tool_part(job->run), err) < 0)
        return -1;
    return name_part(job, n, label, done, err);
}

/* "3", "1-3": n pages from page `first` on. */
static void label_of(size_t first, size_t n, char label[static 48])
{
    if (n == 1)
        snprintf(label, 48, "%zu", first + 1);
    else
        snprintf(label, 48, "%zu-%zu", first + 1, first + n);
}

static int give_range(struct job *job, size_t first, size_t n, struct err *err)
{
    char label[48];

    label_of(first, n, label);
    return give_part(job, &job->all[first], n, label,
                     (double) (first + n) / (double) job->doc.n_pages, err);
}

static int check_count(size_t n, struct err *err)
{
    if (n > TOOL_PARTS)
        return err_set(err, ERR_LIMIT_EXCEEDED, "there would be %zu parts, more than %d", n,
                       TOOL_PARTS);
    return 0;
}

static int split_ranges(struct job *job, const struct page_list *list, struct err *err)
{
    if (check_count(list->n_items, err) < 0)
        return -1;
    for (size_t i = 0; i < list->n_items; i++) {
        const struct page_item *item = &list->items[i];

        if (give_part(job, item->pages, item->n, item->label,
                      (double) (i + 1) / (double) list->n_items, err) < 0)
            return -1;
    }
    return tool_parts_done(job->run, err);
}

static int split_each(struct job *job, const struct page_list *list, struct err *err)
{
    size_t n = 0;

    if (check_count(list->n_pages, err) < 0)
        return -1;
    for (size_t i = 0; i < list->n_items; i++) {
        for (size_t k = 0; k < list->items[i].n; k++) {
            char label[48];

            label_of(list->items[i].pages[k], 1, label);
            if (give_part(job, &list->items[i].pages[k], 1, label,
                          (double) ++n / (double) list->n_pages, err) < 0)
                return -1;
        }
    }
    return tool_parts_done(job->run, err);
}

/* One document of n pages. */
static int give_whole(struct job *job, const size_t *pages, size_t n, struct err *err)
{
    if (write_part(job, pages, n, job->run->output, err) < 0)
        return -1;
    return tool_done(job->run, n, err);
}

static int extract(struct job *job, const struct page_list *list, struct err *err)
{
    AUTO_FREE size_t *pages = calloc(list->n_pages, sizeof *pages);
    size_t n = 0;

    if (!pages)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < list->n_items; i++)
        for (size_t k = 0; k < list->items[i].n; k++)
            pages[n++] = list->items[i].pages[k];
    return give_whole(job, pages, n, err);
}

static int remove_pages(struct job *job, const struct page_list *list, struct err *err)
{
    AUTO_FREE bool *out = page_list_map(list, job->doc.n_pages, err);
    size_t n = 0;

    if (!out)
        return -1;
    for (size_t i = 0; i < job->doc.n_pages; i++)
        if (!out[i])
            job->all[n++] = i;
    if (n == 0)
        return err_set(err, ERR_PAGE_OUT_OF_RANGE, "no page would be left");
    return give_whole(job, job->all, n, err);
}

static int split_pages(struct job *job, struct err *err)
{
    AUTO_PAGE_LIST struct page_list list = { 0 };
    const char *mode = job->params->mode;

    if (page_list_resolve(job->params->pages, job->doc.n_pages, &list, err) < 0)
        return -1;
    if (list.clamped)
        tool_warn(job->run, "page_range_clamped",
                  "the page list goes beyond the last page, which is %zu", job->doc.n_pages);
    if (strcmp(mode, "extract") == 0)
        return extract(job, &list, err);
    if (strcmp(mode, "each") == 0)
        return split_each(job, &list, err);
    if (strcmp(mode, "remove") == 0)
        return remove_pages(job, &list, err);
    return split_ranges(job, &list, err);
}

static int split_every(struct job *job, struct err *err)
{
    size_t n = job->doc.n_pages, every = (size_t) job->params->every;

    if (check_count((n + every - 1) / every, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i += every)
        if (give_range(job, i, n - i < every ? n - i : every, err) < 0)
            return -1;
    return tool_parts_done(job->run, err);
}

/* How many bytes n pages from `first` on make. The part stays written. */
static int measure_part(struct job *job, size_t first, size_t n, int64_t *bytes, struct err *err)
{
    const char *path = tool_part(job->run);
    struct stat st;

    if (write_part(job, &job->all[first], n, path, err) < 0)
        return -1;
    if (stat(path, &st) < 0)
        return err_sys(err, "scratch file");
    *bytes = (int64_t) st.st_size;
    return 0;
}

/* Of a list that gets too long the end is left out. */
static void note_large(struct job *job, size_t page)
{
    size_t used = strlen(job->large);
    char next[32];
    size_t n = (size_t) snprintf(next, sizeof next, ", %zu", page + 1);

    job->n_large++;
    if (used + n + sizeof ", ..." <= sizeof job->large)
        memcpy(job->large + used, next, n + 1);
    else if (used && job->large[used - 1] != '.')
        memcpy(job->large + used, ", ...", sizeof ", ...");
}

static void warn_large(const struct job *job)
{
    if (job->n_large == 1)
        tool_warn(job->run, "part_too_large", "page %s alone is larger than maxSize",
                  job->large + 2);
    else if (job->n_large > 1)
        tool_warn(job->run, "part_too_large", "%zu pages are each larger than maxSize: %s",
                  job->n_large, job->large + 2);
}

/*
 * Writes the part that begins at page `first` and stays below maxSize: *n comes as a guess and
 * leaves as its pages. Sizes are only known by writing; the guess is mended by what a page took on
 * the average, and good enough when one more would be too many by that measure.
 */
static int write_fitting(struct job *job, size_t first, size_t *n, struct err *err)
{
    size_t fits = 0, too_many = job->doc.n_pages - first + 1, guess = *n, written = 0;
    int64_t max = job->params->maxSize, bytes = 0;

    while (fits + 1 < too_many) {
        if (guess <= fits || guess >= too_many)
            guess = fits + (too_many - fits) / 2;
        if (measure_part(job, first, guess, &bytes, err) < 0)
            return -1;
        written = guess;
        if (bytes > max)
            too_many = guess;
        else
            fits = guess;
        double average = (double) bytes / (double) guess;
        if (fits == guess && (double) bytes + average > (double) max)
            break;
        double estimate = (double) max / average;
        guess = estimate < (double) too_many ? (size_t) estimate : too_many - 1;
        if (guess == fits)
            guess = fits + 1;
    }
    *n = fits ? fits : 1;
    if (fits == 0)
        note_large(job, first);
    return written == *n ? 0 : measure_part(job, first, *n, &bytes, err);
}

static int split_by_size(struct job *job, struct err *err)
{
    size_t n_pages = job->doc.n_pages, n = n_pages;

    for (size_t i = 0; i < n_pages; i += n) {
        char label[48];

        if (write_fitting(job, i, &n, err) < 0)
            return -1;
        label_of(i, n, label);
        if (name_part(job, n, label, (double) (i + n) / (double) n_pages, err) < 0)
            return -1;
    }
    warn_large(job);
    return tool_parts_done(job->run, err);
}

static int give_chapter(struct job *job, size_t first, size_t n, const struct outline_entry *entry,
                        struct err *err)
{
    char title[TITLE_BYTES + 1] = "";

    if (entry) {
        const char *text = outline_title(entry);
        text_part_name(text, strlen(text), title, TITLE_BYTES);
    }
    if (!*title)
        return give_range(job, first, n, err);
    return give_part(job, &job->all[first], n, title,
                     (double) (first + n) / (double) job->doc.n_pages, err);
}

static int split_by_level(struct job *job, struct err *err)
{
    const struct outline *outline = part_source_outline(job->source);
    size_t n_pages = job->doc.n_pages, first = 0, n_parts = 0;
    AUTO_FREE const struct outline_entry **starts = calloc(n_pages, sizeof *starts);
    const struct outline_entry *entry = NULL;

    if (!starts)
        return pdf_doc_no_memory(err);
    for (size_t i = outline->n; i-- > 0;) {
        const struct outline_entry *e = &outline->items[i];

        if (e->level == job->params->level && e->dest.page != DEST_NOWHERE) {
            n_parts += !starts[e->dest.page];
            starts[e->dest.page] = e; /* the first of several on a page, as it comes last */
        }
    }
    if (n_parts == 0)
        return err_field(err, ERR_UNSUPPORTED_CONTENT, "level",
                         "the document's outline has no entries of level %d that lead to pages",
                         (int) job->params->level);
    if (check_count(n_parts + !starts[0], err) < 0)
        return -1;
    entry = starts[0];
    for (size_t i = 1; i <= n_pages; i++) {
        if (i < n_pages && !starts[i])
            continue;
        if (give_chapter(job, first, i - first, entry, err) < 0)
            return -1;
        first = i;
        entry = i < n_pages ? starts[i] : NULL;
    }
    return tool_parts_done(job->run, err);
}

static int split(struct job *job, struct err *err)
{
    bool reduced = job->params->pages && strcmp(job->params->mode, "remove") == 0;

    job->all = calloc(job->doc.n_pages, sizeof *job->all);
    job->source = part_source_open(&job->doc, reduced ? PART_REDUCED : PART_OF_IT, err);
    if (!job->source)
        return -1;
    if (!job->all)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < job->doc.n_pages; i++)
        job->all[i] = i;
    if (job->params->pages)
        return split_pages(job, err);
    if (job->params->every)
        return split_every(job, err);
    return job->params->maxSize ? split_by_size(job, err) : split_by_level(job, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct job job = { .run = run, .params = p };
    int done;

    if (pdf_doc_open_whole(&job.doc, run->inputs[0].path, p->inputPassword, run, err) < 0)
        return -1;
    unsign_document(&job.doc);
    done = split(&job, err);
    pdf_doc_warn(&job.doc);
    part_source_close(job.source);
    pdf_doc_close(&job.doc);
    free(job.all);
    return done;
}

const struct tool tool_split = {
    .name = "split",
    .summary = "Takes pages out of a PDF, or cuts it into several.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .many = true,
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .one_of = { "pages", "every", "maxSize", "level", "blank" },
    .rule = &rule_split,
    .delegate = { "blank", "split-blank" }, /* which draws pages */
    .run = run,
};
