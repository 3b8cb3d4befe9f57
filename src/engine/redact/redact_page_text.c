#include "engine/redact/redact_page_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/utf8.h"
#include "engine/mupdf/engine.h"

static bool add_character(struct redact_page_text *text, const fz_stext_char *c, fz_matrix back,
                          size_t line)
{
    const fz_point corners[4] = { c->quad.ul, c->quad.ur, c->quad.ll, c->quad.lr };
    struct redact_character *item;

    if (!LIST_ROOM(text->items, text->n, text->cap))
        return false;
    item = &text->items[text->n++];
    *item = (struct redact_character){ .at = text->text.len, .line = line };
    for (int i = 0; i < 4; i++) {
        fz_point p = fz_transform_point(corners[i], back);

        item->quad.at[2 * i] = (double) p.x;
        item->quad.at[2 * i + 1] = (double) p.y;
    }
    utf8_put(c->c > 0 && c->c < 0x110000 ? (uint32_t) c->c : 0xfffd, &text->text);
    return !text->text.failed;
}

static bool add_lines(struct redact_page_text *text, const fz_stext_page *page, fz_matrix back)
{
    size_t n_lines = 0;

    for (const fz_stext_block *block = page->first_block; block; block = block->next) {
        if (block->type != FZ_STEXT_BLOCK_TEXT)
            continue;
        for (const fz_stext_line *line = block->u.t.first_line; line; line = line->next) {
            for (const fz_stext_char *c = line->first_char; c; c = c->next)
                if (!add_character(text, c, back, n_lines))
                    return false;
            buf_putc(&text->text, '\n');
            n_lines++;
        }
    }
    return !text->text.failed;
}

static bool run_text(fz_context *ctx, pdf_document *pdf, int number, bool visible,
                     struct redact_page_text *text)
{
    fz_stext_page *found = NULL;
    fz_stext_options options = { 0 };
    fz_device *device = NULL;
    pdf_page *page = NULL;
    fz_matrix matrix;
    fz_rect box;
    bool ok = false;

    fz_var(found);
    fz_var(device);
    fz_var(page);
    fz_var(ok);
    fz_try(ctx)
    {
        page = pdf_load_page(ctx, pdf, number);
        pdf_page_transform(ctx, page, &box, &matrix);
        text->box[0] = (double) box.x0;
        text->box[1] = (double) box.y0;
        text->box[2] = (double) box.x1;
        text->box[3] = (double) box.y1;
        found = fz_new_stext_page(ctx, fz_transform_rect(box, matrix));
        device = fz_new_stext_device(ctx, found, &options);
        if (visible)
            device->ignore_text = NULL;
        pdf_run_page(ctx, page, device, fz_identity, NULL);
        fz_close_device(ctx, device);
        ok = add_lines(text, found, fz_invert_matrix(matrix));
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        fz_drop_stext_page(ctx, found);
        fz_drop_page(ctx, (fz_page *) page);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
    return ok;
}

int redact_page_text_read(struct redact_page_text *text, struct mupdf_document *doc, size_t page,
                          bool visible, struct err *err)
{
    fz_context *ctx = doc->ctx;
    char what[40];
    bool ok = false;

    text->n = text->text.len = 0;
    snprintf(what, sizeof what, "page %zu", page + 1);
    fz_var(ok);
    fz_try(ctx)
    {
        ok = run_text(ctx, doc->pdf, (int) page, visible, text);
    }
    fz_catch(ctx)
    {
        return engine_caught(ctx, what, err);
    }
    return ok ? 0 : engine_no_memory(err);
}

void redact_page_text_free(struct redact_page_text *text)
{
    buf_free(&text->text);
    free(text->items);
    *text = (struct redact_page_text){ 0 };
}
