#include "engine/page_text/page_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/effort.h"
#include "base/list.h"
#include "engine/mupdf/budgeted_image.h"
#include "engine/mupdf/embedded_image.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/guard.h"
#include "engine/mupdf_facts/glyph_reach.h"
#include "engine/mupdf_forms/form_values.h"
#include "engine/page_text/marks.h"
#include "engine/page_text/page_fields.h"
#include "engine/page_text/page_scale.h"
#include "engine/page_text/page_turn.h"
#include "image/encode/png_writer.h"
#include "layout/page/accents.h"
#include "layout/page/areas.h"
#include "layout/page/duplicate_glyphs.h"
#include "layout/page/letter_spacing.h"
#include "layout/page/rtl_letters.h"
#include "layout/page/vertical_text.h"

#define MAX_GLYPHS   2000000
#define KEPT_GLYPH   80 /* bytes of a glyph that is read */
#define MAX_PICTURES 500
#define MAX_LINKS    20000
#define MAX_NOTES    1000
#define MAX_MARKED   10000 /* lines that are highlighted */
#define PICTURE_DPI  200
#define TOUCHING     1 /* points */

int page_reader_open(struct page_reader *reader, struct mupdf_document *doc, struct err *err)
{
    *reader = (struct page_reader){ .doc = doc, .writer = png_writer_new(err) };
    if (!reader->writer)
        return -1;
    struct_tree_open(&reader->tags, doc);
    for (size_t i = 0; i < reader->tags.n; i++)
        reader->tagged_headings |= reader->tags.items[i].kind == TAG_HEADING;
    return 0;
}

int page_reader_open_again(struct page_reader *reader, struct mupdf_document *doc,
                           const struct page_reader *others, struct err *err)
{
    *reader = (struct page_reader){ .doc = doc,
                                    .writer = png_writer_new(err),
                                    .tags = others->tags,
                                    .tagged_headings = others->tagged_headings,
                                    .fields = others->fields,
                                    .bare = others->bare,
                                    .unread = others->unread,
                                    .lent = true };
    return reader->writer ? 0 : -1;
}

void page_reader_close(struct page_reader *reader)
{
    page_reader_forget(reader);
    if (reader->doc)
        text_reading_free(&reader->reading, reader->doc->ctx);
    if (reader->doc)
        font_shape_free(&reader->shapes, reader->doc->ctx);
    png_writer_free(reader->writer);
    font_map_free(&reader->fonts);
    if (!reader->lent)
        struct_tree_close(&reader->tags);
}

static bool is_space(int c)
{
    return c == ' ' || c == 0xa0 || c == '\t' || c == '\n' || c == '\r';
}

static uint16_t font_of(struct page_reader *reader, fz_context *ctx, struct page_content *content,
                        fz_font *font, bool bold)
{
    if (font != reader->font || bold != reader->font_bold) {
        reader->font_at = font_map_name(content, ctx, font, bold, &reader->shapes);
        reader->font = font;
        reader->font_bold = bold;
        reader->font_scanned =
            strncmp(fz_font_name(ctx, font), PAGE_FONT_SCANNED, strlen(PAGE_FONT_SCANNED)) == 0;
    }
    return (uint16_t) reader->font_at;
}

/* Recognised text is as wide as it was on the scan, whatever its letters: only its height is that
 * of a font. */
static float size_of(const struct page_reader *reader, const fz_stext_char *c)
{
    return reader->font_scanned ? hypotf(c->quad.ul.x - c->quad.ll.x, c->quad.ul.y - c->quad.ll.y)
                                : c->size;
}

/* How unsure it is that this is the character: as the file says of recognised text, or as far as it
 * was found by its look. */
static uint8_t doubt_of(const struct page_reader *reader, const fz_stext_char *c)
{
    if (reader->mark.doubt)
        return reader->mark.doubt;
    return c->c == FZ_REPLACEMENT_CHARACTER ? 100 : text_reading_doubt(c);
}

