#include "convert/convert.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/scope.h"
#include "convert/cipher_text.h"
#include "declare/tool_run/page_numbers.h"
#include "engine/layer_fit/layer_survey.h"
#include "engine/mupdf/damage.h"
#include "engine/mupdf/page_selection.h"
#include "engine/mupdf_facts/outline_reader.h"
#include "engine/page_text/page_reader.h"
#include "engine/page_text/reader_pool.h"
#include "layout/blocks/drawings.h"
#include "layout/blocks/rtl_table.h"
#include "layout/blocks/stacking.h"
#include "layout/continuation/page_transition.h"
#include "layout/layout.h"
#include "layout/tables/table_head.h"

#define TRIM_PAGES  16
#define TRIM_LINKS  10000 /* pages of which only links are read: these lead to any other */
#define DRAWING_DPI 150
#define CHART_DPI   200
#define THIN        3 /* points */
#define THIN_DPI    600
#define PAGES_PER_READER                                                                           \
    4 /* least number of pages for each reader, since each opens the document */

const char *const convert_headers[] = { "drop", "keep", NULL };
const char *const convert_ocr[] = { "auto", "off", "force", NULL };

enum survey_headers convert_headers_of(const char *choice)
{
    return strcmp(choice, "keep") == 0 ? SURVEY_HEADERS_KEEP : SURVEY_HEADERS_DROP;
}

/* A page that waits for the next one, onto which its text may continue. */
struct waiting_page {
    struct page_content content;
    struct arena arena;
    struct page page;
    bool there;
};

struct conversion {
    struct tool_run *run;
    const struct convert_options *options;
    struct mupdf_document doc;
    struct page_selection selection;
    struct page_reader reader;
    struct survey survey;
    struct numbering numbering;
    struct header_sets headers;
    const struct writer *writer;
    struct document_facts facts;
    struct outline_list outline;
    char title[512], language[40];
    struct page_font main_font; /* the font of most text */
    size_t *used;               /* characters of each font, on the pages that were sampled */
    size_t n_used, cap_used;
    struct waiting_page waiting;
    float lowest;  /* for page_transition_find */
    bool repaired; /* a reader had to repair the document */
    struct damage_report damaged;
    struct buf pictures;   /* the pages that are pictures without text: "1,2" */
    struct buf unreadable; /* the pages with characters that are not known */
    size_t n_unreadable;
    struct buf cipher;  /* the pages whose text of Type 3 fonts does not read as text */
    struct buf clipped; /* the pages with text that a clip hides */
    size_t n_clipped;
    size_t *layered; /* the pages that are pictures with a text layer */
    size_t n_layered, cap_layered;
};

/* Counts how many characters each of the document's fonts has. */
static int count_fonts(struct conversion *c, const struct page_content *content, struct err *err)
{
    while (c->n_used < content->n_fonts) {
        if (!LIST_ROOM(c->used, c->n_used, c->cap_used))
            return err_sys(err, "fonts");
        c->used[c->n_used++] = 0;
    }
    for (size_t i = 0; i < content->n_glyphs; i++)
        if (content->glyphs[i].font < c->n_used)
            c->used[content->glyphs[i].font]++;
    return 0;
}

/* Samples some pages, evenly spread, for what all pages have in common. */
static int survey_pages(struct conversion *c, struct err *err)
{
    size_t n = c->selection.n, step = n / SURVEY_PAGES + 1;
    int done = 0;

    c->survey.headers = c->options->headers;
    c->survey.n_pages = n;
    /* An odd step samples left and right pages. */
    step += step % 2 == 0;
    for (size_t i = 0; i < n && done == 0; i += step) {
        struct page_content content = { 0 };
        struct arena arena = { 0 };

        done = page_reader_read(&c->reader, c->selection.pages[i], PAGE_READER_TEXT, &content, err);
        if (done == 0)
            done = count_fonts(c, &content, err);
        if (done == 0)
            done = layout_survey(&c->survey, &arena, &content, err);
        page_content_free(&content);
        arena_free(&arena);
    }
    survey_end(&c->survey);
    return done;
}

