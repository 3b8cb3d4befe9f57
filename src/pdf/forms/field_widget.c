#include "pdf/forms/field_widget.h"

#include <math.h>
#include <string.h>

#include "base/effort.h"
#include "base/scope.h"
#include "base/utf8.h"

#define MAX_SIDE 1e6 /* points: coordinates of a widget */

/* Units of effort. Thousands of fields may share one value. */
#define WIDGET    40000.0
#define CHARACTER 400.0
#define PICTURE   100000.0 /* drawn by the painter, in addition to its own work */

void field_widget_free(struct field_widget *widget)
{
    buf_free(&widget->value);
}

bool field_widget_place(struct field_widget *widget, const double rect[static 4], long long degrees,
                        double border)
{
    struct field_text *text = &widget->text;
    double width = fabs(rect[2] - rect[0]), height = fabs(rect[3] - rect[1]);

    for (int i = 0; i < 4; i++)
        if (!(fabs(rect[i]) < MAX_SIDE))
            return false;
    widget->turns = (int) (degrees / 90 & 3);
    text->width = widget->turns % 2 ? height : width;
    text->height = widget->turns % 2 ? width : height;
    text->edge = fmin(fmax(border, 0), fmin(width, height) / 4);
    return width > 0 && height > 0;
}

void field_widget_lay_out(struct field_widget *widget, bool choice, long long flags,
                          long long across, long long most)
{
    struct field_text *text = &widget->text;

    text->across = (int) across;
    text->lines = choice ? !(flags & FIELD_COMBO) : (flags & FIELD_MULTI_LINE) != 0;
    text->cells = !choice && (flags & FIELD_COMB) && !text->lines ? most : 0;
}

bool field_widget_add(struct field_widget *widget, const char *bytes, size_t n)
{
    return effort_spend(CHARACTER * (double) n) && field_text_read(bytes, n, &widget->value);
}

bool field_widget_add_option(struct field_widget *widget, const char *bytes, size_t n,
                             bool selected)
{
    struct field_text *text = &widget->text;
    struct buf *value = &widget->value;
    size_t begin;

    if (text->n_options > 0)
        buf_putc(value, '\n');
    begin = value->len;
    if (text->n_options >= FIELD_TEXT_OPTIONS || !field_widget_add(widget, bytes, n))
        return false;
    for (size_t at = begin; at < value->len; at++)
        if (value->data[at] == '\n')
            value->data[at] = ' ';
    text->selected[text->n_options++] = selected;
    return !value->failed;
}

void field_widget_hide(struct field_widget *widget)
{
    struct buf *value = &widget->value;
    size_t n = 0;

    for (size_t at = 0; utf8_next(buf_text(value), value->len, &at);)
        value->data[n++] = '*';
    value->len = n;
}

static bool put_colour(const struct field_colour *colour, const char *const operators[3],
                       struct buf *out)
{
    if (colour->n != 1 && colour->n != 3 && colour->n != 4)
        return false;
    for (size_t i = 0; i < colour->n; i++)
        buf_printf(out, "%.4f ", fmin(fmax(colour->values[i], 0), 1));
    buf_puts(out, operators[colour->n == 1 ? 0 : colour->n == 3 ? 1 : 2]);
    return true;
}

static void put_frame(const struct field_widget *widget, struct buf *out)
{
    static const char *const fill[] = { "g", "rg", "k" }, *const stroke[] = { "G", "RG", "K" };
    const struct field_text *text = &widget->text;
    double edge = text->edge;

    if (put_colour(&widget->back, fill, out))
        buf_printf(out, " 0 0 %.3f %.3f re f\n", text->width, text->height);
    if (edge > 0 && put_colour(&widget->edge, stroke, out))
        buf_printf(out, " %.3f w %.3f %.3f %.3f %.3f re S\n", edge, edge / 2, edge / 2,
                   text->width - edge, text->height - edge);
}

static bool encode(struct field_widget *widget, struct buf *codes)
{
    const struct buf *value = &widget->value;
    char like[64];

    if (widget->text.symbols) {
        buf_put(codes, buf_text(value), value->len);
        return true;
    }
    if (field_font_encode(&widget->font, buf_text(value), value->len, codes))
        return true;
    if (!widget->font.own)
        return false;
    codes->len = 0;
    snprintf(like, sizeof like, "/%s", widget->font.name);
    field_font_standard(&widget->font, like);
    return field_font_encode(&widget->font, buf_text(value), value->len, codes);
}

enum field_widget_drawn field_widget_draw(struct field_widget *widget,
                                          struct field_painter *painter, struct buf *content,
                                          size_t *picture)
{
    struct field_text *text = &widget->text;
    const struct buf *value = &widget->value;
    AUTO_BUF struct buf codes = BUF_EMPTY;

    text->font = &widget->font;
    if (!effort_spend(WIDGET))
        return FIELD_WIDGET_FAILED;
    if (!encode(widget, &codes))
        return painter && effort_spend(PICTURE) &&
                       painter->draw(painter, text, buf_text(value), value->len, picture)
                   ? FIELD_WIDGET_PICTURE
                   : FIELD_WIDGET_FAILED;
    put_frame(widget, content);
    buf_puts(content, "/Tx BMC\n");
    field_text_put(text, &codes, content);
    buf_puts(content, "EMC\n");
    return content->failed || value->failed || codes.failed ? FIELD_WIDGET_FAILED
                                                            : FIELD_WIDGET_TEXT;
}

void field_widget_put_picture(const struct field_widget *widget, struct buf *content)
{
    const struct field_text *text = &widget->text;

    put_frame(widget, content);
    buf_printf(content, "/Tx BMC\nq %.3f %.3f %.3f %.3f re W n /F Do Q\nEMC\n", text->edge,
               text->edge, fmax(text->width - 2 * text->edge, 0),
               fmax(text->height - 2 * text->edge, 0));
}
