#include "page_text/page_text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "mupdf/page_selection.h"
#include "page_text/page_reader.h"
#include "page_text/reader_pool.h"
#include "reflow/art.h"
#include "reflow/layout.h"
#include "reflow/rtl_table.h"
#include "reflow/seam.h"
#include "reflow/stacking.h"

#define TRIM_PAGES 16
#define ART_DPI    150
#define CHART_DPI  200
#define THIN       3 /* points */
#define THIN_DPI   600
#define APART      4 /* least number of pages for each reader, since each opens the document */

/* A page that waits for the next one, onto which its text may continue. */
struct held {
    struct sheet sheet;
    struct arena arena;
    struct page page;
    bool there;
};

struct job {
    struct tool_run *run;
    const struct page_text_options *options;
    struct mupdf_document doc;
    struct page_selection selection;
    struct page_reader reader;
    struct survey survey;
    struct numbering numbering;
    struct furniture furniture;
    const struct writer *writer;
    struct document_facts facts;
    char title[512], language[40];
    struct sheet_font main_font; /* the font of most text */
    size_t *used;                /* characters of each font, on the pages that were sampled */
    size_t n_used, cap_used;
    struct held held;
    float lowest;  /* for seam_find */
    bool repaired; /* a reader had to repair the document */
};

/* Counts how many characters each of the document's fonts has. */
static int count_fonts(struct job *job, const struct sheet *sheet, struct err *err)
{
    while (job->n_used < sheet->n_fonts) {
        if (!LIST_ROOM(job->used, job->n_used, job->cap_used))
            return err_sys(err, "fonts");
        job->used[job->n_used++] = 0;
    }
    for (size_t i = 0; i < sheet->n_glyphs; i++)
        if (sheet->glyphs[i].font < job->n_used)
            job->used[sheet->glyphs[i].font]++;
    return 0;
}

/* Samples some pages, evenly spread, for what all pages have in common. */
static int look_around(struct job *job, struct err *err)
{
    size_t n = job->selection.n, step = n / SURVEY_PAGES + 1;
    int done = 0;

    job->survey.n_pages = n;
    /* An odd step samples left and right pages. */
    step += step % 2 == 0;
    for (size_t i = 0; i < n && done == 0; i += step) {
        struct sheet sheet = { 0 };
        struct arena arena = { 0 };

        done =
            page_reader_read(&job->reader, job->selection.pages[i], PAGE_READER_TEXT, &sheet, err);
        if (done == 0)
            done = count_fonts(job, &sheet, err);
        if (done == 0)
            done = layout_survey(&job->survey, &arena, &sheet, err);
        sheet_free(&sheet);
        arena_free(&arena);
    }
    survey_end(&job->survey);
    return done;
}

/* The font of most of the text. The list that it is in moves when it grows. */
static const struct sheet_font *main_font(struct job *job)
{
    size_t most = 0;

    for (size_t i = 1; i < job->n_used; i++)
        if (job->used[i] > job->used[most])
            most = i;
    job->main_font = job->reader.fonts.n ? job->reader.fonts.items[most]
                                         : (struct sheet_font){ .family = "Times New Roman" };
    return &job->main_font;
}

/* The number of the first page that is converted. */
static int first_number(const struct job *job)
{
    return survey_page_number(&job->survey, job->selection.pages[0]);
}

static int open_result(struct job *job, struct err *err)
{
    mupdf_document_describe(&job->doc, job->title, sizeof job->title, job->language,
                            sizeof job->language);
    job->facts = (struct document_facts){ .title = job->title,
                                          .language = job->language,
                                          .exact = job->options->exact,
                                          .family = main_font(job)->family,
                                          .size = job->survey.body > 0 ? job->survey.body : 10,
                                          .has_head = survey_has_heads(&job->survey),
                                          .has_foot = survey_has_feet(&job->survey),
                                          .head_y = survey_head_y(&job->survey),
                                          .foot_y = survey_foot_place(&job->survey),
                                          .alternates = job->survey.alternates,
                                          .mirrored = job->survey.mirrored,
                                          .first_number = first_number(job) };
    return job->writer->open(job->writer->to, &job->facts, &job->numbering, err);
}