/* The font of most of the text. The list that it is in moves when it grows. */
static const struct page_font *main_font(struct conversion *c)
{
    size_t most = 0;

    for (size_t i = 1; i < c->n_used; i++)
        if (c->used[i] > c->used[most])
            most = i;
    c->main_font = c->reader.fonts.n ? c->reader.fonts.items[most]
                                     : (struct page_font){ .family = "Times New Roman" };
    return &c->main_font;
}

/* The number of the first page that is converted. */
static int first_number(const struct conversion *c)
{
    return survey_page_number(&c->survey, c->selection.pages[0]);
}

static void read_outline(struct conversion *c)
{
    if (!c->options->outline)
        return;
    c->outline = outline_reader_read(c->doc.ctx, c->doc.pdf, c->doc.n_pages);
    if (c->outline.cut)
        tool_warn(c->run, "outline_cut", "the outline could not be read completely: %zu items were",
                  c->outline.n);
}

static int open_result(struct conversion *c, struct err *err)
{
    read_outline(c);
    mupdf_document_describe(&c->doc, c->title, sizeof c->title, c->language, sizeof c->language);
    c->facts = (struct document_facts){ .title = c->title,
                                        .language = c->language,
                                        .exact = c->options->exact,
                                        .family = main_font(c)->family,
                                        .size = c->survey.body > 0 ? c->survey.body : 10,
                                        .has_head = survey_has_heads(&c->survey),
                                        .has_foot = survey_has_feet(&c->survey),
                                        .head_y = survey_head_y(&c->survey),
                                        .foot_y = survey_foot_place(&c->survey),
                                        .alternates = c->survey.alternates,
                                        .mirrored = c->survey.mirrored,
                                        .first_number = first_number(c),
                                        .n_pages = c->doc.n_pages,
                                        .outline = c->outline.items,
                                        .n_outline = c->outline.n };
    return c->writer->open(c->writer->to, &c->facts, &c->numbering, err);
}

/* Whether all words of a page, of which there are some, are left out as headers and footers. Those
 * of the only page are not. */
static bool is_left_out(const struct conversion *c, const struct page *page)
{
    if (c->survey.headers != SURVEY_HEADERS_DROP || c->options->bare || c->selection.n == 1)
        return false;
    for (size_t i = 0; i < page->n_words; i++)
        if (page->words[i].claimed_by != OWNER_HEADER_FOOTER)
            return false;
    return page->n_words > 0;
}

static void warn_of(struct conversion *c, const struct page_content *content,
                    const struct page *page)
{
    if (page->plain)
        tool_warn(c->run, "simplified_layout",
                  "page %zu could not be laid out without losing text: it became plain paragraphs",
                  content->number + 1);
    if (content->damaged)
        damage_report_add(&c->damaged, content->number, content->damage);
    if (content->n_glyphs == 0 && content->n_pictures > 0)
        buf_printf(&c->pictures, "%s%zu", c->pictures.len ? "," : "", content->number + 1);
    if (content->n_clipped)
        buf_printf(&c->clipped, "%s%zu", c->clipped.len ? "," : "", content->number + 1);
    c->n_clipped += content->n_clipped;
    if (content->n_unreadable)
        buf_printf(&c->unreadable, "%s%zu", c->unreadable.len ? "," : "", content->number + 1);
    c->n_unreadable += content->n_unreadable;
    if (cipher_text_count(content, page))
        buf_printf(&c->cipher, "%s%zu", c->cipher.len ? "," : "", content->number + 1);
    if (is_left_out(c, page))
        tool_warn(c->run, "headers_only",
                  "page %zu has no text but headers and footers, which were left out",
                  content->number + 1);
}

