#include "engine/layer_fit/layer_words.h"

#include <math.h>
#include <stdlib.h>

#include "base/effort.h"
#include "base/list.h"
#include "engine/mupdf/damage.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/guard.h"
#include "engine/mupdf_forms/form_values.h"

#define WORDS       50000       /* limit of a page's */
#define TOKEN       100         /* characters of a word that are looked at */
#define HASH_START  2166136261U /* FNV-1a */
#define HASH_SPREAD 16777619U
#define KEPT_GLYPH  128  /* bytes of a character that MuPDF keeps */
#define LEVEL       0.98 /* least cosine of the direction of lines whose spaces count */

/* The word that is read. */
struct token {
    uint32_t text[TOKEN];
    size_t n;
    struct layer_words_box box;
};

static double sane(float pixels)
{
    return isfinite(pixels) ? fmax(fmin((double) pixels, 1e6), -1e6) : 0;
}

static void add_character(struct token *token, const fz_stext_char *c)
{
    fz_rect at = fz_rect_from_quad(c->quad);
    struct layer_words_box *box = &token->box;
    bool first = token->n++ == 0;

    if (token->n <= TOKEN)
        token->text[token->n - 1] = (uint32_t) c->c;
    box->left = first ? sane(at.x0) : fmin(box->left, sane(at.x0));
    box->top = first ? sane(at.y0) : fmin(box->top, sane(at.y0));
    box->right = first ? sane(at.x1) : fmax(box->right, sane(at.x1));
    box->bottom = first ? sane(at.y1) : fmax(box->bottom, sane(at.y1));
}

uint32_t layer_words_hash(const uint32_t *word, size_t n)
{
    uint32_t hash = HASH_START;

    for (size_t i = 0; i < n && i < TOKEN; i++)
        hash = (hash ^ word[i]) * HASH_SPREAD;
    return hash;
}

static int end_token(struct token *token, bool followed, struct layer_words *out, struct err *err)
{
    size_t n = token->n < TOKEN ? token->n : TOKEN;

    if (token->n == 0)
        return 0;
    odd_words_count(&out->counts, token->text, n);
    token->box.letters = token->n;
    token->box.followed = followed;
    token->box.hash = layer_words_hash(token->text, n);
    token->n = 0;
    if (out->n == WORDS)
        return 0;
    if (!LIST_ROOM(out->boxes, out->n, out->cap))
        return engine_no_memory(err);
    out->boxes[out->n++] = token->box;
    return 0;
}

static int add_line_words(const fz_stext_line *line, struct layer_words *out, struct err *err)
{
    bool level = line->wmode == 0 && (double) line->dir.x > LEVEL;
    struct token token = { .n = 0 };

    for (const fz_stext_char *c = line->first_char; c; c = c->next) {
        if (c->c > ' ' && c->c != 0xa0)
            add_character(&token, c);
        else if (end_token(&token, level && c->next, out, err) < 0)
            return -1;
    }
    return end_token(&token, false, out, err);
}

static int add_words(const fz_stext_page *text, struct layer_words *out, struct err *err)
{
    for (fz_stext_block *block = text->first_block; block; block = block->next)
        for (fz_stext_line *line = block->type == FZ_STEXT_BLOCK_TEXT ? block->u.t.first_line
                                                                      : NULL;
             line; line = line->next)
            if (add_line_words(line, out, err) < 0)
                return -1;
    return 0;
}

/* Runs the page. What was found before an error stays. */
static fz_stext_page *read_page_text(struct mupdf_document *doc, size_t number, double zoom,
                                     struct guard *guard, struct err *err)
{
    fz_context *ctx = doc->ctx;
    fz_stext_options options = { 0 };
    fz_cookie cookie = { 0 };
    fz_page *page = NULL;
    fz_stext_page *text = NULL;
    fz_device *device = NULL;

    fz_var(page);
    fz_var(text);
    fz_var(device);
    *guard = (struct guard){ .cookie = &cookie, .max_pixels = INFINITY, .kept_glyph = KEPT_GLYPH };
    fz_try(ctx)
    {
        fz_rect bounds;

        page = form_values_load_page(ctx, doc->pdf, (int) number, NULL);
        bounds = fz_bound_page(ctx, page);
        text = fz_new_stext_page(ctx, bounds);
        device = fz_new_stext_device(ctx, text, &options);
        guard_push(ctx, &device, guard);
        fz_run_page_contents(
            ctx, page, device,
            fz_pre_scale(fz_translate(-bounds.x0 * (float) zoom, -bounds.y0 * (float) zoom),
                         (float) zoom, (float) zoom),
            &cookie);
        fz_close_device(ctx, device);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        fz_drop_page(ctx, page);
    }
    fz_catch(ctx)
    {
        engine_caught(ctx, "a page", err);
    }
    guard->cookie = NULL;
    return text;
}

int layer_words_read(struct mupdf_document *doc, size_t page, double zoom, struct layer_words *out,
                     struct err *err)
{
    struct guard guard;
    fz_stext_page *text;
    int done = 0;

    *out = (struct layer_words){ 0 };
    *err = (struct err){ 0 };
    effort_begin(1);
    damage_begin(doc->ctx);
    text = read_page_text(doc, page, zoom, &guard, err);
    if (text)
        done = add_words(text, out, err);
    fz_drop_stext_page(doc->ctx, text);
    return done < 0 ? -1 : guard_check(doc->ctx, &guard, page, err);
}

void layer_words_free(struct layer_words *words)
{
    free(words->boxes);
    *words = (struct layer_words){ 0 };
}