static void put_glyph(struct page_reader *reader, fz_context *ctx, struct page_content *content,
                      const fz_stext_line *line, const fz_stext_char *c, const fz_stext_char *place,
                      uint32_t tag)
{
    uint16_t font = font_of(reader, ctx, content, c->font, text_reading_is_bold(c));
    struct glyph *glyph;
    bool upright = line->wmode == 0 && line->dir.x > 0.98F;
    float angle = upright ? 0 : atan2f(line->dir.y, line->dir.x);
    /* Rotates the line about the page's corner, so that it is upright. */
    fz_matrix back = upright ? fz_identity : fz_rotate(-angle * 180 / (float) M_PI);
    float from = fz_transform_point(place->quad.ll, back).x;
    float to = fz_transform_point(place->quad.lr, back).x;
    fz_point origin = fz_transform_point(place->origin, back);

    if (content->n_glyphs == MAX_GLYPHS ||
        !LIST_ROOM(content->glyphs, content->n_glyphs, content->cap_glyphs))
        fz_throw(ctx, FZ_ERROR_MEMORY, "glyphs");
    glyph = &content->glyphs[content->n_glyphs++];
    *glyph = (struct glyph){ .code = (uint32_t) c->c,
                             .color = (uint32_t) c->color & 0xffffff,
                             .x0 = fminf(from, to),
                             .x1 = fmaxf(from, to),
                             .angle = angle,
                             .base = origin.y,
                             .size = size_of(reader, c),
                             .tag = tag,
                             .font = font,
                             .reach = glyph_reach_find(ctx, content, c),
                             .doubt = doubt_of(reader, c),
                             .language = reader->language };
    if (line->wmode == 1) {
        /* Characters of vertical writing are upright, one below the other. */
        glyph->angle = 0;
        glyph->x0 = place->origin.x;
        glyph->x1 = place->origin.x + c->size;
        glyph->base = place->origin.y;
    }
    if (is_space(c->c))
        glyph->flags |= GLYPH_SPACE;
    if (place == line->first_char)
        glyph->flags |= GLYPH_FIRST;
    if (!upright && line->wmode == 0)
        glyph->flags |= GLYPH_ROTATED;
}

static bool is_at(fz_point a, fz_point b, float size)
{
    return fabsf(a.x - b.x) < 0.01F * size && fabsf(a.y - b.y) < 0.01F * size;
}

/* The last of several characters of one glyph: the first has the glyph's width, the others none. */
static const fz_stext_char *cluster_end(const fz_stext_char *c)
{
    const fz_stext_char *end = c;

    while (end->next && is_at(end->next->quad.lr, end->next->quad.ll, c->size) &&
           (is_at(end->next->quad.ll, c->quad.lr, c->size) ||
            is_at(end->next->origin, c->origin, c->size)))
        end = end->next;
    return end;
}

/* A glyph does not show several words: if its characters contain a space, the writer included
 * the text of other glyphs, and only the last part is this glyph's. */
static const fz_stext_char *cluster_own(const fz_stext_char *from, const fz_stext_char **last)
{
    const fz_stext_char *own = from;

    if (*last == from || from->next == *last)
        return from;
    for (const fz_stext_char *c = from; c != *last; c = c->next)
        if (is_space(c->c) && !is_space(c->next->c))
            own = c->next;
    for (const fz_stext_char *c = own; c != *last; c = c->next)
        if (is_space(c->next->c)) {
            *last = c;
            break;
        }
    return own;
}

/* Whether the character is on the page, not outside it, as printer's notes are. */
static bool is_seen(const struct page_content *content, const fz_stext_char *c)
{
    return c->origin.x > -c->size && c->origin.x < content->width && c->origin.y > 0 &&
           c->origin.y < content->height + c->size && c->size > 0.01F && c->size < 2000;
}

