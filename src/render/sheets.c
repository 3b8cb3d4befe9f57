#include "render/sheets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/png_writer.h"
#include "pdf/list.h"
#include "reflow/art.h"
#include "render/embedded.h"
#include "render/engine.h"
#include "render/marks.h"

#define MAX_GLYPHS   2000000
#define MAX_PICTURES 500
#define MAX_LINKS    20000

int sheets_open(struct sheets *sheets, struct document *doc, struct err *err)
{
    *sheets = (struct sheets){ .doc = doc, .writer = png_writer_new(err) };
    return sheets->writer ? 0 : -1;
}

void sheets_close(struct sheets *sheets)
{
    png_writer_free(sheets->writer);
    families_free(&sheets->fonts);
}

static void put_glyph(struct sheets *sheets, fz_context *ctx, struct sheet *sheet,
                      const fz_stext_line *line, const fz_stext_char *c)
{
    struct glyph *glyph;
    bool upright = line->wmode == 0 && line->dir.x > 0.98F;
    float from = c->quad.ll.x, to = c->quad.lr.x;

    if (sheet->n_glyphs == MAX_GLYPHS ||
        !LIST_ROOM(sheet->glyphs, sheet->n_glyphs, sheet->cap_glyphs))
        fz_throw(ctx, FZ_ERROR_MEMORY, "glyphs");
    glyph = &sheet->glyphs[sheet->n_glyphs++];
    *glyph = (struct glyph){ .code = (uint32_t) c->c,
                             .color = (uint32_t) c->color & 0xffffff,
                             .x0 = fminf(from, to),
                             .x1 = fmaxf(from, to),
                             .x = c->origin.x,
                             .base = c->origin.y,
                             .size = c->size,
                             .font = (uint16_t) families_find(&sheets->fonts, ctx, c->font) };
    glyph->width = families_width(&sheets->fonts, glyph->font, glyph->code) * c->size;
    if (c->c == ' ' || c->c == 0xa0 || c->c == '\t' || c->c == '\n' || c->c == '\r')
        glyph->flags |= GLYPH_SPACE;
    if (c == line->first_char)
        glyph->flags |= GLYPH_FIRST;
    if (!upright)
        glyph->flags |= GLYPH_TURNED;
}

static void put_text(struct sheets *sheets, fz_context *ctx, struct sheet *sheet,
                     const fz_stext_page *text)
{
    for (const fz_stext_block *block = text->first_block; block; block = block->next)
        if (block->type == FZ_STEXT_BLOCK_TEXT)
            for (const fz_stext_line *line = block->u.t.first_line; line; line = line->next)
                for (const fz_stext_char *c = line->first_char; c; c = c->next)
                    if (isfinite(c->origin.x) && isfinite(c->origin.y) && c->size > 0.01F &&
                        c->size < 2000)
                        put_glyph(sheets, ctx, sheet, line, c);
}

static void put_links(struct sheets *sheets, fz_context *ctx, struct sheet *sheet, fz_page *page)
{
    fz_link *links = fz_load_links(ctx, page);

    for (fz_link *link = links; link && sheet->n_links < MAX_LINKS; link = link->next) {
        struct sheet_link *put;
        bool outside = link->uri && fz_is_external_link(ctx, link->uri);

        if (!link->uri || !LIST_ROOM(sheet->links, sheet->n_links, sheet->cap_links))
            break;
        put = &sheet->links[sheet->n_links];
        *put = (struct sheet_link){ .area = { link->rect.x0, link->rect.y0, link->rect.x1,
                                              link->rect.y1 } };
        if (outside) {
            put->uri = strdup(link->uri);
        } else {
            int number = fz_page_number_from_location(
                ctx, &sheets->doc->pdf->super,
                fz_resolve_link(ctx, &sheets->doc->pdf->super, link->uri, NULL, NULL));
            if (number < 0)
                continue;
            put->page = (size_t) number;
        }
        if (put->uri || !outside)
            sheet->n_links++;
    }
    fz_drop_link(ctx, links);
}

