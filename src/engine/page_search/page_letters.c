#include "engine/page_search/page_letters.h"

#include <math.h>
#include <stdlib.h>

#include "base/effort.h"
#include "base/list.h"
#include "engine/mupdf/damage.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/guard.h"
#include "engine/mupdf_forms/form_values.h"

#define MAX_LETTERS 4000000
#define KEPT_GLYPH  80 /* bytes of a glyph that is read */
#define HIDING      (PDF_ANNOT_IS_INVISIBLE | PDF_ANNOT_IS_HIDDEN | PDF_ANNOT_IS_NO_VIEW)

static void put_quad(struct page_letter *letter, fz_quad quad, fz_matrix back)
{
    const fz_point corners[] = { quad.ul, quad.ur, quad.ll, quad.lr };

    for (size_t i = 0; i < 4; i++) {
        fz_point at = fz_transform_point(corners[i], back);

        letter->quad[2 * i] = at.x;
        letter->quad[2 * i + 1] = at.y;
    }
}

static bool is_unknown(int code)
{
    return code == FZ_REPLACEMENT_CHARACTER || (code >= 0xe000 && code <= 0xf8ff) ||
           code >= 0xf0000;
}

static void put_letters(fz_context *ctx, struct page_letters *letters, const fz_stext_line *line,
                        fz_matrix back)
{
    for (const fz_stext_char *c = line->first_char; c; c = c->next) {
        struct page_letter *letter;

        if (letters->n == MAX_LETTERS || !LIST_ROOM(letters->items, letters->n, letters->cap))
            fz_throw(ctx, FZ_ERROR_MEMORY, "letters");
        letter = &letters->items[letters->n++];
        *letter = (struct page_letter){ .code = (uint32_t) c->c, .line = c == line->first_char };
        put_quad(letter, c->quad, back);
        letters->n_unknown += is_unknown(c->c);
    }
}

static void put_text(fz_context *ctx, struct page_letters *letters, const fz_stext_page *text,
                     fz_matrix ctm, fz_rect box)
{
    fz_matrix back = fz_invert_matrix(ctm);

    for (const fz_stext_block *block = text->first_block; block; block = block->next) {
        letters->pictures |= block->type == FZ_STEXT_BLOCK_IMAGE;
        if (block->type == FZ_STEXT_BLOCK_TEXT)
            for (const fz_stext_line *line = block->u.t.first_line; line; line = line->next)
                put_letters(ctx, letters, line, back);
    }
    letters->box[0] = box.x0;
    letters->box[1] = box.y0;
    letters->box[2] = box.x1;
    letters->box[3] = box.y1;
}

/* Annotations that are not shown have text, too. */
static void show_annotations(fz_context *ctx, pdf_annot *annot)
{
    for (; annot; annot = pdf_next_annot(ctx, annot)) {
        int flags = pdf_annot_flags(ctx, annot);

        if (flags & HIDING)
            pdf_dict_put_int(ctx, pdf_annot_obj(ctx, annot), PDF_NAME(F), flags & ~HIDING);
    }
}

static void run_all(struct page_reader *reader, pdf_page *page, fz_device *device,
                    enum page_letters_what what, fz_cookie *cookie)
{
    fz_context *ctx = reader->doc->ctx;

    show_annotations(ctx, pdf_first_annot(ctx, page));
    if (what == PAGE_LETTERS_REPLACED)
        tagging_run(ctx, reader->tagging, page, device, cookie);
    else
        pdf_run_page_contents_with_usage(ctx, page, device, fz_identity, TAGGING_ALL, cookie);
    pdf_run_page_annots_with_usage(ctx, page, device, fz_identity, TAGGING_ALL, cookie);
    for (pdf_annot *widget = pdf_first_widget(ctx, page); widget;
         widget = pdf_next_widget(ctx, widget)) {
        int flags = pdf_annot_flags(ctx, widget);

        if (flags & HIDING)
            pdf_dict_put_int(ctx, pdf_annot_obj(ctx, widget), PDF_NAME(F), flags & ~HIDING);
    }
    pdf_run_page_widgets_with_usage(ctx, page, device, fz_identity, TAGGING_ALL, cookie);
}

/* Runs the page. What was found before an error stays. */
static bool run_page(struct page_reader *reader, fz_page *page, fz_stext_page *text,
                     enum page_letters_what what, struct page_content *unread, struct guard *guard)
{
    fz_context *ctx = reader->doc->ctx;
    fz_stext_options options = { .flags = FZ_STEXT_PRESERVE_IMAGES };
    fz_device *device = NULL;
    fz_cookie cookie = { 0 };
    bool sound = true;

    *guard = (struct guard){ .cookie = &cookie, .max_pixels = INFINITY, .kept_glyph = KEPT_GLYPH };
    fz_var(device);
    fz_var(sound);
    fz_try(ctx)
    {
        device = fz_new_stext_device(ctx, text, &options);
        text_reading_push(ctx, &device, &reader->reading, (pdf_page *) page, text, unread);
        if (what == PAGE_LETTERS_REPLACED) {
            tagging_push(ctx, &device, reader->tagging, text, &reader->tags, reader->page_object,
                         &unread->languages, &reader->reading.replaced);
            tagging_show_all(reader->tagging);
        }
        guard_push(ctx, &device, guard);
        run_all(reader, (pdf_page *) page, device, what, &cookie);
        fz_close_device(ctx, device);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        text_reading_end(&reader->reading, ctx);
    }
    fz_catch(ctx)
    {
        sound = false;
    }
    text_reading_settle(&reader->reading, ctx);
    return sound && cookie.errors == 0;
}

static void read_letters(struct page_reader *reader, size_t number, enum page_letters_what what,
                         struct page_letters *letters, struct guard *guard)
{
    fz_context *ctx = reader->doc->ctx;
    struct page_content unread = { .number = number };
    fz_page *page = NULL;
    fz_stext_page *text = NULL;

    fz_var(page);
    fz_var(text);
    fz_try(ctx)
    {
        fz_rect box;
        fz_matrix ctm;

        page = form_values_load_page(ctx, reader->doc->pdf, (int) number, NULL);
        reader->page_object = pdf_to_num(ctx, ((pdf_page *) page)->obj);
        pdf_page_transform(ctx, (pdf_page *) page, &box, &ctm);
        text = fz_new_stext_page(ctx, fz_bound_page(ctx, page));
        letters->damaged = !run_page(reader, page, text, what, &unread, guard);
        put_text(ctx, letters, text, ctm, box);
    }
    fz_always(ctx)
    {
        fz_drop_stext_page(ctx, text);
        fz_drop_page(ctx, page);
    }
    fz_catch(ctx)
    {
        letters->damaged = true;
    }
    page_content_free(&unread);
}

int page_letters_read(struct page_reader *reader, size_t number, enum page_letters_what what,
                      struct page_letters *letters, struct err *err)
{
    struct tagging tagging = { 0 };
    struct guard guard = { 0 };

    letters->n = letters->n_unknown = 0;
    letters->pictures = letters->replaced = letters->damaged = false;
    reader->tagging = &tagging;
    effort_begin(1);
    damage_begin(reader->doc->ctx);
    read_letters(reader, number, what, letters, &guard);
    letters->replaced = tagging.any;
    tagging_free(&tagging);
    reader->tagging = NULL;
    if (guard_check(reader->doc->ctx, &guard, number, err) < 0 || engine_check_memory(err) < 0)
        return -1;
    return 0;
}

void page_letters_free(struct page_letters *letters)
{
    free(letters->items);
    *letters = (struct page_letters){ 0 };
}
