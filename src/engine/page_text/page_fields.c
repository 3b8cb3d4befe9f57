#include "engine/page_text/page_fields.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "engine/mupdf/guard.h"
#include "engine/mupdf_forms/choice_values.h"
#include "layout/page/areas.h"

#define MAX_FIELDS  2000
#define MAX_OPTIONS 200
#define MAX_BOX     40.0F /* points: a larger button is drawn */
#define MAX_CAPTION 200   /* characters */
#define KEPT_GLYPH  80    /* bytes of a glyph that is read */
#define AROUND      3.0F  /* points that a box's frame is outside of it */
#define BLANKS      5     /* characters where nothing was filled in, as Word has them */
#define EN_SPACE    0x2002
#define LARGEST     11.0F /* points: of blanks */
#define HIGHEST     30.0F /* points: of a field of one line */
#define MAX_LINE    500   /* characters of a value */
#define LEADING     1.15F
#define LEAST       2.0F /* points: of text that has no room */
#define NEAR        4.0F /* sizes between a field and the text of its line */

static bool is_box(enum field_kind kind)
{
    return kind == FIELD_CHECK || kind == FIELD_RADIO;
}

/* FIELD_NONE: it stays what it looks like. */
static enum field_kind kind_of(fz_context *ctx, pdf_annot *annot, const struct area *area)
{
    int flags = pdf_annot_field_flags(ctx, annot);
    bool small = area_width(area) < MAX_BOX && area_height(area) < MAX_BOX;

    if (pdf_annot_flags(ctx, annot) & (PDF_ANNOT_IS_HIDDEN | PDF_ANNOT_IS_NO_VIEW))
        return FIELD_NONE;
    switch (pdf_widget_type(ctx, annot)) {
    case PDF_WIDGET_TYPE_TEXT:
        return flags & (PDF_FIELD_IS_READ_ONLY | PDF_TX_FIELD_IS_PASSWORD) ? FIELD_NONE
                                                                           : FIELD_TEXT;
    case PDF_WIDGET_TYPE_COMBOBOX:
        return flags & PDF_FIELD_IS_READ_ONLY ? FIELD_NONE : FIELD_CHOICE;
    case PDF_WIDGET_TYPE_CHECKBOX:
        return small ? FIELD_CHECK : FIELD_NONE;
    case PDF_WIDGET_TYPE_RADIOBUTTON:
        return small ? FIELD_RADIO : FIELD_NONE;
    case PDF_WIDGET_TYPE_LISTBOX:
        return FIELD_LIST;
    case PDF_WIDGET_TYPE_UNKNOWN:
    case PDF_WIDGET_TYPE_BUTTON:
    case PDF_WIDGET_TYPE_SIGNATURE:
    default:
        return FIELD_NONE;
    }
}

/* Of a field that is only listed. */
static enum field_kind listed_kind(fz_context *ctx, pdf_annot *annot)
{
    static const enum field_kind kinds[] = {
        [PDF_WIDGET_TYPE_BUTTON] = FIELD_BUTTON,     [PDF_WIDGET_TYPE_CHECKBOX] = FIELD_CHECK,
        [PDF_WIDGET_TYPE_COMBOBOX] = FIELD_CHOICE,   [PDF_WIDGET_TYPE_LISTBOX] = FIELD_LIST,
        [PDF_WIDGET_TYPE_RADIOBUTTON] = FIELD_RADIO, [PDF_WIDGET_TYPE_SIGNATURE] = FIELD_SIGNATURE,
        [PDF_WIDGET_TYPE_TEXT] = FIELD_TEXT,
    };
    unsigned type = (unsigned) pdf_widget_type(ctx, annot);

    return type < COUNT(kinds) ? kinds[type] : FIELD_NONE;
}