static void add_picture(struct conversion *c, struct page_content *content, struct page *page,
                        const struct drawing *art, enum page_reader_part part)
{
    float least = fminf(area_width(&art->area), area_height(&art->area));
    /* A line of a fraction of a pixel would be a pale one. */
    int dpi = least < THIN ? THIN_DPI : part == PAGE_READER_UNWRITTEN ? CHART_DPI : DRAWING_DPI;
    struct page_picture *picture;
    size_t before = content->n_pictures;
    struct err ignored;

    if (page_reader_draw(&c->reader, content, art->area, dpi, part, &ignored) < 0 ||
        content->n_pictures == before)
        return;
    picture = &content->pictures[content->n_pictures - 1];
    picture->order = art->order;
    picture->vector = part != PAGE_READER_SEEN;
    picture->whole = part == PAGE_READER_UNWRITTEN;
    picture->border = part == PAGE_READER_DRAWINGS &&
                      drawings_are_border(content, &art->area, page->words, page->n_words);
    page->floats[page->n_floats++] =
        (struct block){ .kind = BLOCK_FIGURE, .figure = { .picture = picture, .floating = true } };
}

/* Adds drawings that nothing else shows as pictures below the text, and likewise text that is
 * not readable as characters. */
static void add_drawings(struct conversion *c, struct arena *arena, struct page_content *content,
                         struct page *page)
{
    struct drawing found[PAGE_DRAWINGS];
    size_t n = drawings_find(arena, content, found);

    for (size_t i = 0; i < n; i++)
        add_picture(c, content, page, &found[i],
                    stacking_is_mixed(content, &found[i]) ? PAGE_READER_UNWRITTEN
                                                          : PAGE_READER_DRAWINGS);
    n = drawings_find_unread(arena, content, page->words, page->n_words, found);
    for (size_t i = 0; i < n; i++)
        add_picture(c, content, page, &found[i], PAGE_READER_SEEN);
    stacking_drop_shown(content, page);
    stacking_sort(content, page);
    stacking_bring_front(content, page);
}

/* Draws a chart together with its text. */
static bool draw_chart(void *hand, struct page_content *content, const struct area *area)
{
    struct conversion *c = hand;
    size_t before = content->n_pictures;
    struct err ignored;

    return page_reader_draw(&c->reader, content, *area, CHART_DPI, PAGE_READER_SEEN, &ignored) ==
               0 &&
           content->n_pictures > before;
}

static struct layout layout_of(struct conversion *c)
{
    return (struct layout){ .survey = &c->survey,
                            .numbering = &c->numbering,
                            .exact = c->options->exact,
                            .first_number = first_number(c),
                            .first = c->selection.pages[0],
                            .drawer = { .draw = draw_chart, .hand = c },
                            .watch = c->options->watch };
}

static void free_waiting(struct waiting_page *waiting)
{
    page_content_free(&waiting->content);
    arena_free(&waiting->arena);
    *waiting = (struct waiting_page){ 0 };
}

static int pass_to_writer(struct conversion *c, const struct waiting_page *waiting, struct err *err)
{
    return c->writer->page(c->writer->to, &waiting->page, &waiting->content, err);
}

/* Writes the page that waits; what continues on `next` (or NULL) goes along. */
static int write_waiting(struct conversion *c, struct page *next, struct err *err)
{
    struct layout layout = layout_of(c);
    struct waiting_page *waiting = &c->waiting;
    int done;

    if (!waiting->there)
        return 0;
    waiting->content.fonts = c->reader.fonts.items; /* reading the next page may have moved them */
    if (next && !c->options->exact &&
        page_transition_find(&c->survey, &waiting->arena, waiting->content.fonts, &waiting->page,
                             next, &c->lowest, err) < 0)
        return -1;
    rtl_table_order(&waiting->page);
    table_head_mark(&waiting->page, waiting->content.fonts);
    done = pass_to_writer(c, waiting, err);
    if (done == 1) {
        done = layout_plain(&layout, &waiting->arena, &waiting->content, &waiting->page, err) < 0
                   ? -1
                   : pass_to_writer(c, waiting, err);
        if (next)
            page_transition_undo(next);
    }
    warn_of(c, &waiting->content, &waiting->page);
    free_waiting(waiting);
    return done;
}

