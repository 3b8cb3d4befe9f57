/* compare: what differs between two versions of a document: words that were added, removed, changed
 * and moved, pages that were inserted and removed, pictures and drawings that look different. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "convert/convert.h"
#include "declare/tool/tool.h"
#include "declare/tool_run/run.h"
#include "engine/compare/page_areas.h"
#include "pdf/document/doc.h"
#include "pdf/properties/note_marks.h"
#include "write/json/comparison.h"
#include "write/json/word_collector.h"

#define NOTE_TITLE    "compare"
#define NOTE_BYTES    3000 /* of an old text in a note */
#define READING_SHARE 0.4  /* of the job's progress, for each of the documents */

enum { IGNORE_CASE = 1, IGNORE_PUNCTUATION = 2, IGNORE_HEADERS = 4 };

struct params {
    const char *outputFormat;
    bool appearance;
    uint64_t ignore;
    const char *pages;
    const char *inputPassword, *inputPassword2;
};

/* In the order of IGNORE_... */
static const char *const ignored[] = { "case", "punctuation", "headers", NULL };

static const char *const formats[] = { "json", "pdf", NULL };

static const struct param params[] = {
    CHOICE(
        struct params, outputFormat,
        "json: a list of what differs, with places; pdf: the newer document with marks and notes.",
        .preset = "json", .choices = formats),
    BOOL(struct params, appearance,
         "Whether it is compared, too, what pictures, drawings, fonts and colours look like.",
         .preset = "true"),
    CHOICES(struct params, ignore,
            "What makes no difference, divided by commas: case: capital letters; punctuation; "
            "headers: headers and footers. Spaces, line breaks and places never do.",
            .choices = ignored),
    PAGES(struct params, pages, "Which pages of both documents.", .preset = "all"),
    SECRET(struct params, inputPassword,
           "The password that opens those of the documents that are encrypted.", .max = 1000),
    SECRET(struct params, inputPassword2,
           "The password that opens the newer document, if it has another one than the older.",
           .max = 1000),
};

/* A comparison of run->inputs[0], the older document, with run->inputs[1]. */
struct comparing {
    struct tool_run *run;
    const struct params *params;
    struct text_words old, new;
    struct differences found;
};

static const char *password_of(const struct comparing *c, size_t file)
{
    const struct params *p = c->params;

    return file == 1 && p->inputPassword2 ? p->inputPassword2 : p->inputPassword;
}

static int read_words(struct comparing *c, size_t file, struct text_words *list, struct err *err)
{
    struct tool_run run = *c->run;
    struct writer writer = word_collector(list);
    struct convert_options options = { .password = password_of(c, file),
                                       .pages = c->params->pages,
                                       .exact = true,
                                       .bare = true,
                                       .headers = SURVEY_HEADERS_DROP };
    size_t n_pages;

    run.inputs += file;
    run.n_inputs = 1;
    run.about = (unsigned) file + 1;
    run.progress_from = READING_SHARE * (double) file;
    run.progress_share = READING_SHARE;
    return convert_document(&run, &options, &writer, &n_pages, err);
}

/* Pages are drawn both for pairing those without text and for what looks different. */
static int compare_looks(struct comparing *c, const struct difference_options *options,
                         struct err *err)
{
    AUTO_PAGE_LOOK struct page_look look = { 0 };
    struct tool_run rest = *c->run;
    struct page_areas areas = { .look = &look, .old = &c->old, .new = &c->new, .run = &rest };
    struct page_matcher matcher = page_areas_matcher(&areas);
    const char *const passwords[] = { password_of(c, 0), password_of(c, 1) };

    rest.progress_from = 2 * READING_SHARE;
    rest.progress_share = 1 - 2 * READING_SHARE;
    if (page_look_open(&look, c->run->inputs[0].path, c->run->inputs[1].path, passwords, c->run,
                       err) < 0 ||
        differences_find(&c->old, &c->new, options, &matcher, &c->found, err) < 0)
        return -1;
    return c->params->appearance ? page_areas_find(&areas, &c->found, err) : 0;
}

