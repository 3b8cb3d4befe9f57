#include "engine/compare/content_score.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/effort.h"
#include "base/fnv.h"
#include "base/scope.h"
#include "engine/mupdf/guard.h"
#include "engine/mupdf/mupdf_document.h"
#include "engine/mupdf_forms/form_values.h"

#define SIDE 400 /* approximate length of a page's longer side in pixels */
/* least sum of darkness (255 minus gray) of a page that is not blank */
#define INK               200
#define CHANCE            50        /* one letter in CHANCE may differ by chance */
#define FEW               25        /* as may a few letters on a page */
#define SHOWN             8         /* number of letters that make a page not blank */
#define IDENTIFYING_WORDS 8         /* number of words that identify a page */
#define KEPT_GLYPH        80        /* bytes of a glyph that is read */
#define PIXELS            100000000 /* a page with a larger picture counts as not blank */

/* Of all that was drawn; not 0. */
static uint64_t hash_of(const fz_pixmap *pixmap)
{
    uint64_t hash = fnv_mix(FNV_START, (uint64_t) pixmap->w);

    for (int y = 0; y < pixmap->h; y++)
        for (int x = 0; x < pixmap->w; x++)
            hash = fnv_mix(hash, pixmap->samples[(ptrdiff_t) y * pixmap->stride + x]);
    return hash | 1;
}

/* Draws a page small. 1: it is not blank. -1: it could not be drawn. */
static int draw_small(fz_context *ctx, fz_page *page, fz_cookie *cookie, uint64_t *picture)
{
    struct guard guard = { .cookie = cookie, .max_pixels = PIXELS };
    fz_pixmap *pixmap = NULL;
    fz_device *device = NULL;
    fz_rect bounds;
    fz_irect box;
    float zoom, longest;
    long ink = 0;
    int failed = 0;

    fz_var(pixmap);
    fz_var(device);
    fz_var(ink);
    fz_var(failed);
    fz_try(ctx)
    {
        bounds = fz_bound_page(ctx, page);
        longest = fz_max(bounds.x1 - bounds.x0, bounds.y1 - bounds.y0);
        zoom = longest > SIDE ? SIDE / longest : 1;
        box = fz_round_rect(fz_transform_rect(bounds, fz_scale(zoom, zoom)));
        pixmap = fz_new_pixmap_with_bbox(ctx, fz_device_gray(ctx), box, NULL, 0);
        fz_clear_pixmap_with_value(ctx, pixmap, 255);
        device = fz_new_draw_device(ctx, fz_scale(zoom, zoom), pixmap);
        guard.box = box;
        guard.zoom = zoom;
        guard_push(ctx, &device, &guard);
        fz_run_page(ctx, page, device, fz_identity, cookie);
        fz_close_device(ctx, device);
        for (int y = 0; y < pixmap->h; y++)
            for (int x = 0; x < pixmap->w; x++)
                ink += 255 - pixmap->samples[(ptrdiff_t) y * pixmap->stride + x];
        *picture = hash_of(pixmap);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        fz_drop_pixmap(ctx, pixmap);
    }
    fz_catch(ctx)
    {
        failed = 1;
    }
    if (failed)
        return -1;
    return ink >= INK || guard.too_large;
}

static void mark_word(struct content_score_page *look, uint64_t before, uint64_t word)
{
    unsigned bit = (unsigned) ((before * FNV_SPREAD + word) * FNV_SPREAD >> 53); /* of 2048 */

    look->words++;
    look->text = (look->text + word) * FNV_SPREAD;
    bits_add(look->marks, bit);
}

static void read_line_words(const fz_stext_line *line, struct content_score_page *look)
{
    uint64_t before = 0, word = FNV_START;

    for (fz_stext_char *c = line->first_char; c; c = c->next) {
        if (c->c > ' ' && c->c != 0xfffd) {
            look->letters++;
            word = fnv_mix(word, (uint64_t) c->c);
        } else if (word != FNV_START) {
            mark_word(look, before, word);
            before = word;
            word = FNV_START;
        }
    }
    if (word != FNV_START)
        mark_word(look, before, word);
}

/* *pictures: whether there are any, which are not looked into. False: it stopped before the end. */
static bool read_words(fz_context *ctx, fz_page *page, fz_cookie *cookie,
                       struct content_score_page *look, bool *pictures)
{
    fz_stext_options options = { .flags = FZ_STEXT_PRESERVE_IMAGES };
    struct guard guard = { .cookie = cookie, .max_pixels = PIXELS, .kept_glyph = KEPT_GLYPH };
    fz_stext_page *text = NULL;
    fz_device *device = NULL;
    bool whole = true;