/* Notes a page most of whose text is not seen, with a picture. */
static int note_layer(struct conversion *c, const struct page_content *content, struct err *err)
{
    if (content->n_hidden * 2 <= content->n_glyphs || content->n_pictures == 0)
        return 0;
    if (!LIST_ROOM(c->layered, c->n_layered, c->cap_layered))
        return err_sys(err, "pages");
    c->layered[c->n_layered++] = content->number;
    return 0;
}

/* Takes ownership of the content. */
static int convert_page(struct conversion *c, struct page_content *content, struct err *err)
{
    struct layout layout = layout_of(c);
    struct waiting_page next = { .there = true };
    int done = layout_page(&layout, &next.arena, content, &next.page, &c->headers, err);

    next.content = *content;
    if (done == 0) {
        if (c->options->pictures)
            add_drawings(c, &next.arena, &next.content, &next.page);
        done = write_waiting(c, &next.page, err);
    }
    if (done == 0)
        c->waiting = next;
    else
        free_waiting(&next);
    return done;
}

/* Pages are read on all cores if there are enough pages; the analysis, such as how a list
 * continues, is done page after page. */
static int start_readers(struct conversion *c, struct document_pool **readers, struct err *err)
{
    const struct document_pool_pages pages = { .doc = &c->doc,
                                               .path = c->run->inputs[0].path,
                                               .password = c->options->password,
                                               .selection = &c->selection };
    size_t most = c->selection.n / PAGES_PER_READER;
    int cores = c->run->cores, n = most < (size_t) INT_MAX ? (int) most : INT_MAX;

    n = n < cores ? n : cores;
    if (n < 2 || c->options->links) /* which cost less than to open the document again */
        return 0;
    *readers = reader_pool_start(&c->reader, &pages, n, err);
    return *readers ? 0 : -1;
}

static int read_next_page(struct conversion *c, struct document_pool *readers, size_t number,
                          struct page_content *content, struct err *err)
{
    bool repaired = false;
    int done;

    if (!readers)
        return page_reader_read(&c->reader, number, PAGE_READER_ALL, content, err);
    done = reader_pool_next(readers, content, &repaired, err);
    c->repaired |= repaired;
    return done < 0 ? -1 : page_reader_adopt(&c->reader, content, err);
}

static int convert_pages(struct conversion *c, struct err *err)
{
    struct document_pool *readers = NULL;
    size_t n = c->selection.n, trim = c->options->links ? TRIM_LINKS : TRIM_PAGES;
    int done = start_readers(c, &readers, err);

    for (size_t i = 0; done == 0 && i < n; i++) {
        struct page_content content = { 0 };

        done = read_next_page(c, readers, c->selection.pages[i], &content, err);
        if (done == 0)
            done = note_layer(c, &content, err);
        if (done == 0)
            done = convert_page(c, &content, err);
        else
            page_content_free(&content);
        tool_progress(c->run, (double) (i + 1) / (double) n);
        if (i % trim == trim - 1)
            mupdf_document_trim(&c->doc);
    }
    if (done == 0)
        done = write_waiting(c, NULL, err);
    document_pool_free(readers); /* its threads use the document */
    c->doc.recovered |= c->repaired;
    return done;
}

static void warn_of_pictures(struct conversion *c)
{
    if (c->pictures.len == 0)
        return;
    tool_warn(c->run, "no_text_layer", "pages are pictures without text%s: pages %s",
              c->options->bare ? "" : ", and were put into the document as pictures",
              PAGE_NUMBERS(buf_text(&c->pictures), 121));
    tool_page_list(c->run, "pictures", buf_text(&c->pictures));
}