static void put_figures(const struct comparing *c)
{
    struct comparison_counts counts;

    comparison_count(&c->found, &counts);
    tool_figure(c->run, "partsAdded", (int64_t) counts.added);
    tool_figure(c->run, "partsRemoved", (int64_t) counts.removed);
    tool_figure(c->run, "partsChanged", (int64_t) counts.changed);
    tool_figure(c->run, "partsMoved", (int64_t) counts.moved);
    tool_figure(c->run, "areasChanged", (int64_t) counts.areas);
    tool_figure(c->run, "pagesAdded", (int64_t) counts.pages_added);
    tool_figure(c->run, "pagesRemoved", (int64_t) counts.pages_removed);
    tool_figure(c->run, "pagesMoved", (int64_t) counts.pages_moved);
    if (c->found.coarse)
        tool_warn(c->run, "comparison_coarse",
                  "the documents repeat words in another order, and parts of them were "
                  "compared roughly: some words may be listed that are the same");
}

static int write_json(struct comparing *c, struct err *err)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    AUTO_CLOSE int fd = open(c->run->output, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "result");
    comparison_put(&c->old, &c->new, &c->found, &out);
    if (out.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the comparison needs more memory than a job has");
    if (fdio_write(fd, out.data, out.len, err) < 0)
        return -1;
    return tool_done(c->run, c->new.n_pages, err);
}

/* Marks with the boxes of a span: one on each page. */
static int mark_span(struct pdf_doc *doc, const struct comparing *c, const struct difference *d,
                     struct note_mark mark, struct err *err)
{
    size_t n = comparison_boxes(&c->new, &d->new, d->edge, NULL, 0), from = 0;
    AUTO_FREE struct comparison_box *boxes = calloc(n + 1, sizeof *boxes);
    AUTO_FREE struct note_box *places = calloc(n + 1, sizeof *places);

    if (!boxes || !places)
        return pdf_doc_no_memory(err);
    comparison_boxes(&c->new, &d->new, d->edge, boxes, n);
    for (size_t i = 0; i < n; i++)
        places[i] =
            (struct note_box){ boxes[i].box.x0, boxes[i].box.y0, boxes[i].box.x1, boxes[i].box.y1 };
    for (size_t i = 1; i <= n; i++) {
        if (i < n && boxes[i].page == boxes[from].page)
            continue;
        mark.page = c->new.pages[boxes[from].page].number;
        mark.boxes = places + from;
        mark.n_boxes = i - from;
        if (note_marks_add(doc, &mark, err) < 0)
            return -1;
        from = i;
    }
    return 0;
}

/* Appends what was there before, or the beginning of it. */
static void put_old_text(const struct comparing *c, const struct difference *d, struct buf *out)
{
    size_t n;

    comparison_text(&c->old, &d->old, d->edge, out);
    n = out->len;
    if (n <= NOTE_BYTES)
        return;
    for (n = NOTE_BYTES; n > 0 && ((unsigned char) out->data[n] & 0xc0) == 0x80;)
        n--;
    out->len = n;
    buf_puts(out, "\xe2\x80\xa6");
}

static int mark_difference(struct pdf_doc *doc, const struct comparing *c,
                           const struct difference *d, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct note_mark mark = { .kind = NOTE_HIGHLIGHT, .title = NOTE_TITLE };
    static const double colors[][3] = {
        { 0.55, 0.9, 0.55 }, { 0.85, 0.1, 0.1 }, { 1, 0.85, 0.3 }, { 0.6, 0.75, 1 }
    };

    memcpy(mark.color, colors[d->kind], sizeof mark.color);
    if (d->kind == DIFFERENCE_ADDED) {
        buf_puts(&text, "Added.");
    } else if (d->kind == DIFFERENCE_MOVED) {
        buf_printf(&text, "Moved here from page %zu.", c->old.pages[d->old.page].number + 1);
    } else {
        buf_puts(&text, d->kind == DIFFERENCE_REMOVED ? "Removed: " : "Before: ");
        put_old_text(c, d, &text);
    }
    if (d->kind == DIFFERENCE_REMOVED)
        mark.kind = NOTE_CARET;
    if (text.failed)
        return pdf_doc_no_memory(err);
    mark.text = buf_text(&text);
    return mark_span(doc, c, d, mark, err);
}