/* Finds the tag of the next character. */
static uint32_t next_tag(struct page_reader *reader, struct page_content *content,
                         const fz_stext_char *c)
{
    struct tagging_mark mark = tagging_next(reader->tagging, c);
    const char *language = NULL;

    if (mark.mcid != reader->mark.mcid || mark.language != reader->mark.language) {
        reader->tag =
            mark.mcid < 0 ? 0 : struct_tree_find(&reader->tags, reader->page_object, mark.mcid);
        if (mark.mcid >= 0 && !mark.language)
            language = struct_tree_find_language(&reader->tags, reader->page_object, mark.mcid);
        reader->language =
            language ? language_tags_add(&content->languages, language) : mark.language;
    }
    reader->mark = mark;
    return reader->tag;
}

static void put_text_line(struct page_reader *reader, fz_context *ctx, struct page_content *content,
                          const fz_stext_line *line)
{
    for (const fz_stext_char *c = line->first_char, *next; c; c = next) {
        const fz_stext_char *last = cluster_end(c), *own;

        uint32_t tag = next_tag(reader, content, c);

        for (const fz_stext_char *at = c; at != last; at = at->next)
            next_tag(reader, content, at->next);
        next = last->next;
        own = cluster_own(c, &last);
        for (const fz_stext_char *at = own;; at = at->next) {
            if (is_seen(content, c))
                put_glyph(reader, ctx, content, line, at, at == own ? c : at, tag);
            if (at != own && is_seen(content, c))
                content->glyphs[content->n_glyphs - 1].flags |= GLYPH_MORE;
            if (at == last)
                break;
        }
    }
}

static void put_page_text(struct page_reader *reader, fz_context *ctx, struct page_content *content,
                          const fz_stext_page *text)
{
    for (const fz_stext_block *block = text->first_block; block; block = block->next)
        if (block->type == FZ_STEXT_BLOCK_TEXT)
            for (const fz_stext_line *line = block->u.t.first_line; line; line = line->next)
                put_text_line(reader, ctx, content, line);
}

static void put_all_links(struct page_reader *reader, fz_context *ctx, struct page_content *content,
                          const fz_link *links)
{
    for (const fz_link *link = links; link && content->n_links < MAX_LINKS; link = link->next) {
        struct page_link *put;
        bool outside = link->uri && fz_is_external_link(ctx, link->uri);

        if (!link->uri || !LIST_ROOM(content->links, content->n_links, content->cap_links))
            break;
        put = &content->links[content->n_links];
        *put = (struct page_link){ .area = { link->rect.x0, link->rect.y0, link->rect.x1,
                                             link->rect.y1 } };
        if (outside) {
            put->uri = strdup(link->uri);
        } else {
            int number = fz_page_number_from_location(
                ctx, &reader->doc->pdf->super,
                fz_resolve_link(ctx, &reader->doc->pdf->super, link->uri, NULL, NULL));
            if (number < 0)
                continue;
            put->page = (size_t) number;
        }
        if (put->uri || !outside)
            content->n_links++;
    }
}

static void put_links(struct page_reader *reader, fz_context *ctx, struct page_content *content,
                      fz_page *page)
{
    fz_link *links = fz_load_links(ctx, page);

    /* Resolving a link may throw. */
    fz_try(ctx) put_all_links(reader, ctx, content, links);
    fz_always(ctx) fz_drop_link(ctx, links);
    fz_catch(ctx) fz_rethrow(ctx);
}

static void run_contents(struct page_reader *reader, fz_page *page, fz_device *device,
                         struct marks *marks, fz_cookie *cookie)
{
    fz_context *ctx = reader->doc->ctx;

    tagging_run(ctx, reader->tagging, (pdf_page *) page, device, cookie);
    if (marks)
        marks->content->content_order = marks->order;
    fz_run_page_annots(ctx, page, device, fz_identity, cookie);
    fz_run_page_widgets(ctx, page, device, fz_identity, cookie);
}

