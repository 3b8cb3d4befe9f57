#include "engine/page_search/page_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/scope.h"
#include "declare/tool_run/page_numbers.h"
#include "engine/layer_fit/layer_survey.h"
#include "engine/mupdf/damage.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/page_selection.h"
#include "engine/page_image/page_survey.h"
#include "engine/page_search/hit_list.h"
#include "engine/page_search/letter_order.h"
#include "engine/page_search/other_strings.h"
#include "engine/page_search/page_letters.h"
#include "engine/page_search/regions.h"
#include "engine/page_text/page_reader.h"

#define TRIM_PAGES 16
#define SCAN       0.25 /* part of a page that pictures cover if it is a scan with a layer */

/* A search of a document. */
struct looking {
    struct tool_run *run;
    const struct page_search_options *options;
    struct mupdf_document *doc;
    struct page_selection selection;
    struct page_reader reader;
    struct search search, elsewhere; /* on pages, and in the other strings of the document */
    struct hit_list list;
    struct page_letters letters;
    struct letter_order order;
    uint32_t *codes; /* of the letters */
    bool *line;
    size_t cap;
    struct damage_report damaged;
    struct buf pictures; /* pages that are pictures without text: "1,2" */
    size_t *pictured;    /* the pages with text and pictures */
    size_t n_pictured, cap_pictured;
};

/* One text that is searched, and where it is from. */
struct passage {
    struct looking *looking;
    const struct plain_source *source;
    const uint32_t *from;
    size_t page;
    struct err *err;
    int done;
};

static void found(void *arg, const struct search_term *term, size_t begin, size_t end)
{
    struct passage *p = arg;
    struct hit_place place = { .kind = term->kind,
                               .page = p->page,
                               .begin = begin,
                               .end = end,
                               .letters = &p->looking->letters,
                               .from = p->from,
                               .hyphens = term->hyphens };

    if (p->done == 0)
        p->done = hit_list_add(&p->looking->list, p->source, &place, p->err);
}

static int search_passage(struct looking *l, const struct plain_source *source,
                          const uint32_t *from, size_t page, struct err *err)
{
    struct passage passage = { l, source, from, page, err, 0 };

    if (search_source(&l->search, source, found, &passage, err) < 0)
        return -1;
    return passage.done;
}

/* The letters in the order in which they are drawn. Copies of a word do not continue it. */
static int search_drawn(struct looking *l, size_t page, struct err *err)
{
    struct plain_source source;

    if (l->letters.n > l->cap) {
        free(l->codes);
        free(l->line);
        l->cap = l->letters.n;
        l->codes = calloc(l->cap, sizeof *l->codes);
        l->line = calloc(l->cap, sizeof *l->line);
        if (!l->codes || !l->line)
            return err_sys(err, "letters");
    }
    for (size_t i = 0; i < l->letters.n; i++) {
        l->codes[i] = l->letters.items[i].code;
        l->line[i] =
            l->letters.items[i].line || (i > 0 && l->order.copy[i] != l->order.copy[i - 1]);
    }
    source = (struct plain_source){ l->codes, l->line, l->letters.n };
    return search_passage(l, &source, NULL, page, err);
}

/* The letters in the order in which they stand. */
static int search_placed(struct looking *l, size_t page, struct err *err)
{
    struct plain_source source = { l->order.codes, l->order.line, l->order.n };

    return search_passage(l, &source, l->order.from, page, err);
}

static int search_letters(struct looking *l, size_t page, struct err *err)
{
    if (!letter_order_make(&l->order, &l->letters))
        return err_sys(err, "letters");
    return search_drawn(l, page, err) < 0 ? -1 : search_placed(l, page, err);
}

static int note_page(struct looking *l, size_t number, struct err *err)
{
    if (l->letters.damaged)
        damage_report_add(&l->damaged, number, "");
    if (l->letters.n == 0 && l->letters.pictures)
        buf_printf(&l->pictures, "%s%zu", l->pictures.len ? "," : "", number + 1);
    if (l->letters.n_unknown)
        tool_warn(l->run, "unreadable_text",
                  "page %zu has %zu characters of which the file does not say what they are: text "
                  "with them is not found",
                  number + 1, l->letters.n_unknown);
    if (l->letters.n == 0 || !l->letters.pictures)
        return 0;
    if (!LIST_ROOM(l->pictured, l->n_pictured, l->cap_pictured))
        return err_sys(err, "pages");
    l->pictured[l->n_pictured++] = number;
    return 0;
}

static int search_page(struct looking *l, size_t number, struct err *err)
{
    bool replaced;

    if (l->search.n == 0)
        return 0;
    if (page_letters_read(&l->reader, number, PAGE_LETTERS_REPLACED, &l->letters, err) < 0)
        return -1;
    if (note_page(l, number, err) < 0)
        return -1;
    replaced = l->letters.replaced;
    if (search_letters(l, number + 1, err) < 0)
        return -1;
    /* What is drawn where other text is in its place. */
    if (!replaced)
        return 0;
    if (page_letters_read(&l->reader, number, PAGE_LETTERS_DRAWN, &l->letters, err) < 0)
        return -1;
    return search_letters(l, number + 1, err);
}