/* Texts that end with a NUL each, and then with one more; NULL: there are none. */
static char *options_of(fz_context *ctx, pdf_annot *annot)
{
    int n = pdf_choice_field_option_count(ctx, pdf_annot_obj(ctx, annot));
    size_t size = 0, at = 0;
    char *all;

    n = n > MAX_OPTIONS ? MAX_OPTIONS : n;
    for (int i = 0; i < n; i++)
        size += strlen(pdf_choice_field_option(ctx, pdf_annot_obj(ctx, annot), 0, i)) + 1;
    all = calloc(1, size + 1);
    for (int i = 0; all && i < n; i++) {
        const char *option = pdf_choice_field_option(ctx, pdf_annot_obj(ctx, annot), 0, i);
        size_t length = strlen(option);

        if (length == 0 || at + length + 1 > size)
            continue;
        memcpy(all + at, option, length);
        at += length + 1;
    }
    return all;
}

/* Without a state of its own, a button has its field's value, which of radio buttons is the state
 * of the one that is on. */
static bool is_on(fz_context *ctx, pdf_annot *annot)
{
    pdf_obj *object = pdf_annot_obj(ctx, annot), *state = pdf_dict_get(ctx, object, PDF_NAME(AS));
    pdf_obj *drawn = pdf_dict_getl(ctx, object, PDF_NAME(AP), PDF_NAME(N), NULL);

    if (!state) {
        state = pdf_dict_get_inheritable(ctx, object, PDF_NAME(V));
        if (pdf_is_name(ctx, state) && pdf_is_dict(ctx, drawn) && !pdf_is_stream(ctx, drawn) &&
            !pdf_dict_get(ctx, drawn, state))
            return false;
    }
    return pdf_is_name(ctx, state) && !pdf_name_eq(ctx, state, PDF_NAME(Off)) &&
           *pdf_to_name(ctx, state);
}

/* The change goes to where MuPDF keeps the appearances that it makes: a change of the document
 * itself would throw away those of the page's other annotations. */
