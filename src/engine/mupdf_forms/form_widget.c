#include "engine/mupdf_forms/form_widget.h"

#include <string.h>

#include "base/effort.h"
#include "engine/mupdf_forms/choice_values.h"

#define FONT 300000.0 /* units of effort (base/effort.h) */

/* The value of a key of the annotation, of the fields above it, or of the form. */
static pdf_obj *inherited(fz_context *ctx, pdf_obj *annot, pdf_obj *key)
{
    pdf_obj *value = pdf_dict_get_inheritable(ctx, annot, key);

    if (value)
        return value;
    return pdf_dict_get(
        ctx,
        pdf_dict_getp(ctx, pdf_trailer(ctx, pdf_get_bound_document(ctx, annot)), "Root/AcroForm"),
        key);
}

static void spend(fz_context *ctx, double units)
{
    if (!effort_spend(units))
        fz_throw(ctx, FZ_ERROR_GENERIC, "the job has no effort left for it");
}

/* Adds the text of a string, or of a stream of long text, to the value or, if `selected` is not
 * NULL, to the options. */
static void add(fz_context *ctx, pdf_obj *shown, struct field_widget *widget, const bool *selected)
{
    fz_buffer *stream = pdf_is_stream(ctx, shown) ? pdf_load_stream(ctx, shown) : NULL;
    unsigned char *data = NULL;
    size_t n = 0;
    const char *bytes = stream ? "" : pdf_to_string(ctx, shown, &n);
    bool added;

    if (stream)
        n = fz_buffer_storage(ctx, stream, &data);
    if (data)
        bytes = (const char *) data;
    added = selected ? field_widget_add_option(widget, bytes, n, *selected)
                     : field_widget_add(widget, bytes, n);
    fz_drop_buffer(ctx, stream);
    if (!added)
        fz_throw(ctx, FZ_ERROR_GENERIC, "its value cannot be drawn");
}

static bool is_selected(fz_context *ctx, pdf_obj *values, pdf_obj *option)
{
    pdf_obj *exported = pdf_is_array(ctx, option) ? pdf_array_get(ctx, option, 0) : option;
    int n = pdf_array_len(ctx, values);

    for (int i = 0; i < n; i++)
        if (pdf_objcmp(ctx, pdf_array_get(ctx, values, i), exported) == 0)
            return true;
    return pdf_is_string(ctx, values) && pdf_objcmp(ctx, values, exported) == 0;
}

/* Reads the options of a list box from the one at its top on. */
static void read_options(fz_context *ctx, pdf_obj *annot, pdf_obj *options, pdf_obj *values,
                         struct field_widget *widget)
{
    int n = pdf_array_len(ctx, options);
    int top = pdf_to_int(ctx, pdf_dict_get_inheritable(ctx, annot, PDF_NAME(TI)));

    for (int i = top > 0 && top < n ? top : 0; i < n; i++) {
        pdf_obj *option = pdf_array_get(ctx, options, i);
        bool selected;

        if (widget->text.n_options == FIELD_TEXT_OPTIONS)
            break;
        spend(ctx, FIELD_WIDGET_OPTION * (1 + pdf_array_len(ctx, values)));
        selected = is_selected(ctx, values, option);
        add(ctx, pdf_is_array(ctx, option) ? pdf_array_get(ctx, option, 1) : option, widget,
            &selected);
    }
}

static void read_value(fz_context *ctx, pdf_obj *annot, struct field_widget *widget)
{
    bool choice = pdf_name_eq(ctx, inherited(ctx, annot, PDF_NAME(FT)), PDF_NAME(Ch));
    pdf_obj *value = inherited(ctx, annot, PDF_NAME(V)), *options = NULL;
    int flags = pdf_field_flags(ctx, annot);
    int n = pdf_is_array(ctx, value) ? pdf_array_len(ctx, value) : 1;

    if (choice)
        options = inherited(ctx, annot, PDF_NAME(Opt));
    field_widget_lay_out(widget, choice, flags, pdf_to_int(ctx, inherited(ctx, annot, PDF_NAME(Q))),
                         pdf_to_int(ctx, inherited(ctx, annot, PDF_NAME(MaxLen))));
    if (widget->text.lines && pdf_array_len(ctx, options) > 0) {
        read_options(ctx, annot, options, value, widget);
        return;
    }
    for (int i = 0; i < n; i++) {
        pdf_obj *item = pdf_is_array(ctx, value) ? pdf_array_get(ctx, value, i) : value;

        if (i > 0)
            buf_putc(&widget->value, '\n');
        add(ctx, choice ? choice_values_displayed(ctx, options, item) : item, widget, NULL);
    }
    if (!choice && (flags & FIELD_PASSWORD))
        field_widget_hide(widget);
}