    fz_var(text);
    fz_var(device);
    *pictures = false;
    fz_try(ctx)
    {
        text = fz_new_stext_page(ctx, fz_bound_page(ctx, page));
        device = fz_new_stext_device(ctx, text, &options);
        guard_push(ctx, &device, &guard);
        fz_run_page(ctx, page, device, fz_identity, cookie);
        fz_close_device(ctx, device);
        for (fz_stext_block *block = text->first_block; block; block = block->next)
            if (block->type == FZ_STEXT_BLOCK_TEXT)
                for (fz_stext_line *line = block->u.t.first_line; line; line = line->next)
                    read_line_words(line, look);
            else
                *pictures = true;
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        fz_drop_stext_page(ctx, text);
    }
    fz_catch(ctx)
    {
        whole = false; /* too few words to compare */
    }
    return whole;
}

static void look_at_content(fz_context *ctx, fz_page *page, struct content_score_page *look)
{
    fz_cookie cookie = { 0 };
    bool pictures, whole = read_words(ctx, page, &cookie, look, &pictures);
    int inked = 1;

    /* Words make a page not blank, except those under the picture of a scan. */
    if (!whole || pictures || look->letters < SHOWN)
        inked = draw_small(ctx, page, &cookie, &look->picture);
    look->inked = inked > 0;
    look->fault = inked < 0 || cookie.errors > 0;
}

static void look_at_page(struct mupdf_document *doc, size_t number, struct content_score_page *look)
{
    fz_context *ctx = doc->ctx;
    fz_page *page = NULL;

    fz_var(page);
    fz_try(ctx)
    {
        page = form_values_load_page(ctx, doc->pdf, (int) number, NULL);
    }
    fz_catch(ctx)
    {
        page = NULL;
    }
    *look = (struct content_score_page){ .fault = true };
    if (!page)
        return;
    effort_begin(1);
    look_at_content(ctx, page, look);
    fz_drop_page(ctx, page);
}

int content_score_measure(const char *path, const char *password, struct tool_run *run,
                          struct content_score *score, struct err *err)
{
    int64_t until = clock_mono_ms() + INT64_C(1000) * CONTENT_SCORE_SECONDS;
    struct tool_run silent = { .memory_refused = run->memory_refused };
    AUTO_MUPDF_DOCUMENT struct mupdf_document doc = { 0 };

    *score = (struct content_score){ 0 };
    if (mupdf_document_open_as_is(&doc, path, password, &silent, err) < 0)
        return -1;
    score->pages = doc.n_pages;
    for (size_t i = 0; i < doc.n_pages && i < CONTENT_SCORE_PAGES && clock_mono_ms() < until; i++) {
        size_t number =
            doc.n_pages <= CONTENT_SCORE_PAGES ? i : i * doc.n_pages / CONTENT_SCORE_PAGES;
        struct content_score_page *page = &score->page[score->seen++];

        look_at_page(&doc, number, page);
        score->inked += page->inked;
        score->words += page->words;
        score->letters += page->letters;
        score->faults += page->fault;
    }
    return 0;
}

static bool clearly_more(size_t a, size_t b)
{
    return a > b + b / CHANCE;
}

bool content_score_is_better(const struct content_score *a, const struct content_score *b)
{
    if (a->inked != b->inked)
        return a->inked > b->inked;
    if (clearly_more(a->letters, b->letters) || clearly_more(b->letters, a->letters))
        return a->letters > b->letters;
    if (a->pages != b->pages)
        return a->pages > b->pages;
    return a->faults < b->faults;
}

bool content_score_page_is_better(const struct content_score_page *a,
                                  const struct content_score_page *b)
{
    if (a->inked != b->inked)
        return a->inked;
    if (clearly_more(a->letters, b->letters + FEW) || clearly_more(b->letters, a->letters + FEW))
        return a->letters > b->letters;
    return b->fault && !a->fault;
}

bool content_score_page_may_be(const struct content_score_page *a,
                               const struct content_score_page *b)
{
    const struct content_score_page *less = a->words < b->words ? a : b;
    int of = 0, common = 0;

    for (size_t i = 0; i < COUNT(less->marks); i++) {
        of += __builtin_popcountll(less->marks[i]);
        common += __builtin_popcountll(a->marks[i] & b->marks[i]);
    }
    return less->words < IDENTIFYING_WORDS || common >= of - of / 4;
}