/* The colour of a highlight, as it looks on white; false: it has none. */
static bool color_of_mark(fz_context *ctx, pdf_annot *annot, uint32_t *color)
{
    float given[4] = { 0 }, rgb[3], opacity = pdf_annot_opacity(ctx, annot);
    int n = 0;

    pdf_annot_color(ctx, annot, &n, given);
    if (n != 1 && n != 3 && n != 4)
        return false;
    fz_convert_color(ctx,
                     n == 1   ? fz_device_gray(ctx)
                     : n == 3 ? fz_device_rgb(ctx)
                              : fz_device_cmyk(ctx),
                     given, fz_device_rgb(ctx), rgb, NULL, fz_default_color_params);
    *color = 0;
    for (int i = 0; i < 3; i++)
        *color = *color << 8 |
                 (uint32_t) ((1 - opacity + opacity * fz_clamp(rgb[i], 0, 1)) * 255 + 0.5F);
    return true;
}

/* Where a highlight covers each line: the text gets that colour, which goes with it. The
 * annotation is not drawn, neither with the page nor as a part of it later. */
static void read_highlights(fz_context *ctx, struct page_content *content, fz_page *page)
{
    for (pdf_annot *annot = pdf_first_annot(ctx, (pdf_page *) page); annot;
         annot = pdf_next_annot(ctx, annot)) {
        uint32_t color;
        int n;

        if (pdf_annot_type(ctx, annot) != PDF_ANNOT_HIGHLIGHT ||
            pdf_annot_flags(ctx, annot) & (PDF_ANNOT_IS_HIDDEN | PDF_ANNOT_IS_NO_VIEW) ||
            !color_of_mark(ctx, annot, &color))
            continue;
        n = pdf_annot_quad_point_count(ctx, annot);
        for (int i = 0; i < n && content->n_fills < MAX_MARKED; i++) {
            fz_rect area = fz_rect_from_quad(pdf_annot_quad_point(ctx, annot, i));

            if (!LIST_ROOM(content->fills, content->n_fills, content->cap_fills))
                return;
            content->fills[content->n_fills++] = (struct fill){
                .area = { area.x0, area.y0, area.x1, area.y1 }, .color = color, .marker = true
            };
        }
        if (n > 0)
            pdf_dict_put_int(ctx, pdf_annot_obj(ctx, annot), PDF_NAME(F),
                             pdf_annot_flags(ctx, annot) | PDF_ANNOT_IS_NO_VIEW);
    }
}

/* The picture that a note of `transcribe` has (pdf/text_layer/doubt.h). What cannot be read is left
 * out. */
static void put_note_picture(struct page_reader *reader, fz_page *page, pdf_obj *annotation,
                             struct page_note *note)
{
    fz_context *ctx = reader->doc->ctx;
    pdf_obj *object = pdf_dict_gets(ctx, annotation, "PLTN_Picture");
    struct embedded_image picture = { .shown = true };
    struct buf bytes = BUF_EMPTY;
    const char *extension = "";
    struct err ignored;

    if (reader->bare || !pdf_is_stream(ctx, object))
        return;
    fz_var(picture.image);
    fz_try(ctx)
    {
        picture.image = pdf_load_image(ctx, ((pdf_page *) page)->doc, object);
    }
    fz_catch(ctx)
    {
        return;
    }
    if (embedded_image_write(&picture, reader->doc, reader->writer, &bytes, &extension, &ignored) ==
            0 &&
        strcmp(extension, "png") == 0) {
        note->n_picture = bytes.len;
        note->columns = picture.image->w;
        note->rows = picture.image->h;
        note->picture = buf_take(&bytes);
    }
    buf_free(&bytes);
    fz_drop_image(ctx, picture.image);
}

