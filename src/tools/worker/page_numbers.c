/* page-numbers: numbers pages, at their edges. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "declare/value/numeral.h"
#include "declare/value/page_list.h"
#include "declare/value/template.h"
#include "pdf/content/overlay.h"
#include "pdf/document/doc.h"
#include "pdf/document/labels.h"
#include "pdf/forms/unsign.h"
#include "pdf/object/key_map.h"
#include "pdf/object/page_view.h"
#include "stamp/draw/layout.h"

#define PAD 0.3 /* margin next to the text, in font sizes: letters may extend beyond it */

struct params {
    const char *position;
    const char *format;
    int64_t start;
    const char *pages;
    int64_t skipFirst;
    double fontSize;
    const char *font;
    uint32_t color;
    double margin;
    bool setPageLabels;
    const char *inputPassword;
};

static const char *const positions[] = { "bottom-center",
                                         "bottom-left",
                                         "bottom-right",
                                         "top-center",
                                         "top-left",
                                         "top-right",
                                         "outer",
                                         "inner",
                                         "1",
                                         "2",
                                         "3",
                                         "4",
                                         "5",
                                         "6",
                                         "7",
                                         "8",
                                         "9",
                                         NULL };

static const char *const words[] = {
    "n", "total", "roman", "ROMAN", "alpha", "file", "date", NULL
};
enum { WORD_TOTAL = 1, WORD_FILE = 5 };