static void read_colour(fz_context *ctx, pdf_obj *array, struct field_colour *colour)
{
    int n = pdf_array_len(ctx, array);

    colour->n = (size_t) n;
    for (int i = 0; i < n && i < 4; i++)
        colour->values[i] = pdf_array_get_real(ctx, array, i);
}

static bool read_place(fz_context *ctx, pdf_obj *annot, struct field_widget *widget)
{
    fz_rect rect = pdf_dict_get_rect(ctx, annot, PDF_NAME(Rect));
    const double sides[4] = { rect.x0, rect.y0, rect.x1, rect.y1 };
    pdf_obj *border = pdf_dict_getp(ctx, annot, "BS/W");

    read_colour(ctx, pdf_dict_getp(ctx, annot, "MK/BG"), &widget->back);
    read_colour(ctx, pdf_dict_getp(ctx, annot, "MK/BC"), &widget->edge);
    return field_widget_place(widget, sides, pdf_to_int(ctx, pdf_dict_getp(ctx, annot, "MK/R")),
                              border ? pdf_to_real(ctx, border) : 1);
}

static bool is_simple(fz_context *ctx, pdf_obj *font)
{
    pdf_obj *kind = pdf_dict_get(ctx, font, PDF_NAME(Subtype));

    return pdf_name_eq(ctx, kind, PDF_NAME(Type1)) || pdf_name_eq(ctx, kind, PDF_NAME(TrueType)) ||
           pdf_name_eq(ctx, kind, PDF_NAME(MMType1));
}

static int unicode_of(const pdf_font_desc *desc, int code)
{
    int unicode = desc->to_unicode ? pdf_lookup_cmap(desc->to_unicode, (unsigned) code) : -1;

    if (unicode <= 0 && desc->cid_to_ucs && (size_t) code < desc->cid_to_ucs_len)
        unicode = desc->cid_to_ucs[code];
    return unicode > 0 && unicode <= 0xFFFF ? unicode : 0;
}