/* What people wrote into the document, but for what is drawn as text. */
static void put_notes(struct page_reader *reader, struct page_content *content, fz_page *page)
{
    fz_context *ctx = reader->doc->ctx;

    for (pdf_annot *annot = pdf_first_annot(ctx, (pdf_page *) page);
         annot && content->n_notes < MAX_NOTES; annot = pdf_next_annot(ctx, annot)) {
        const char *text = pdf_annot_contents(ctx, annot);
        pdf_obj *author = pdf_dict_get(ctx, pdf_annot_obj(ctx, annot), PDF_NAME(T));
        fz_rect area = pdf_bound_annot(ctx, annot);
        enum pdf_annot_type type = pdf_annot_type(ctx, annot);

        if (!text || !*text || type == PDF_ANNOT_FREE_TEXT || type == PDF_ANNOT_LINK ||
            type == PDF_ANNOT_WIDGET || type == PDF_ANNOT_POPUP ||
            !LIST_ROOM(content->notes, content->n_notes, content->cap_notes))
            continue;
        content->notes[content->n_notes++] =
            (struct page_note){ .area = { area.x0, area.y0, area.x1, area.y1 },
                                .author = strdup(author ? pdf_to_text_string(ctx, author) : ""),
                                .text = strdup(text) };
        put_note_picture(reader, page, pdf_annot_obj(ctx, annot),
                         &content->notes[content->n_notes - 1]);
    }
}

/* Runs the page into the two devices. What was found before an error stays. */
static bool run_page(struct page_reader *reader, fz_page *page, fz_stext_page *text,
                     struct page_content *content, struct marks *marks, struct guard *guard)
{
    fz_context *ctx = reader->doc->ctx;
    fz_stext_options options = { 0 };
    fz_device *device = NULL, *tee = NULL;
    fz_cookie cookie = { 0 };
    bool sound = true;

    *guard = (struct guard){ .cookie = &cookie,
                             .max_pixels = INFINITY, /* pictures are not decoded here */
                             .kept_glyph = KEPT_GLYPH };
    fz_var(device);
    fz_var(tee);
    fz_var(sound);
    fz_try(ctx)
    {
        device = fz_new_stext_device(ctx, text, &options);
        text_reading_push(ctx, &device, &reader->reading, (pdf_page *) page, text, content);
        tagging_push(ctx, &device, reader->tagging, text, &reader->tags, reader->page_object,
                     &content->languages, &reader->reading.replaced);
        tee = marks ? marks_device(ctx, marks, device) : fz_keep_device(ctx, device);
        guard_push(ctx, &tee, guard);
        run_contents(reader, page, tee, marks, &cookie);
        fz_close_device(ctx, tee);
        fz_close_device(ctx, device); /* also if one in front of it was stopped */
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, tee);
        fz_drop_device(ctx, device);
        text_reading_end(&reader->reading, ctx);
    }
    fz_catch(ctx)
    {
        sound = false;
    }
    text_reading_settle(&reader->reading, ctx);
    fz_try(ctx)
    {
        reader->turn = page_turn_find(text);
        put_page_text(reader, ctx, content, text);
        if (marks)
            content->n_clipped = clipped_text_count(&marks->clipped, content);
        if (marks)
            put_links(reader, ctx, content, page);
        if (marks)
            put_notes(reader, content, page);
    }
    fz_catch(ctx)
    {
        sound = false;
    }
    return sound && cookie.errors == 0;
}

/* Those that have to be drawn, joined where they touch: a photo with its shadow is one picture. */
static size_t find_drawn(const struct marks *marks, struct drawing *drawn)
{
    struct area areas[MAX_PICTURES];
    size_t n = 0;

    for (size_t i = 0; i < marks->n_images && n < MAX_PICTURES; i++)
        if (marks->images[i].drawn)
            areas[n++] = marks->images[i].area;
    n = areas_cluster(areas, n, TOUCHING);
    for (size_t i = 0; i < n; i++) {
        drawn[i] = (struct drawing){ .area = areas[i] };
        for (size_t k = 0; k < marks->n_images; k++)
            if (marks->images[k].drawn && areas_hold(&areas[i], &marks->images[k].area, TOUCHING))
                drawn[i].order = marks->images[k].order;
    }
    return n;
}