static void warn_of(struct job *job, const struct sheet *sheet, const struct page *page)
{
    if (page->plain)
        tool_warn(job->run, "simplified_layout",
                  "page %zu could not be laid out without losing text: it became plain paragraphs",
                  sheet->number + 1);
    if (sheet->damaged)
        tool_warn(job->run, "page_damaged", "page %zu is damaged: some of it may be missing",
                  sheet->number + 1);
    if (sheet->n_glyphs == 0 && sheet->n_pictures > 0)
        tool_warn(job->run, "no_text_layer",
                  "page %zu is a picture without text: it was put into the document as a picture",
                  sheet->number + 1);
    if (sheet->n_unreadable)
        tool_warn(job->run, "unreadable_text",
                  "page %zu has %zu characters of which the file does not say what they are: they "
                  "became pictures, or U+FFFD in words",
                  sheet->number + 1, sheet->n_unreadable);
}

static void add_picture(struct job *job, struct sheet *sheet, struct page *page,
                        const struct sheet_art *art, enum page_reader_part part)
{
    float least = fminf(area_width(&art->area), area_height(&art->area));
    /* A line of a fraction of a pixel would be a pale one. */
    int dpi = least < THIN ? THIN_DPI : part == PAGE_READER_UNWRITTEN ? CHART_DPI : ART_DPI;
    struct sheet_picture *picture;
    size_t before = sheet->n_pictures;
    struct err ignored;

    if (page_reader_draw(&job->reader, sheet, art->area, dpi, part, &ignored) < 0 ||
        sheet->n_pictures == before)
        return;
    picture = &sheet->pictures[sheet->n_pictures - 1];
    picture->order = art->order;
    picture->vector = part != PAGE_READER_SEEN;
    picture->whole = part == PAGE_READER_UNWRITTEN;
    page->floats[page->n_floats++] =
        (struct block){ .kind = BLOCK_FIGURE, .figure = { .picture = picture, .floating = true } };
}

/* Adds drawings that nothing else shows as pictures behind the text, and likewise text that is
 * not readable as characters. */
static void add_art(struct job *job, struct arena *arena, struct sheet *sheet, struct page *page)
{
    struct sheet_art found[ART_CLUSTERS];
    size_t n = art_find(arena, sheet, found);

    for (size_t i = 0; i < n; i++)
        add_picture(job, sheet, page, &found[i],
                    stacking_is_mixed(sheet, &found[i]) ? PAGE_READER_UNWRITTEN
                                                        : PAGE_READER_DRAWINGS);
    n = art_unread(arena, sheet, page->words, page->n_words, found);
    for (size_t i = 0; i < n; i++)
        add_picture(job, sheet, page, &found[i], PAGE_READER_SEEN);
    stacking_drop_shown(sheet, page);
    stacking_sort(sheet, page);
    stacking_bring_front(sheet, page);
}

/* Draws a chart together with its text. */
static bool draw_chart(void *hand, struct sheet *sheet, const struct area *area)
{
    struct job *job = hand;
    size_t before = sheet->n_pictures;
    struct err ignored;

    return page_reader_draw(&job->reader, sheet, *area, CHART_DPI, PAGE_READER_SEEN, &ignored) ==
               0 &&
           sheet->n_pictures > before;
}

static struct layout layout_of(struct job *job)
{
    return (struct layout){ .survey = &job->survey,
                            .numbering = &job->numbering,
                            .exact = job->options->exact,
                            .first_number = first_number(job),
                            .first = job->selection.pages[0],
                            .draw = draw_chart,
                            .hand = job };
}

static void let_go(struct held *held)
{
    sheet_free(&held->sheet);
    arena_free(&held->arena);
    *held = (struct held){ 0 };
}

static int write_page(struct job *job, const struct held *held, struct err *err)
{
    return job->writer->page(job->writer->to, &held->page, &held->sheet, err);
}

/* Writes the page that waits; what continues on `next` (or NULL) goes along. */
static int write_held(struct job *job, struct page *next, struct err *err)
{
    struct layout layout = layout_of(job);
    struct held *held = &job->held;
    int done;

    if (!held->there)
        return 0;
    held->sheet.fonts = job->reader.fonts.items; /* reading the next page may have moved them */
    if (next && !job->options->exact &&
        seam_find(&job->survey, &held->arena, held->sheet.fonts, &held->page, next, &job->lowest,
                  err) < 0)
        return -1;
    rtl_table_order(&held->page);
    done = write_page(job, held, err);
    if (done == 1) {
        done = layout_plain(&layout, &held->arena, &held->sheet, &held->page, err) < 0
                   ? -1
                   : write_page(job, held, err);
        if (next)
            seam_part(next);
    }
    warn_of(job, &held->sheet, &held->page);
    let_go(held);
    return done;
}