static void hide(fz_context *ctx, pdf_annot *annot)
{
    int flags = pdf_annot_flags(ctx, annot) | PDF_ANNOT_IS_NO_VIEW;

    pdf_annot_push_local_xref(ctx, annot);
    fz_try(ctx)
    {
        pdf_dict_put_int(ctx, pdf_annot_obj(ctx, annot), PDF_NAME(F), flags);
    }
    fz_always(ctx)
    {
        pdf_annot_pop_local_xref(ctx, annot);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

/* Fonts whose letters are signs, with which boxes are ticked. */
static bool has_signs(fz_context *ctx, fz_font *font)
{
    const char *name = fz_font_name(ctx, font);

    return strcasestr(name, "dings") || strcasestr(name, "ZaDb") || strcasestr(name, "Symbol");
}

static bool is_letter_or_digit(int c)
{
    return c < 0x80
               ? isalnum(c) != 0
               : (c >= 0xc0 && c < 0x2000 && c != 0xd7 && c != 0xf7) || (c >= 0x3040 && c < 0xe000);
}

/* Whether the characters of a box are a caption: several letters or digits, or one that does not
 * tick it. */
static bool is_caption(fz_context *ctx, const fz_stext_page *text, bool on)
{
    size_t n = 0;
    int last = 0;

    for (const fz_stext_block *block = text->first_block; block; block = block->next) {
        if (block->type != FZ_STEXT_BLOCK_TEXT)
            continue;
        for (const fz_stext_line *line = block->u.t.first_line; line; line = line->next)
            for (const fz_stext_char *c = line->first_char; c && n < MAX_CAPTION; c = c->next)
                if (c->c > ' ' && is_letter_or_digit(c->c) && !has_signs(ctx, c->font)) {
                    last = c->c;
                    n++;
                }
    }
    return n > 1 || (n == 1 && !(on && strchr("XxVv", last)));
}

/* Whether a text is drawn in a box. */
static bool has_caption(fz_context *ctx, pdf_annot *annot, bool on)
{
    fz_cookie cookie = { 0 };
    struct guard guard = { .cookie = &cookie, .max_pixels = INFINITY, .kept_glyph = KEPT_GLYPH };
    fz_stext_options options = { 0 };
    fz_stext_page *text = NULL;
    fz_device *device = NULL;
    bool found = false;

    fz_var(text);
    fz_var(device);
    fz_var(found);
    fz_try(ctx)
    {
        text = fz_new_stext_page(ctx, pdf_bound_annot(ctx, annot));
        device = fz_new_stext_device(ctx, text, &options);
        guard_push(ctx, &device, &guard);
        pdf_run_annot(ctx, annot, device, fz_identity, &cookie);
        fz_close_device(ctx, device);
        found = is_caption(ctx, text, on);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        fz_drop_stext_page(ctx, text);
    }
    fz_catch(ctx)
    {
        found = false;
    }
    return found;
}

static void add_field(fz_context *ctx, struct page_content *content, pdf_annot *annot,
                      enum page_fields wanted)
{
    fz_rect rect = pdf_bound_widget(ctx, annot);
    struct area area = { rect.x0, rect.y0, rect.x1, rect.y1 };
    enum field_kind kind = kind_of(ctx, annot, &area);
    struct page_field *field;

    if (kind == FIELD_NONE ||
        (wanted == PAGE_FIELDS_BOXES && !is_box(kind) && kind != FIELD_LIST) ||
        !LIST_ROOM(content->fields, content->n_fields, content->cap_fields))
        return;
    field = &content->fields[content->n_fields++];
    *field = (struct page_field){ .area = area,
                                  .kind = kind,
                                  .on = is_box(kind) && is_on(ctx, annot),
                                  .name = strdup(pdf_annot_field_label(ctx, annot)) };
    if (kind == FIELD_CHOICE)
        field->options = options_of(ctx, annot);
    if (kind == FIELD_LIST)
        field->options = choice_values_read(ctx, pdf_annot_obj(ctx, annot));
    field->captioned = is_box(kind) && has_caption(ctx, annot, field->on);
    if (is_box(kind) && !field->captioned)
        hide(ctx, annot);
}

/* Several values of a list are lines. */
static char *listed_value(fz_context *ctx, pdf_annot *annot)
{
    pdf_obj *value = pdf_dict_get_inheritable(ctx, pdf_annot_obj(ctx, annot), PDF_NAME(V));
    int n = pdf_is_array(ctx, value) ? pdf_array_len(ctx, value) : 0;
    struct buf lines = BUF_EMPTY;

    if (n == 0)
        return strdup(pdf_annot_field_value(ctx, annot));
    for (int i = 0; i < n; i++) {
        if (i > 0)
            buf_putc(&lines, '\n');
        buf_puts(&lines, pdf_array_get_text_string(ctx, value, i));
    }
    return buf_take(&lines);
}

static void list_field(fz_context *ctx, struct page_content *content, pdf_annot *annot)
{
    fz_rect rect = pdf_bound_widget(ctx, annot);
    int flags = pdf_annot_field_flags(ctx, annot);
    enum field_kind kind = listed_kind(ctx, annot);
    struct page_field *field;
    char *name;

    if (!LIST_ROOM(content->fields, content->n_fields, content->cap_fields))
        return;
    field = &content->fields[content->n_fields++];
    *field = (struct page_field){ .area = { rect.x0, rect.y0, rect.x1, rect.y1 },
                                  .kind = kind,
                                  .on = is_box(kind) && is_on(ctx, annot),
                                  .read_only = (flags & PDF_FIELD_IS_READ_ONLY) != 0 };
    name = pdf_field_name(ctx, pdf_annot_obj(ctx, annot));
    field->name = strdup(name);
    fz_free(ctx, name);
    if (kind == FIELD_CHOICE || kind == FIELD_LIST)
        field->options = options_of(ctx, annot);
    if (kind == FIELD_CHOICE || kind == FIELD_LIST || kind == FIELD_TEXT) {
        if (!(flags & PDF_TX_FIELD_IS_PASSWORD) || kind != FIELD_TEXT)
            field->value = listed_value(ctx, annot);
    }
}

/* A field that cannot be read stays what it looks like. */
static void try_field(fz_context *ctx, struct page_content *content, pdf_annot *annot,
                      enum page_fields wanted)
{
    fz_try(ctx)
    {
        if (wanted == PAGE_FIELDS_LISTED)
            list_field(ctx, content, annot);
        else
            add_field(ctx, content, annot, wanted);
    }
    fz_catch(ctx)
    {
        content->damaged = true;
    }
}

void page_fields_read(fz_context *ctx, struct page_content *content, fz_page *page,
                      enum page_fields wanted)
{
    for (pdf_annot *annot = pdf_first_widget(ctx, (pdf_page *) page);
         annot && content->n_fields < MAX_FIELDS; annot = pdf_next_widget(ctx, annot))
        try_field(ctx, content, annot, wanted);
}

/* The number of the page's font for boxes, where Word has them; 0: there is no memory. */
static uint16_t box_font(struct page_content *content)
{
    static const struct page_font font = { .source = PAGE_FIELD_FONT, .family = PAGE_FIELD_FONT };

    for (size_t i = 0; i < content->n_own_fonts; i++)
        if (strcmp(content->own_fonts[i].source, font.source) == 0)
            return (uint16_t) i;
    if (content->n_own_fonts > UINT16_MAX - 1 ||
        !LIST_ROOM(content->own_fonts, content->n_own_fonts, content->cap_own_fonts))
        return 0;
    content->own_fonts[content->n_own_fonts] = font;
    return (uint16_t) content->n_own_fonts++;
}

static bool has_text(const struct page_content *content, const struct area *area)
{
    for (size_t i = 0; i < content->n_glyphs; i++) {
        const struct glyph *glyph = &content->glyphs[i];
        float along = (glyph->x0 + glyph->x1) / 2, across = glyph->base - 0.3F * glyph->size;
        float x = along * cosf(glyph->angle) - across * sinf(glyph->angle);
        float y = along * sinf(glyph->angle) + across * cosf(glyph->angle);

        if (!(glyph->flags & GLYPH_SPACE) && x > area->x0 && x < area->x1 && y > area->y0 &&
            y < area->y1)
            return true;
    }
    return false;
}

/* The size and the baseline of the text that is nearest to a place, at its height; or as given. */
static void go_by_text(const struct page_content *content, const struct area *area, float *size,
                       float *base)
{
    float middle = (area->y0 + area->y1) / 2, least = INFINITY;

    for (size_t i = 0; i < content->n_glyphs; i++) {
        const struct glyph *glyph = &content->glyphs[i];
        float far = fmaxf(glyph->x0 - area->x1, area->x0 - glyph->x1);

        if (glyph->flags & (GLYPH_SPACE | GLYPH_ROTATED) || far > least ||
            fabsf(glyph->base - 0.3F * glyph->size - middle) > 0.6F * glyph->size)
            continue;
        least = far;
        *size = glyph->size;
        *base = glyph->base;
    }
}

static void put_character(struct page_content *content, uint32_t code, uint16_t font, float x0,
                          float x1, float base, float size, bool first)
{
    if (LIST_ROOM(content->glyphs, content->n_glyphs, content->cap_glyphs))
        content->glyphs[content->n_glyphs++] =
            (struct glyph){ .code = code,
                            .x0 = x0,
                            .x1 = x1,
                            .base = base,
                            .size = size,
                            .font = font,
                            .flags = (uint16_t) (first ? GLYPH_FIRST : 0) };
}

/* Takes away what was drawn after that mark around a field. A frame would stand between the words
 * of a line: the field is in it without. */
static void drop_lines(struct page_content *content, const struct page_field *field, uint32_t after)
{
    size_t kept = 0;

    for (size_t i = 0; i < content->n_fills; i++)
        if (content->fills[i].order <= after ||
            !areas_hold(&field->area, &content->fills[i].area, AROUND))
            content->fills[kept++] = content->fills[i];
    content->n_fills = kept;
}

/* Whether text stands next to the field, on its line. */
static bool is_in_line(const struct page_content *content, const struct page_field *field)
{
    const struct area *area = &field->area;

    for (size_t i = 0; i < content->n_glyphs && area_height(area) < HIGHEST; i++) {
        const struct glyph *glyph = &content->glyphs[i];
        float y = glyph->base - 0.3F * glyph->size, x = (glyph->x0 + glyph->x1) / 2;
        float far = fmaxf(glyph->x0 - area->x1, area->x0 - glyph->x1);

        if (!(glyph->flags & (GLYPH_SPACE | GLYPH_ROTATED)) && (x < area->x0 || x > area->x1) &&
            y > area->y0 && y < area->y1 && far < NEAR * glyph->size)
            return true;
    }
    return false;
}

static void put_box(struct page_content *content, const struct page_field *field)
{
    const struct area *area = &field->area;
    float size = fmaxf(fminf(area_height(area), area_width(area)), 4),
          base = area->y1 - 0.12F * size;
    float text = size, line = base, x = area->x0;

    go_by_text(content, area, &text, &line);
    size = fminf(size, 1.3F * text);
    if (field->captioned) /* before its caption */
        x -= 1.3F * size;
    put_character(content, page_field_sign(field->kind, field->on), box_font(content), x,
                  fminf(area->x1, x + size), line, size, true);
    drop_lines(content, field, 0);
}

/* Frames that are neither boxes nor lines, as of round buttons. */
static void drop_frames(struct page_content *content)
{
    size_t kept = 0;

    for (size_t i = 0; i < content->n_drawings; i++) {
        bool frame = false;

        for (size_t k = 0; k < content->n_fields && !frame; k++)
            frame = is_box(content->fields[k].kind) &&
                    areas_hold(&content->fields[k].area, &content->drawings[i].area, AROUND);
        if (!frame)
            content->drawings[kept++] = content->drawings[i];
    }
    content->n_drawings = kept;
}

static void put_blanks(struct page_content *content, const struct page_field *field)
{
    const struct area *area = &field->area;
    float size = fminf(0.75F * area_height(area), LARGEST);
    float base = area_height(area) > 2.5F * LARGEST ? area->y0 + size : area->y1 - 0.3F * size;

    if (size < 3)
        return;
    go_by_text(content, area, &size, &base);
    size = fminf(size, area_width(area) / (0.5F * BLANKS + 0.5F));
    for (int i = 0; i < BLANKS; i++) {
        float x = area->x0 + 0.5F * size * (0.3F + (float) i);

        put_character(content, EN_SPACE, 0, x, x + 0.5F * size, base, size, i == 0);
    }
}

static bool is_no_letter(uint32_t code)
{
    return code <= ' ' || code == 0xa0 || code == 0xad;
}

static bool is_in(const struct glyph *glyph, const struct area *area)
{
    float x = (glyph->x0 + glyph->x1) / 2, y = glyph->base - 0.3F * glyph->size;

    return !(glyph->flags & (GLYPH_SPACE | GLYPH_ROTATED)) && x > area->x0 && x < area->x1 &&
           y > area->y0 && y < area->y1;
}

static int by_code(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;

    return (*left > *right) - (*left < *right);
}

/* The characters of a text without blanks, sorted: a line is read in either direction. */
static size_t codes_of(const char *text, uint32_t codes[static MAX_LINE])
{
    size_t n = 0, length = strlen(text);
    uint32_t code;

    for (size_t at = 0; n < MAX_LINE && (code = utf8_next(text, length, &at)) != 0;)
        if (!is_no_letter(code))
            codes[n++] = code;
    qsort(codes, n, sizeof *codes, by_code);
    return n;
}

/* The same of the line of the area with this baseline. */
static size_t codes_at(const struct page_content *content, const struct area *area, float base,
                       uint32_t codes[static MAX_LINE])
{
    size_t n = 0;

    for (size_t i = 0; i < content->n_glyphs && n < MAX_LINE; i++) {
        const struct glyph *glyph = &content->glyphs[i];

        if (is_in(glyph, area) && !is_no_letter(glyph->code) && fabsf(glyph->base - base) < 0.5F)
            codes[n++] = glyph->code;
    }
    qsort(codes, n, sizeof *codes, by_code);
    return n;
}

static bool is_shown(const struct page_content *content, const struct area *area, const char *value)
{
    uint32_t wanted[MAX_LINE], found[MAX_LINE];
    size_t n = codes_of(value, wanted);
    float base = -INFINITY;

    for (size_t i = 0; n > 0 && i < content->n_glyphs; i++) {
        const struct glyph *glyph = &content->glyphs[i];

        if (!is_in(glyph, area) || fabsf(glyph->base - base) < 0.5F)
            continue;
        base = glyph->base;
        if (codes_at(content, area, base, found) == n &&
            memcmp(found, wanted, n * sizeof *found) == 0)
            return true;
    }
    return n == 0;
}

/* Where the next line of a box goes. */
struct place {
    const struct area *area;
    float x, base, size, step;
    uint16_t font;
};

/* Lines go on below the last in the box, smaller if there is little room. */
static struct place place_after(const struct page_content *content, const struct area *area,
                                size_t lines)
{
    struct place place = { .area = area, .x = area->x0 + 2, .base = area->y0, .size = LARGEST };
    float room;

    for (size_t i = 0; i < content->n_glyphs; i++) {
        const struct glyph *glyph = &content->glyphs[i];

        if (!is_in(glyph, area) || glyph->base < place.base ||
            (glyph->base == place.base && glyph->x0 >= place.x))
            continue;
        place.base = glyph->base;
        place.x = glyph->x0;
        place.size = glyph->size;
        place.font = glyph->font;
    }
    room = (area->y1 - place.base) / ((float) lines * LEADING);
    place.size = fmaxf(fminf(place.size, room), LEAST);
    place.step = place.size * LEADING;
    return place;
}

static void put_unseen(struct page_content *content, struct place *place, const char *value)
{
    size_t length = strlen(value), n = 0;
    float x = place->x, width;
    uint32_t code;

    for (size_t at = 0; utf8_next(value, length, &at) != 0;)
        n++;
    width = fminf(0.5F * place->size, fmaxf(place->area->x1 - x, 1) / (float) n);
    place->base += place->step;
    for (size_t at = 0, i = 0; (code = utf8_next(value, length, &at)) != 0; i++, x += width) {
        int flags = (is_no_letter(code) ? GLYPH_SPACE : 0) | (i == 0 ? GLYPH_FIRST : 0);

        if (LIST_ROOM(content->glyphs, content->n_glyphs, content->cap_glyphs))
            content->glyphs[content->n_glyphs++] =
                (struct glyph){ .code = is_no_letter(code) ? ' ' : code,
                                .x0 = x,
                                .x1 = x + width,
                                .base = place->base,
                                .size = place->size,
                                .font = place->font,
                                .flags = (uint16_t) flags };
    }
}

/* Adds those values of a list box that no line in its area says, at the end of the area: its box is
 * scrolled, or its appearance is out of date. */
static void put_values(struct page_content *content, const struct area *area, const char *values)
{
    const char *missing[MAX_OPTIONS];
    size_t n = 0;
    struct place place;

    for (const char *at = values; *at && n < MAX_OPTIONS; at += strlen(at) + 1)
        if (!is_shown(content, area, at))
            missing[n++] = at;
    if (n == 0)
        return;
    place = place_after(content, area, n);
    for (size_t i = 0; i < n; i++)
        put_unseen(content, &place, missing[i]);
}

/* A list box stays what it looks like, and all its values are text. */
static void put_lists(struct page_content *content)
{
    size_t kept = 0;

    for (size_t i = 0; i < content->n_fields; i++) {
        struct page_field *field = &content->fields[i];

        if (field->kind != FIELD_LIST) {
            content->fields[kept++] = *field;
            continue;
        }
        if (field->options)
            put_values(content, &field->area, field->options);
        free(field->name);
        free(field->options);
        free(field->value);
    }
    content->n_fields = kept;
}

void page_fields_fill(struct page_content *content)
{
    bool boxes = false;

    put_lists(content);
    if (content->n_fields == 0)
        return;

    if (content->n_own_fonts == 0)
        box_font(content);
    for (size_t i = 0; i < content->n_fields; i++) {
        const struct page_field *field = &content->fields[i];

        boxes |= is_box(field->kind);
        if (!is_box(field->kind) && is_in_line(content, field))
            drop_lines(content, field, content->content_order);
        if (is_box(field->kind))
            put_box(content, field);
        else if (!has_text(content, &field->area))
            put_blanks(content, field);
    }
    if (boxes)
        drop_frames(content);
}