/* Whether one that was drawn later shows all of it. */
static bool is_shown(const struct mark_image *mark, const struct drawing *drawn, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (drawn[i].order > mark->order && areas_hold(&drawn[i].area, &mark->area, TOUCHING))
            return true;
    return false;
}

static void put_picture(struct page_reader *reader, struct page_content *content,
                        const struct mark_image *mark)
{
    struct embedded_image picture = { .image = mark->image, .shown = true };
    struct page_picture *put;
    struct buf bytes = BUF_EMPTY;
    struct err ignored;
    const char *extension = "";

    if (!reader->bare && embedded_image_write(&picture, reader->doc, reader->writer, &bytes,
                                              &extension, &ignored) < 0) {
        damage_note(reader->doc->ctx, DAMAGE_IMAGE, budgeted_image_object(mark->image));
        buf_free(&bytes);
        return;
    }
    put = &content->pictures[content->n_pictures++];
    *put = (struct page_picture){ .area = mark->area,
                                  .extension = extension,
                                  .n_bytes = bytes.len,
                                  .columns = mark->image->w,
                                  .rows = mark->image->h,
                                  .order = mark->order };
    put->bytes = buf_take(&bytes);
}

static void put_pictures(struct page_reader *reader, struct page_content *content,
                         const struct marks *marks)
{
    struct drawing drawn[MAX_PICTURES];
    size_t n = find_drawn(marks, drawn);

    /* The layout points to pictures: those that are added later must not move them. */
    content->cap_pictures = MAX_PICTURES + PAGE_ADDED_PICTURES;
    content->pictures = calloc(content->cap_pictures, sizeof *content->pictures);
    if (!content->pictures)
        content->cap_pictures = 0;
    for (size_t i = 0; i < marks->n_images && content->n_pictures < MAX_PICTURES; i++)
        if (content->pictures && !marks->images[i].drawn && !is_shown(&marks->images[i], drawn, n))
            put_picture(reader, content, &marks->images[i]);
    for (size_t i = 0; i < n && content->n_pictures < MAX_PICTURES; i++) {
        struct err ignored;

        if (reader->bare)
            content->pictures[content->n_pictures++] =
                (struct page_picture){ .area = drawn[i].area, .order = drawn[i].order };
        else if (page_reader_draw(reader, content, drawn[i].area, PICTURE_DPI,
                                  PAGE_READER_UNWRITTEN, &ignored) == 0)
            content->pictures[content->n_pictures - 1].order = drawn[i].order;
    }
    page_reader_put_damage(reader, content);
}

static void start_reading(struct page_reader *reader, struct tagging *tagging)
{
    reader->tagging = tagging;
    reader->font = NULL;
    reader->mark = (struct tagging_mark){ .mcid = -1 };
    reader->language = 0;
    reader->tag = 0;
    reader->turn = 0;
    effort_begin(1);
    damage_begin(reader->doc->ctx);
}

/* What does not come with the content of the page. */
static void read_before(struct page_reader *reader, struct page_content *content, fz_page *page)
{
    fz_context *ctx = reader->doc->ctx;

    if (!reader->unread)
        read_highlights(ctx, content, page);
    if (reader->fields != PAGE_FIELDS_NONE)
        page_fields_read(ctx, content, page, reader->fields);
    if (reader->unread)
        put_links(reader, ctx, content, page);
}

static int read_as_it_is(struct page_reader *reader, size_t number, enum page_reader_what what,
                         struct page_content *content, struct err *err)
{
    fz_context *ctx = reader->doc->ctx;
    struct marks marks = { .content = content };
    struct tagging tagging = { 0 };
    struct guard guard = { 0 };
    fz_page *page = NULL;
    fz_stext_page *text = NULL;