/* Both in one warning, because a run gives one of each code. */
static void warn_of_unreadable(struct conversion *c)
{
    const char *unknown = PAGE_NUMBERS(buf_text(&c->unreadable), 51);
    const char *cipher = PAGE_NUMBERS(buf_text(&c->cipher), 51);

    if (*cipher && *unknown)
        tool_warn(c->run, "unreadable_text",
                  "%zu characters are not known, and became pictures or U+FFFD (pages %s); text of "
                  "Type 3 fonts is guessed, and does not read as text (pages %s)",
                  c->n_unreadable, unknown, cipher);
    else if (*cipher)
        tool_warn(c->run, "unreadable_text",
                  "the file does not rightly say what the fonts of Type 3 of pages %s show: their "
                  "text is guessed and does not read as text",
                  cipher);
    else if (*unknown)
        tool_warn(
            c->run, "unreadable_text",
            "the file does not say what %zu characters are: they became pictures, or U+FFFD in "
            "words (pages %s)",
            c->n_unreadable, unknown);
}

static void warn_of_clipped(struct conversion *c)
{
    if (c->n_clipped)
        tool_warn(c->run, "text_clipped",
                  "%zu characters that are cut off at the edge of their area, and cannot be seen, "
                  "are not in the result: pages %s",
                  c->n_clipped, PAGE_NUMBERS(buf_text(&c->clipped), 121));
}

/* Names the pages whose text layer does not fit their picture. */
static int check_layers(struct conversion *c, struct err *err)
{
    AUTO_FREE enum layer_fault *faults = calloc(c->n_layered + 1, sizeof *faults);
    AUTO_BUF struct buf poor = BUF_EMPTY;

    if (!faults)
        return err_sys(err, "pages");
    if (layer_survey_make(&c->doc, c->layered, c->n_layered, faults, err) < 0)
        return -1;
    layer_survey_list(c->layered, c->n_layered, faults, &poor);
    if (poor.len)
        tool_warn(c->run, "text_layer_poor",
                  "the text that was recognised before does not fit the pictures of its pages, and "
                  "ocr with mode=redo reads them again (%.100s)",
                  buf_text(&poor));
    return 0;
}

static int convert_all(struct conversion *c, struct err *err)
{
    bool unread = c->options->unread;

    if ((!unread && !c->options->links && survey_pages(c, err) < 0) || open_result(c, err) < 0 ||
        (!unread && convert_pages(c, err) < 0))
        return -1;
    mupdf_document_warn(&c->doc);
    damage_report_warn(&c->damaged, c->run, "some of it may be missing");
    warn_of_pictures(c);
    warn_of_unreadable(c);
    warn_of_clipped(c);
    if (check_layers(c, err) < 0)
        return -1;
    return c->writer->end(c->writer->to, &c->headers, c->reader.fonts.items, err);
}

int convert_document(struct tool_run *run, const struct convert_options *options,
                     const struct writer *writer, size_t *n_pages, struct err *err)
{
    struct conversion c = { .run = run, .options = options, .writer = writer };
    int done = -1;

    if (mupdf_document_open(&c.doc, run->inputs[0].path, options->password, run, err) == 0 &&
        page_selection_open(&c.selection, &c.doc, options->pages, err) == 0 &&
        page_reader_open(&c.reader, &c.doc, err) == 0) {
        c.reader.fields = options->fields;
        c.reader.bare = options->bare;
        c.reader.unread = options->links;
        done = convert_all(&c, err);
    }
    *n_pages = c.selection.n;
    free_waiting(&c.waiting);
    outline_reader_free(&c.outline);
    free(c.used);
    free(c.layered);
    buf_free(&c.pictures);
    buf_free(&c.unreadable);
    buf_free(&c.cipher);
    buf_free(&c.clipped);
    numbering_free(&c.numbering);
    arena_free(&c.headers.arena);
    page_reader_close(&c.reader);
    page_selection_free(&c.selection);
    mupdf_document_close(&c.doc);
    return done;
}
