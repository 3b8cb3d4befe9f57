/*
 * field_widget: a widget and the value of its field as plain values, and the appearance that is
 * made of them (ISO 32000-2, 12.7.4.3). Whoever reads documents fills it in, and puts the
 * appearance into the document: field_look.h with qpdf, engine/mupdf_forms/form_values.h with
 * MuPDF.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "pdf/forms/field_painter.h"

#define FIELD_MULTI_LINE (1 << 12) /* field flags, ISO 32000-2, tables 229, 231 and 233 */
#define FIELD_PASSWORD   (1 << 13)
#define FIELD_PUSHBUTTON (1 << 16)
#define FIELD_COMBO      (1 << 17)
#define FIELD_COMB       (1 << 24)

/* Units of effort (base/effort.h): thousands of fields may share one list of options. */
#define FIELD_WIDGET_OPTION 5000.0 /* an option that is looked at */

struct field_colour {
    size_t n; /* components: 1, 3 or 4; with others, nothing is painted */
    double values[4];
};

struct field_widget {
    struct field_text text;
    struct field_font font;
    struct buf value; /* UTF-8; of a button, a code of ZapfDingbats */
    int turns;        /* how often it is turned by 90 degrees, counterclockwise: 0 to 3 */
    struct field_colour back, edge;
};

void field_widget_free(struct field_widget *widget);
#define AUTO_FIELD_WIDGET __attribute__((cleanup(field_widget_free)))

/* Sets the size by the rectangle, the degrees of /MK /R and the width of the border. False if there
 * is nothing to draw on. */
bool field_widget_place(struct field_widget *widget, const double rect[static 4], long long degrees,
                        double border);
/* Sets how the text of a text field, or of a choice, is laid out; `most`: its /MaxLen. */
void field_widget_lay_out(struct field_widget *widget, bool choice, long long flags,
                          long long across, long long most);
/* Appends a text string (field_text_read) to the value, or, as one line, to the options of a list
 * box. False if it cannot be drawn, or the job's budget does not suffice. */
bool field_widget_add(struct field_widget *widget, const char *bytes, size_t n);
bool field_widget_add_option(struct field_widget *widget, const char *bytes, size_t n,
                             bool selected);
/* Replaces each character of a password by a star. */
void field_widget_hide(struct field_widget *widget);

enum field_widget_drawn {
    FIELD_WIDGET_TEXT,    /* `content` shows the value in widget->font, as /F */
    FIELD_WIDGET_PICTURE, /* the painter drew it: field_widget_put_picture makes the content */
    FIELD_WIDGET_FAILED,
};

/*
 * Appends the content of the appearance, with the background and the border that the widget asks
 * for (12.5.6.19). The value is in widget->font or, if that is the document's own and lacks a
 * character, in the standard font that looks like it, which widget->font is then. If that lacks one
 * too, the painter (may be NULL) draws the value; *picture is its number there.
 */
enum field_widget_drawn field_widget_draw(struct field_widget *widget,
                                          struct field_painter *painter, struct buf *content,
                                          size_t *picture);
/* Appends the content of an appearance that shows a picture, which is named /F. */
void field_widget_put_picture(const struct field_widget *widget, struct buf *content);