    *content = (struct page_content){ .number = number, .width = 612, .height = 792, .scale = 1 };
    start_reading(reader, &tagging);
    fz_var(page);
    fz_var(text);
    fz_try(ctx)
    {
        fz_rect bounds;

        content->scale = page_scale_fit(ctx, reader->doc->pdf, number);
        content->turn = page_turn_made(ctx, reader->doc->pdf, number);
        page = form_values_load_page(ctx, reader->doc->pdf, (int) number, NULL);
        bounds = fz_bound_page(ctx, page);
        reader->page_object = pdf_to_num(ctx, ((pdf_page *) page)->obj);
        content->width = bounds.x1 - bounds.x0;
        content->height = bounds.y1 - bounds.y0;
        if (what == PAGE_READER_ALL)
            read_before(reader, content, page);
        if (!reader->unread) {
            text = fz_new_stext_page(ctx, bounds);
            content->damaged |= !run_page(reader, page, text, content,
                                          what == PAGE_READER_ALL ? &marks : NULL, &guard);
        }
    }
    fz_always(ctx)
    {
        fz_drop_stext_page(ctx, text);
        fz_drop_page(ctx, page);
    }
    fz_catch(ctx)
    {
        content->damaged = true;
    }
    if (reader->unread)
        page_reader_put_damage(reader, content);
    else if (what == PAGE_READER_ALL)
        put_pictures(reader, content, &marks);
    marks_free(&marks, ctx);
    tagging_free(&tagging);
    reader->tagging = NULL;
    if (reader->tags.n_marks)
        content->tags = reader->tags.items;
    content->tagged_headings = reader->tagged_headings;
    if (guard_check(ctx, &guard, number, err) < 0 || engine_check_memory(err) < 0)
        return -1;
    if (content->n_fields && reader->fields != PAGE_FIELDS_LISTED)
        page_fields_fill(content);
    vertical_text_turn(content);
    accents_join(content);
    rtl_letters_join(content);
    letter_spacing_join(content);
    return duplicate_glyphs_drop(content, err);
}

/* Rotates the page by reader->turn. False: it stays as it is. */
static bool turn_page(struct page_reader *reader, size_t number, int *rotate)
{
    fz_context *ctx = reader->doc->ctx;
    bool good = true;

    page_reader_forget(reader);
    fz_var(good);
    fz_try(ctx)
    {
        *rotate = (page_turn_read(ctx, reader->doc->pdf, number) + reader->turn) % 360;
        page_turn_set(ctx, reader->doc->pdf, number, *rotate);
    }
    fz_catch(ctx)
    {
        good = false;
    }
    return good;
}

int page_reader_read_apart(struct page_reader *reader, size_t number, enum page_reader_what what,
                           struct page_content *content, struct err *err)
{
    int done = read_as_it_is(reader, number, what, content, err), rotate = 0;

    if (done < 0 || reader->turn == 0 || !turn_page(reader, number, &rotate))
        return done;
    page_content_free(content);
    done = read_as_it_is(reader, number, what, content, err);
    content->rotated = true;
    content->rotate = rotate;
    return done;
}

int page_reader_adopt(struct page_reader *reader, struct page_content *content, struct err *err)
{
    fz_context *ctx = reader->doc->ctx;
    uint16_t *numbers = calloc(content->n_own_fonts + 1, sizeof *numbers);
    int done = 0;

    if (!numbers)
        return engine_no_memory(err);
    fz_var(done);
    fz_try(ctx)
    {
        font_map_apply(&reader->fonts, ctx, content, numbers);
    }
    fz_catch(ctx)
    {
        done = engine_caught(ctx, "a font", err);
    }
    free(numbers);
    content->fonts = reader->fonts.items;
    content->n_fonts = reader->fonts.n;
    return done;
}

int page_reader_read(struct page_reader *reader, size_t number, enum page_reader_what what,
                     struct page_content *content, struct err *err)
{
    return page_reader_read_apart(reader, number, what, content, err) < 0
               ? -1
               : page_reader_adopt(reader, content, err);
}