static int mark_area(struct pdf_doc *doc, const struct comparing *c,
                     const struct changed_area *area, struct err *err)
{
    const struct note_box box = { area->box.x0, area->box.y0, area->box.x1, area->box.y1 };
    const struct note_mark mark = { .kind = NOTE_FRAME,
                                    .page = c->new.pages[c->found.pairs[area->pair].new].number,
                                    .boxes = &box,
                                    .n_boxes = 1,
                                    .color = { 0.8, 0.1, 0.7 },
                                    .title = NOTE_TITLE,
                                    .text = "This looked different before." };

    return note_marks_add(doc, &mark, err);
}

/* Marks a page that only one document has, if no word of it is marked. `next`: the page of the new
 * document that follows it. */
static int mark_page(struct pdf_doc *doc, const struct comparing *c, const struct page_pair *pair,
                     uint32_t next, struct err *err)
{
    bool is_new = pair->old == DIFFERENCE_NOWHERE, is_old = pair->new == DIFFERENCE_NOWHERE;
    struct note_box box = { 20, 20, 20, 40 };
    struct note_mark mark = { .kind = is_new ? NOTE_FRAME : NOTE_CARET,
                              .boxes = &box,
                              .n_boxes = 1,
                              .color = { 0.85, 0.1, 0.1 },
                              .title = NOTE_TITLE };
    char text[120];

    if (is_new == is_old || c->new.n_pages == 0 ||
        (is_new ? c->new.pages[pair->new].n : c->old.pages[pair->old].n) > 0)
        return 0;
    if (next >= c->new.n_pages)
        next = (uint32_t) c->new.n_pages - 1;
    mark.page = c->new.pages[is_new ? pair->new : next].number;
    if (is_new)
        box = (struct note_box){ 2, 2, (double) c->new.pages[pair->new].width - 2,
                                 (double) c->new.pages[pair->new].height - 2 };
    snprintf(text, sizeof text, "Page %zu of the older document was here.",
             is_old ? c->old.pages[pair->old].number + 1 : 0);
    mark.text = is_new ? "This page is new." : text;
    return note_marks_add(doc, &mark, err);
}

static int mark_all(struct pdf_doc *doc, const struct comparing *c, struct err *err)
{
    uint32_t next = 0;

    for (size_t i = 0; i < c->found.n; i++)
        if (mark_difference(doc, c, &c->found.items[i], err) < 0)
            return -1;
    for (size_t i = 0; i < c->found.n_areas; i++)
        if (mark_area(doc, c, &c->found.areas[i], err) < 0)
            return -1;
    for (size_t i = 0; i < c->found.n_pairs; i++) {
        if (c->found.pairs[i].new != DIFFERENCE_NOWHERE)
            next = c->found.pairs[i].new + 1;
        if (mark_page(doc, c, &c->found.pairs[i], next, err) < 0)
            return -1;
    }
    return 0;
}

/* The newer document with the marks. */
static int write_marked(struct comparing *c, struct err *err)
{
    struct tool_run newer = *c->run;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    newer.about = 2;
    if (pdf_doc_open(&doc, c->run->inputs[1].path, password_of(c, 1), &newer, err) < 0 ||
        mark_all(&doc, c, err) < 0 || pdf_doc_save(&doc, c->run->output, NULL, err) < 0)
        return -1;
    return tool_done_as(c->run, "pdf", doc.n_pages, err);
}

static int compare_files(struct comparing *c, struct err *err)
{
    const struct difference_options options = {
        .ignore_case = (c->params->ignore & IGNORE_CASE) != 0,
        .ignore_punctuation = (c->params->ignore & IGNORE_PUNCTUATION) != 0,
        .ignore_edges = (c->params->ignore & IGNORE_HEADERS) != 0
    };

    if (read_words(c, 0, &c->old, err) < 0 || read_words(c, 1, &c->new, err) < 0 ||
        compare_looks(c, &options, err) < 0)
        return -1;
    put_figures(c);
    return strcmp(c->params->outputFormat, "pdf") == 0 ? write_marked(c, err) : write_json(c, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    struct comparing c = { .run = run, .params = values };
    int done = compare_files(&c, err);

    differences_free(&c.found);
    text_words_free(&c.old);
    text_words_free(&c.new);
    return done;
}

const struct tool tool_compare = {
    .name = "compare",
    .summary = "Finds what differs between two versions of a PDF: words, pages, pictures.",
    .accepts = { "pdf" },
    .gives = "json",
    .gives_also = { "pdf" },
    .min_files = 2,
    .max_files = 2,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .threads = true,
};