/* The characters and widths of a font's codes, as MuPDF draws them. */
static void read_codes(fz_context *ctx, pdf_obj *dict, struct field_font *font)
{
    pdf_font_desc *desc;

    spend(ctx, FONT);
    desc = pdf_load_font(ctx, pdf_get_bound_document(ctx, dict), NULL, dict);
    fz_try(ctx)
    {
        for (int code = 0x20; code < 256; code++) {
            int width = pdf_lookup_hmtx(ctx, desc, code).w;

            font->widths[code] = (uint16_t) (width > 0 && width < 10000 ? width : 500);
            if (code == ' ' || pdf_font_cid_to_gid(ctx, desc, code) > 0)
                font->unicode[code] = (uint16_t) unicode_of(desc, code);
        }
    }
    fz_always(ctx)
    {
        pdf_drop_font(ctx, desc);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

static void read_font_box(fz_context *ctx, pdf_obj *dict, struct field_font *font)
{
    pdf_obj *box = pdf_dict_getl(ctx, dict, PDF_NAME(FontDescriptor), PDF_NAME(FontBBox), NULL);
    char name[128];

    snprintf(name, sizeof name, "/%s",
             pdf_to_name(ctx, pdf_dict_get(ctx, dict, PDF_NAME(BaseFont))));
    field_font_line(font, name, pdf_array_get_real(ctx, box, 1), pdf_array_get_real(ctx, box, 3));
}

/* The font that the style names, borrowed; NULL if the form lacks it or it is not a simple font.
 *
 * It becomes an indirect object: MuPDF compares direct dictionaries of fonts with those it keeps,
 * and holds a lock then which it needs to find out about other objects. */
static pdf_obj *find_font(fz_context *ctx, pdf_obj *annot, const char *name)
{
    pdf_obj *resources = inherited(ctx, annot, PDF_NAME(DR));
    pdf_obj *fonts = pdf_dict_get(ctx, resources, PDF_NAME(Font)), *moved;
    pdf_obj *font = *name ? pdf_dict_gets(ctx, fonts, name + 1) : NULL;

    if (!is_simple(ctx, font))
        return NULL;
    if (pdf_is_indirect(ctx, font))
        return font;
    moved = pdf_add_object(ctx, pdf_get_bound_document(ctx, annot), font);
    pdf_dict_puts_drop(ctx, fonts, name + 1, moved);
    return moved;
}

/* Reads the style, and the font that it asks for, or the standard one like it. */
static pdf_obj *read_style(fz_context *ctx, pdf_obj *annot, struct field_widget *widget)
{
    const char *name = widget->text.font_name;
    struct field_font font = { .own = true };
    pdf_obj *dict;
    size_t n;
    const char *bytes = pdf_to_string(ctx, inherited(ctx, annot, PDF_NAME(DA)), &n);

    field_text_style(&widget->text, bytes, n);
    field_font_standard(&widget->font, name);
    dict = find_font(ctx, annot, name);
    if (!dict)
        return NULL;
    read_codes(ctx, dict, &font);
    read_font_box(ctx, dict, &font);
    if (!font.unicode['a'] && !font.unicode['A'] && !font.unicode['0'])
        return NULL;
    font.name = widget->font.name;
    widget->font = font;
    return dict;
}

bool form_widget_read(fz_context *ctx, pdf_obj *annot, struct field_widget *widget, pdf_obj **font)
{
    if (!read_place(ctx, annot, widget))
        return false;
    read_value(ctx, annot, widget);
    *font = read_style(ctx, annot, widget);
    return true;
}

void form_widget_give(fz_context *ctx, pdf_obj *annot, const struct field_widget *widget,
                      const char *kind, pdf_obj *resource, const struct buf *content)
{
    static const fz_matrix turns[] = {
        { 1, 0, 0, 1, 0, 0 }, { 0, 1, -1, 0, 0, 0 }, { -1, 0, 0, -1, 0, 0 }, { 0, -1, 1, 0, 0, 0 }
    };
    fz_rect box = { 0, 0, (float) widget->text.width, (float) widget->text.height };
    pdf_document *doc = pdf_get_bound_document(ctx, annot);
    pdf_obj *resources = NULL, *look = NULL;
    fz_buffer *data = NULL;

    fz_var(resources);
    fz_var(look);
    fz_var(data);
    fz_try(ctx)
    {
        data = fz_new_buffer_from_copied_data(ctx, (const unsigned char *) content->data,
                                              content->len);
        resources = pdf_new_dict(ctx, doc, 1);
        pdf_dict_put(ctx, pdf_dict_puts_dict(ctx, resources, kind, 1), PDF_NAME(F), resource);
        look = pdf_new_xobject(ctx, doc, box, turns[widget->turns], resources, data);
        pdf_dict_putp(ctx, annot, "AP/N", look);
    }
    fz_always(ctx)
    {
        pdf_drop_obj(ctx, look);
        pdf_drop_obj(ctx, resources);
        fz_drop_buffer(ctx, data);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

/* An indirect object, for the reason that find_font gives. */
static pdf_obj *new_standard(fz_context *ctx, pdf_document *doc, const char *name)
{
    pdf_obj *font = pdf_add_new_dict(ctx, doc, 4);

    fz_try(ctx)
    {
        pdf_dict_put(ctx, font, PDF_NAME(Type), PDF_NAME(Font));
        pdf_dict_put(ctx, font, PDF_NAME(Subtype), PDF_NAME(Type1));
        pdf_dict_put_name(ctx, font, PDF_NAME(BaseFont), name);
        pdf_dict_put(ctx, font, PDF_NAME(Encoding), PDF_NAME(WinAnsiEncoding));
    }
    fz_catch(ctx)
    {
        pdf_drop_obj(ctx, font);
        fz_rethrow(ctx);
    }
    return font;
}

void form_widget_give_text(fz_context *ctx, pdf_obj *annot, const struct field_widget *widget,
                           pdf_obj *font, const struct buf *content)
{
    pdf_obj *standard;

    if (widget->font.own) {
        form_widget_give(ctx, annot, widget, "Font", font, content);
        return;
    }
    standard = new_standard(ctx, pdf_get_bound_document(ctx, annot), widget->font.name);
    fz_try(ctx)
    {
        form_widget_give(ctx, annot, widget, "Font", standard, content);
    }
    fz_always(ctx)
    {
        pdf_drop_obj(ctx, standard);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}