static int search_pages(struct looking *l, struct err *err)
{
    for (size_t i = 0; i < l->selection.n; i++) {
        if (search_page(l, l->selection.pages[i], err) < 0)
            return -1;
        tool_progress(l->run, (double) (i + 1) / (double) (l->selection.n + 1));
        if (i % TRIM_PAGES == TRIM_PAGES - 1)
            mupdf_document_trim(l->doc);
    }
    return 0;
}

/* The pages that show a picture and have text that is not seen. */
static int find_layers(struct looking *l, size_t *pages, size_t *n, struct err *err)
{
    for (size_t i = 0; i < l->n_pictured; i++) {
        struct page_survey survey;

        if (page_survey_make(&survey, l->doc, l->pictured[i], err) < 0)
            return -1;
        if (survey.hidden > survey.shown && survey.pictures > SCAN)
            pages[(*n)++] = l->pictured[i];
    }
    return 0;
}

/* Names the scans whose text layer does not fit: what is seen on them may not be found. */
static int check_scans(struct looking *l, bool *any, struct err *err)
{
    AUTO_FREE size_t *pages = calloc(l->n_pictured + 1, sizeof *pages);
    AUTO_FREE enum layer_fault *faults = calloc(l->n_pictured + 1, sizeof *faults);
    AUTO_BUF struct buf poor = BUF_EMPTY;
    size_t n = 0;

    if (!pages || !faults)
        return err_sys(err, "pages");
    if (find_layers(l, pages, &n, err) < 0 || layer_survey_make(l->doc, pages, n, faults, err) < 0)
        return -1;
    layer_survey_list(pages, n, faults, &poor);
    if (poor.len)
        tool_warn(
            l->run, "text_layer_poor",
            "what is seen on pages whose earlier text layer does not fit may not be found: ocr "
            "with mode=redo reads them again (%.120s)",
            buf_text(&poor));
    *any = poor.len > 0;
    return 0;
}

/* Says that there are pictures of text which can be read by another program. */
static void note_blindness(const struct looking *l, bool poor)
{
    if (l->options->blind && (poor || l->pictures.len))
        tool_warn(l->run, "ocr_not_installed",
                  "pages that are pictures were not read: platen-ocr is not installed on this "
                  "server");
}

static int search_all(struct looking *l, struct err *err)
{
    bool poor = false;

    if (regions_find(l->options->regions, l->doc, &l->list, err) < 0 || search_pages(l, err) < 0 ||
        (l->search.n && other_strings_search(l->doc, &l->elsewhere, &l->list, err) < 0))
        return -1;
    damage_report_warn(&l->damaged, l->run, "text in it may not be found");
    if (l->pictures.len) {
        tool_warn(l->run, "no_text_layer", "pages are pictures without text: pages %s",
                  PAGE_NUMBERS(buf_text(&l->pictures), 121));
        tool_page_list(l->run, "pictures", buf_text(&l->pictures));
    }
    if (l->options->layered)
        return 0;
    if (check_scans(l, &poor, err) < 0)
        return -1;
    note_blindness(l, poor);
    return 0;
}

static void close_all(struct looking *l)
{
    search_close(&l->search);
    search_close(&l->elsewhere);
    hit_list_free(&l->list);
    letter_order_free(&l->order);
    page_letters_free(&l->letters);
    free(l->codes);
    free(l->pictured);
    free(l->line);
    buf_free(&l->pictures);
    page_reader_close(&l->reader);
    page_selection_free(&l->selection);
}

int page_search_document(struct tool_run *run, struct mupdf_document *doc,
                         const struct page_search_options *options, struct redact_hits *hits,
                         size_t *n_pages, struct err *err)
{
    struct looking l = { .run = run, .options = options, .doc = doc, .list = { .hits = hits } };
    struct search_wish elsewhere = options->wish;
    int done = -1;

    elsewhere.joined = true;
    engine_own(doc->ctx)->soft_hyphens = true;
    if (search_open(&l.search, &options->wish, err) == 0 &&
        search_open(&l.elsewhere, &elsewhere, err) == 0 &&
        page_selection_open(&l.selection, doc, options->pages, err) == 0 &&
        page_reader_open(&l.reader, doc, err) == 0)
        done = search_all(&l, err);
    *n_pages = l.selection.n;
    close_all(&l);
    return done;
}

int page_search_run(struct tool_run *run, const struct page_search_options *options,
                    struct redact_hits *hits, size_t *n_pages, struct err *err)
{
    struct mupdf_document doc = { 0 };
    const char *path = options->path ? options->path : run->inputs[0].path;
    int done = mupdf_document_open(&doc, path, options->password, run, err);

    *n_pages = 0;
    if (done == 0)
        done = page_search_document(run, &doc, options, hits, n_pages, err);
    if (done == 0)
        mupdf_document_warn(&doc);
    mupdf_document_close(&doc);
    return done;
}