/* Takes ownership of the sheet. */
static int convert_page(struct job *job, struct sheet *sheet, struct err *err)
{
    struct layout layout = layout_of(job);
    struct held next = { .there = true };
    int done = layout_page(&layout, &next.arena, sheet, &next.page, &job->furniture, err);

    next.sheet = *sheet;
    if (done == 0) {
        if (job->options->pictures)
            add_art(job, &next.arena, &next.sheet, &next.page);
        done = write_held(job, &next.page, err);
    }
    if (done == 0)
        job->held = next;
    else
        let_go(&next);
    return done;
}

/* Pages are read on all cores if there are enough pages; the analysis, such as how a list
 * continues, is done page after page. */
static int start_readers(struct job *job, struct reader_pool **readers, struct err *err)
{
    const struct reader_pool_job order = { .reader = &job->reader,
                                           .path = job->run->inputs[0].path,
                                           .password = job->options->password,
                                           .pages = job->selection.pages,
                                           .n_pages = job->selection.n };
    size_t most = job->selection.n / APART;
    int cores = job->run->cores, n = most < (size_t) INT_MAX ? (int) most : INT_MAX;

    n = n < cores ? n : cores;
    if (n < 2)
        return 0;
    *readers = reader_pool_start(&order, n, err);
    return *readers ? 0 : -1;
}

static int read_page(struct job *job, struct reader_pool *readers, size_t number,
                     struct sheet *sheet, struct err *err)
{
    bool repaired = false;
    int done;

    if (!readers)
        return page_reader_read(&job->reader, number, PAGE_READER_ALL, sheet, err);
    done = reader_pool_next(readers, sheet, &repaired, err);
    job->repaired |= repaired;
    return done < 0 ? -1 : page_reader_adopt(&job->reader, sheet, err);
}

static int convert_pages(struct job *job, struct err *err)
{
    struct reader_pool *readers = NULL;
    size_t n = job->selection.n;
    int done = start_readers(job, &readers, err);

    for (size_t i = 0; done == 0 && i < n; i++) {
        struct sheet sheet = { 0 };

        done = read_page(job, readers, job->selection.pages[i], &sheet, err);
        if (done == 0)
            done = convert_page(job, &sheet, err);
        else
            sheet_free(&sheet);
        tool_progress(job->run, (double) (i + 1) / (double) n);
        if (i % TRIM_PAGES == TRIM_PAGES - 1)
            mupdf_document_trim(&job->doc);
    }
    if (done == 0)
        done = write_held(job, NULL, err);
    reader_pool_free(readers); /* its threads use the document */
    job->doc.recovered |= job->repaired;
    return done;
}

static int convert(struct job *job, struct err *err)
{
    if (look_around(job, err) < 0 || open_result(job, err) < 0 || convert_pages(job, err) < 0)
        return -1;
    mupdf_document_warn(&job->doc);
    return job->writer->end(job->writer->to, &job->furniture, job->reader.fonts.items, err);
}

int page_text_convert(struct tool_run *run, const struct page_text_options *options,
                      const struct writer *writer, size_t *n_pages, struct err *err)
{
    struct job job = { .run = run, .options = options, .writer = writer };
    int done = -1;

    if (mupdf_document_open(&job.doc, run->inputs[0].path, options->password, run, err) == 0 &&
        page_selection_open(&job.selection, &job.doc, options->pages, err) == 0 &&
        page_reader_open(&job.reader, &job.doc, err) == 0) {
        job.reader.fields = options->fields;
        done = convert(&job, err);
    }
    *n_pages = job.selection.n;
    let_go(&job.held);
    free(job.used);
    numbering_free(&job.numbering);
    arena_free(&job.furniture.arena);
    page_reader_close(&job.reader);
    page_selection_free(&job.selection);
    mupdf_document_close(&job.doc);
    return done;
}