static const struct param params[] = {
    CHOICE(struct params, position,
           "Where: at the bottom or the top; outer and inner are the bottom corners of facing "
           "pages, the first page lying on the right; 1 to 9 from the top left to the bottom "
           "right.",
           .preset = "bottom-center", .choices = positions),
    TEXT(struct params, format,
         "What is written: {n}, {roman}, {ROMAN} or {alpha} stand for the page's number, {total} "
         "for the last page's, {file} for the document's name, {date} for today's date (UTC), {{ "
         "and }} "
         "for braces.",
         .preset = "{n}", .min = 1, .max = 200, .choices = words),
    INT(struct params, start, "The number of the first page that is not skipped.", .preset = "1",
        .min = 0, .max = 1000000),
    PAGES(struct params, pages, "Which pages show their number; the others are counted too.",
          .preset = "all"),
    INT(struct params, skipFirst, "How many pages at the beginning are not counted, like a cover.",
        .preset = "0", .min = 0, .max = 100000),
    NUMBER(struct params, fontSize, "Points.", .preset = "10", .min = 1, .max = 500),
    TEXT(struct params, font,
         "The name of a font that is installed, such as Noto Serif or DejaVu Sans Bold.", .min = 1,
         .max = 100),
    COLOR(struct params, color, "The numbers' colour.", .preset = "#000000"),
    NUMBER(struct params, margin, "Points between the number and the edges of the page.",
           .preset = "24", .min = 0, .max = 1000),
    BOOL(struct params, setPageLabels,
         "Whether readers show these numbers as the pages' labels, too.", .preset = "false"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

/* A text, drawn: pages with the same text share it. */
struct text {
    double width, height; /* of the line */
};

struct job {
    const struct params *p;
    struct tool_run *run;
    size_t n_pages;
    long long number; /* of the page at hand */
    char date[CLOCK_TEXT];
    struct drawing *drawing;
    struct key_map known; /* texts to their pages in the drawing */
    struct text *texts;
    size_t n_texts, cap;
};

static void free_job(struct job *job)
{
    drawing_free(&job->drawing);
    key_map_free(&job->known);
    free(job->texts);
}
#define AUTO_JOB __attribute__((cleanup(free_job)))

static long long last_number(const struct job *job)
{
    return job->p->start + (long long) job->n_pages - job->p->skipFirst - 1;
}

static void fill(void *arg, size_t word, struct buf *out)
{
    const struct job *job = arg;
    const char *style = numeral_style(words[word], strlen(words[word]));

    if (style)
        numeral_put(out, style, job->number);
    else if (word == WORD_TOTAL)
        buf_printf(out, "%lld", last_number(job));
    else if (word == WORD_FILE)
        buf_puts(out, *job->run->inputs[0].name ? job->run->inputs[0].name : job->run->stem);
    else
        buf_puts(out, job->date);
}

/* The first word that is the page's number, where it stands, and *style its own; NULL if there is
 * none. */
static const char *find_number(const char *format, const char **style)
{
    size_t n = 0;

    for (const char *word = format; (word = template_word(word, &n)); word += n) {
        if (numeral_style(word, n)) {
            *style = numeral_style(word, n);
            return word - 1;
        }
    }
    return NULL;
}

static int check_numbers(const struct job *job, struct err *err)
{
    if (job->p->skipFirst >= (long long) job->n_pages)
        return err_field(err, ERR_PAGE_OUT_OF_RANGE, "skipFirst",
                         "skipFirst leaves no page: the document has %zu", job->n_pages);
    return numeral_check(job->p->format, last_number(job), err);
}

static int draw_text(struct job *job, const char *text, struct err *err)
{
    struct layout_style style = { .font = job->p->font, .size = job->p->fontSize };
    AUTO_LAYOUT struct layout *layout = layout_new(job->drawing, text, &style, err);
    double pad = PAD * job->p->fontSize;
    struct layout_size size;

    if (!layout)
        return -1;
    if (!LIST_ROOM(job->texts, job->n_texts, job->cap))
        return pdf_doc_no_memory(err);
    layout_measure(layout, &size);
    drawing_page(job->drawing, size.width + 2 * pad, size.height);
    layout_draw(layout, pad, 0, job->p->color);
    job->texts[job->n_texts++] = (struct text){ size.width + 2 * pad, size.height };
    return 0;
}

/* Which text the page gets. */
static int find_text(struct job *job, size_t page, size_t *index, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    int64_t known;

    job->number = job->p->start + (long long) page - job->p->skipFirst;
    template_expand(job->p->format, words, fill, job, &text);
    if (text.failed || job->known.failed)
        return pdf_doc_no_memory(err);
    if (key_map_find(&job->known, buf_text(&text), text.len, &known)) {
        *index = (size_t) known;
        return 0;
    }
    *index = job->n_texts;
    key_map_put(&job->known, buf_text(&text), text.len, (int64_t) *index);
    if (draw_text(job, buf_text(&text), err) == 0)
        return 0;
    if (err->code == ERR_TEXT_NOT_ENCODABLE)
        snprintf(err->field, sizeof err->field, "format");
    return -1;
}

/* Where along an edge: 0, 0.5 or 1, from the left and from the bottom. */
static void find_position(const char *position, size_t page, double *x, double *y)
{
    bool right = page % 2 == 0; /* of two facing pages */

    if (*position >= '1' && *position <= '9') {
        int column = (*position - '1') % 3, row = (*position - '1') / 3;

        *x = column / 2.0;
        *y = 1 - row / 2.0;
        return;
    }
    *x = strstr(position, "left") ? 0 : strstr(position, "right") ? 1 : 0.5;
    *y = strstr(position, "top") ? 1 : 0;
    if (strcmp(position, "outer") == 0)
        *x = right ? 1 : 0;
    else if (strcmp(position, "inner") == 0)
        *x = right ? 0 : 1;
}

static struct overlay_mark mark_of(const struct job *job, const struct page_view *view, size_t page,
                                   size_t text)
{
    double width = job->texts[text].width, height = job->texts[text].height, x, y;
    double pad = PAD * job->p->fontSize;
    double margin = fmin(job->p->margin, fmin(view->width, view->height) / 4);
    double k = fmin(1, fmin((view->width - 2 * margin) / (width - 2 * pad),
                            (view->height - 2 * margin) / height));
    struct overlay_mark mark = { .form = text };

    if (k < 0.995)
        tool_warn(job->run, "text_shrunk",
                  "with that font size the text does not fit the page: it is smaller there");
    if (margin < job->p->margin)
        tool_warn(job->run, "margin_reduced",
                  "that margin leaves too little of the page: it is smaller there");

    find_position(job->p->position, page, &x, &y);
    double free_x = view->width - 2 * margin - k * (width - 2 * pad);
    double free_y = view->height - 2 * margin - k * height;
    const double place[6] = { k, 0, 0, k, margin + x * free_x - k * pad, margin + y * free_y };
    overlay_multiply(place, view->matrix, mark.matrix);
    return mark;
}

/* Texts for all pages that get one; which[i] becomes the one of page i. False in wanted[i] for all
 * that are skipped. */
static int draw_pages(struct job *job, bool *wanted, size_t *which, struct err *err)
{
    for (size_t i = 0; i < job->n_pages; i++) {
        wanted[i] &= (int64_t) i >= job->p->skipFirst;
        if (wanted[i] && find_text(job, i, &which[i], err) < 0)
            return -1;
        tool_progress(job->run, 0.2 * (double) i / (double) job->n_pages);
    }
    if (job->n_texts == 0)
        return err_field(err, ERR_PAGE_OUT_OF_RANGE, "pages",
                         "all the pages asked for are skipped");
    return 0;
}

static int place(struct job *job, struct overlay *overlay, struct pdf_doc *doc, const bool *wanted,
                 const size_t *which, struct err *err)
{
    AUTO_BUF struct buf pdf = BUF_EMPTY;

    if (drawing_finish(job->drawing, &pdf, err) < 0 || overlay_import(overlay, &pdf, err) < 0)
        return -1;
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        struct page_view view;

        if (!wanted[i])
            continue;
        page_view_read(page, &view);
        struct overlay_mark mark = mark_of(job, &view, i, which[i]);
        if (overlay_place(overlay, page, &mark, err) < 0)
            return -1;
        tool_progress(job->run, 0.2 + 0.5 * (double) i / (double) doc->n_pages);
    }
    return 0;
}

/* The text that readers show before the number, if it is known: "A-" of "A-{n}". */
static size_t prefix_length(const char *format, const char *number)
{
    size_t n = number ? (size_t) (number - format) : 0;

    for (size_t i = 0; i < n; i++)
        if (format[i] <= ' ' || format[i] > '~' || format[i] == '{' || format[i] == '}')
            return 0;
    return number && strchr(number, '}')[1] == '\0' ? n : 0;
}

/* The skipped pages keep the labels they had. */
static int set_labels(const struct job *job, struct pdf_doc *doc, struct err *err)
{
    AUTO_LABELS struct labels labels = { 0 };
    AUTO_FREE size_t *pages = calloc(doc->n_pages, sizeof *pages);
    AUTO_FREE char *zero = NULL;
    size_t from = (size_t) job->p->skipFirst;
    const char *style = "/D", *number = find_number(job->p->format, &style);
    struct label_range range = { .page = from, .start = job->p->start };

    if (!pages)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < doc->n_pages; i++)
        pages[i] = i;
    range.n_prefix = prefix_length(job->p->format, number);
    zero = calloc(1, range.n_prefix + 2);
    if (!zero)
        return pdf_doc_no_memory(err);
    memcpy(zero, job->p->format, range.n_prefix);
    range.prefix = zero;
    if (labels_read(&labels, doc->q, err) < 0)
        return -1;
    if (range.start == 0) {
        /* Labels count from 1. */
        zero[range.n_prefix++] = '0';
        if (labels_set(&labels, &range, err) < 0)
            return -1;
        range = (struct label_range){ from + 1, 1, NULL, zero, range.n_prefix - 1 };
    }
    range.style = style;
    if (range.page < doc->n_pages && labels_set(&labels, &range, err) < 0)
        return -1;
    labels_write(&labels, doc->q, pages, doc->n_pages);
    return 0;
}