/* Runs the page into the two devices. What was found before an error stays. */
static bool run_page(struct sheets *sheets, fz_page *page, fz_stext_page *text, struct sheet *sheet,
                     struct marks *marks)
{
    fz_context *ctx = sheets->doc->ctx;
    fz_stext_options options = { .flags = FZ_STEXT_PRESERVE_SPANS * 0 };
    fz_device *device = NULL, *tee = NULL;
    fz_cookie cookie = { 0 };
    bool sound = true;

    fz_var(device);
    fz_var(tee);
    fz_var(sound);
    fz_try(ctx)
    {
        device = fz_new_stext_device(ctx, text, &options);
        tee = marks ? marks_device(ctx, marks, device) : fz_keep_device(ctx, device);
        fz_run_page(ctx, page, tee, fz_identity, &cookie);
        fz_close_device(ctx, device);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, tee);
        fz_drop_device(ctx, device);
    }
    fz_catch(ctx)
    {
        sound = false;
    }
    fz_try(ctx)
    {
        put_text(sheets, ctx, sheet, text);
        if (marks)
            put_links(sheets, ctx, sheet, page);
    }
    fz_catch(ctx)
    {
        sound = false;
    }
    return sound && cookie.errors == 0;
}

static void put_pictures(struct sheets *sheets, struct sheet *sheet, const struct marks *marks)
{
    /* The layout points to pictures: those of art, which are added later, must not move them. */
    sheet->pictures = calloc(MAX_PICTURES + ART_CLUSTERS, sizeof *sheet->pictures);
    sheet->cap_pictures = sheet->pictures ? MAX_PICTURES + ART_CLUSTERS : 0;
    for (size_t i = 0; i < marks->n_images && sheet->n_pictures < MAX_PICTURES; i++) {
        const struct mark_image *mark = &marks->images[i];
        struct embedded picture = { .image = mark->image };
        struct sheet_picture *put;
        struct buf bytes = BUF_EMPTY;
        struct err ignored;
        const char *extension;

        if (!LIST_ROOM(sheet->pictures, sheet->n_pictures, sheet->cap_pictures))
            return;
        if (mark->turned) {
            sheets_draw(sheets, sheet, mark->area, 200, false, &ignored);
            continue;
        }
        if (embedded_write(&picture, sheets->doc, sheets->writer, &bytes, &extension, &ignored) <
            0) {
            buf_free(&bytes);
            continue;
        }
        put = &sheet->pictures[sheet->n_pictures++];
        *put = (struct sheet_picture){ .area = mark->area,
                                       .extension = extension,
                                       .n_bytes = bytes.len };
        put->bytes = buf_take(&bytes);
    }
}

int sheets_read(struct sheets *sheets, size_t number, enum sheets_what what, struct sheet *sheet,
                struct err *err)
{
    fz_context *ctx = sheets->doc->ctx;
    struct marks marks = { .sheet = sheet };
    fz_page *page = NULL;
    fz_stext_page *text = NULL;

    *sheet = (struct sheet){ .number = number, .width = 612, .height = 792 };
    fz_var(page);
    fz_var(text);
    fz_try(ctx)
    {
        fz_rect bounds;

        page = fz_load_page(ctx, &sheets->doc->pdf->super, (int) number);
        bounds = fz_bound_page(ctx, page);
        sheet->width = bounds.x1 - bounds.x0;
        sheet->height = bounds.y1 - bounds.y0;
        text = fz_new_stext_page(ctx, bounds);
        sheet->damaged = !run_page(sheets, page, text, sheet, what == SHEETS_ALL ? &marks : NULL);
    }
    fz_always(ctx)
    {
        fz_drop_stext_page(ctx, text);
        fz_drop_page(ctx, page);
    }
    fz_catch(ctx)
    {
        sheet->damaged = true;
    }
    if (what == SHEETS_ALL)
        put_pictures(sheets, sheet, &marks);
    marks_free(&marks, ctx);
    sheet->fonts = sheets->fonts.items;
    sheet->n_fonts = sheets->fonts.n;
    return engine_check_memory(err);
}