static int number_pages(struct job *job, struct pdf_doc *doc, struct err *err)
{
    static const struct overlay_style style = { .artifact = "/PageNum", .name = "/PageNumber" };
    AUTO_PAGE_LIST struct page_list list = { 0 };
    AUTO_FREE bool *wanted = NULL;
    AUTO_FREE size_t *which = calloc(doc->n_pages, sizeof *which);
    AUTO_OVERLAY struct overlay *overlay = NULL;

    job->n_pages = doc->n_pages;
    if (check_numbers(job, err) < 0 ||
        page_list_resolve(job->p->pages, doc->n_pages, &list, err) < 0)
        return -1;
    if (list.clamped)
        tool_warn(job->run, "page_range_clamped",
                  "the page list goes beyond the last page, which is %zu", doc->n_pages);
    wanted = page_list_map(&list, doc->n_pages, err);
    if (!which)
        return pdf_doc_no_memory(err);
    if (!wanted || draw_pages(job, wanted, which, err) < 0)
        return -1;
    overlay = overlay_new(doc->q, &style, err);
    if (!overlay || place(job, overlay, doc, wanted, which, err) < 0)
        return -1;
    if (job->p->setPageLabels && set_labels(job, doc, err) < 0)
        return -1;
    return pdf_doc_save(doc, job->run->output, NULL, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    AUTO_JOB struct job job = { .p = values, .run = run };
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    clock_format(clock_wall_ms(), job.date);
    job.date[10] = '\0'; /* the day */
    job.drawing = drawing_new(err);
    if (!job.drawing || pdf_doc_open(&doc, run->inputs[0].path, job.p->inputPassword, run, err) < 0)
        return -1;
    if (job.p->font && !drawing_has_font(job.drawing, job.p->font))
        tool_warn(run, "font_substituted", "the font is not installed: another one is used");
    unsign_document(&doc);
    if (number_pages(&job, &doc, err) < 0)
        return -1;
    return tool_done(run, doc.n_pages, err);
}

const struct tool tool_page_numbers = {
    .name = "page-numbers",
    .summary = "Writes numbers at the edges of a PDF's pages.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_page_numbers,
    .run = run,
    .threads = true,
};
