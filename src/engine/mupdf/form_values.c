#include "engine/mupdf/form_values.h"

#include <math.h>
#include <mupdf/pdf.h>
#include <stdbool.h>
#include <string.h>

#include "base/effort.h"
#include "engine/mupdf/value_font.h"
#include "engine/mupdf/value_look.h"
#include "engine/mupdf/value_story.h"

#define MAX_WIDGETS 20000         /* limit of one page */
#define DRAWN       "PlatenDrawn" /* key of widgets that were drawn before the page was loaded */

/* Units of effort. Thousands of fields may share one value or list of options. */
#define WIDGET    30000.0
#define CHARACTER 3000.0
#define PREPARED  5000.0 /* a widget whose value is examined */
#define LONG      2000.0 /* characters from which each takes longer, because all are fitted again */
#define OPTION    500.0
/* an object of the document: MuPDF visits all of them when one is changed */
#define OBJECT 100.0

/* Whether there is a normal appearance; of a button, for any of its states. */
static bool has_look(fz_context *ctx, pdf_obj *annot)
{
    return pdf_dict_getp(ctx, annot, "AP/N") != NULL;
}

static bool is_text(enum pdf_widget_type type)
{
    return type == PDF_WIDGET_TYPE_TEXT || type == PDF_WIDGET_TYPE_COMBOBOX ||
           type == PDF_WIDGET_TYPE_LISTBOX;
}

/* The appearance of a value that a script formatted has more information than the value. */
static bool is_formatted(fz_context *ctx, pdf_obj *annot)
{
    return pdf_dict_getp(ctx, annot, "AA/F") != NULL && has_look(ctx, annot);
}

static bool is_password(fz_context *ctx, pdf_obj *annot, enum pdf_widget_type type)
{
    return type == PDF_WIDGET_TYPE_TEXT && (pdf_field_flags(ctx, annot) & PDF_TX_FIELD_IS_PASSWORD);
}

/* Replaces a value, in memory, by what is shown for it: the asterisks of a password, the display
 * text of a choice's option. MuPDF would show the values themselves. */
static void disguise(fz_context *ctx, pdf_obj *annot, enum pdf_widget_type type)
{
    pdf_obj *value = pdf_dict_get_inheritable(ctx, annot, PDF_NAME(V));
    pdf_obj *options = pdf_dict_get_inheritable(ctx, annot, PDF_NAME(Opt));
    size_t length = 0;
    char stars[64];

    if (!pdf_is_string(ctx, value))
        return;
    if (is_password(ctx, annot, type)) {
        length = fz_minz(strlen(pdf_to_text_string(ctx, value)), sizeof stars - 1);
        memset(stars, '*', length);
        stars[length] = '\0';
        pdf_dict_put_text_string(ctx, annot, PDF_NAME(V), stars);
    } else if (type == PDF_WIDGET_TYPE_COMBOBOX) {
        int n = pdf_array_len(ctx, options);

        for (int i = 0; i < n; i++) {
            pdf_obj *option = pdf_array_get(ctx, options, i);

            if (pdf_array_len(ctx, option) == 2 &&
                pdf_objcmp(ctx, pdf_array_get(ctx, option, 0), value) == 0) {
                pdf_dict_put(ctx, annot, PDF_NAME(V), pdf_array_get(ctx, option, 1));
                return;
            }
        }
    }
}

/* Estimates the work of drawing the value. */
static double units_of(fz_context *ctx, pdf_obj *annot)
{
    pdf_obj *value = pdf_dict_get_inheritable(ctx, annot, PDF_NAME(V));
    pdf_obj *options = pdf_dict_get_inheritable(ctx, annot, PDF_NAME(Opt));
    size_t length = 0;

    if (pdf_is_string(ctx, value))
        length = pdf_to_str_len(ctx, value);
    else if (pdf_is_stream(ctx, value))
        length = (size_t) pdf_dict_get_int(ctx, value, PDF_NAME(Length));
    return WIDGET + CHARACTER * (double) length * (1 + (double) length / LONG) +
           OPTION * pdf_array_len(ctx, options) +
           OBJECT * pdf_xref_len(ctx, pdf_get_bound_document(ctx, annot));
}

static void draw_value(fz_context *ctx, pdf_annot *widget, bool asked)
{
    pdf_obj *annot = pdf_annot_obj(ctx, widget);
    enum pdf_widget_type type = pdf_widget_type(ctx, widget);

    if (type == PDF_WIDGET_TYPE_SIGNATURE || type == PDF_WIDGET_TYPE_UNKNOWN ||
        is_formatted(ctx, annot) || pdf_dict_gets(ctx, annot, DRAWN))
        return;
    /* When the page is loaded, MuPDF gives a password field without an appearance one that shows
     * the password. */
    if (!(asked && is_text(type)) && !is_password(ctx, annot, type) && has_look(ctx, annot))
        return;
    if (!effort_spend(units_of(ctx, annot)))
        fz_throw(ctx, FZ_ERROR_GENERIC, "the job has no effort left for it");
    disguise(ctx, annot, type);
    pdf_dict_del(ctx, annot, PDF_NAME(AP));
    pdf_annot_request_resynthesis(ctx, widget);
    pdf_update_annot(ctx, widget);
}

static bool draw_values(fz_context *ctx, fz_page *page)
{
    pdf_annot *widget = NULL;
    bool asked = false, drawn = true;
    int n = 0;

    fz_var(widget);
    fz_var(asked);
    fz_var(drawn);
    fz_var(n);
    fz_try(ctx)
    {
        asked = pdf_to_bool(ctx, pdf_dict_getp(ctx, pdf_trailer(ctx, ((pdf_page *) page)->doc),
                                               "Root/AcroForm/NeedAppearances"));
        widget = pdf_first_widget(ctx, (pdf_page *) page);
    }
    fz_catch(ctx)
    {
        return true;
    }
    for (; widget && n < MAX_WIDGETS; n++) {
        fz_try(ctx)
        {
            draw_value(ctx, widget, asked);
        }
        fz_catch(ctx)
        {
            fz_warn(ctx, "a field is not drawn: %s", fz_caught_message(ctx));
            drawn = drawn && !effort_is_spent();
        }
        widget = pdf_next_widget(ctx, widget);
    }
    return drawn;
}

/* Returns the value as text with '\n' as line ends; the caller frees it. */
static char *text_of(fz_context *ctx, pdf_obj *value)
{
    char *text = pdf_load_stream_or_string_as_utf8(ctx, value), *to = text;

    for (const char *from = text; *from; from++)
        if (*from == '\n' && from > text && from[-1] == '\r')
            continue;
        else
            *to++ = *from == '\r' ? '\n' : *from;
    *to = '\0';
    return text;
}

static bool is_among(fz_context *ctx, pdf_obj *values, pdf_obj *option)
{
    pdf_obj *exported = pdf_is_array(ctx, option) ? pdf_array_get(ctx, option, 0) : option;
    int n = pdf_array_len(ctx, values);

    for (int i = 0; i < n; i++)
        if (pdf_objcmp(ctx, pdf_array_get(ctx, values, i), exported) == 0)
            return true;
    return pdf_is_string(ctx, values) && pdf_objcmp(ctx, values, exported) == 0;
}

/* Returns the options of a list box from the one at its top on, one in each line; the caller
 * frees them. */
static char *options_of(fz_context *ctx, pdf_obj *annot, pdf_obj *options, struct field_text *text)
{
    pdf_obj *values = pdf_dict_get_inheritable(ctx, annot, PDF_NAME(V));
    int n = pdf_array_len(ctx, options), n_values = pdf_array_len(ctx, values);
    int top = pdf_to_int(ctx, pdf_dict_get_inheritable(ctx, annot, PDF_NAME(TI)));
    fz_buffer *out = fz_new_buffer(ctx, 256);
    char *lines = NULL;

    fz_try(ctx)
    {
        for (int i = top > 0 && top < n ? top : 0; i < n && text->n_options < FIELD_TEXT_OPTIONS;
             i++) {
            pdf_obj *option = pdf_array_get(ctx, options, i);
            const char *shown = pdf_to_text_string(
                ctx, pdf_is_array(ctx, option) ? pdf_array_get(ctx, option, 1) : option);

            if (!effort_spend(CHARACTER * (double) strlen(shown) + OPTION * n_values))
                fz_throw(ctx, FZ_ERROR_GENERIC, "the job has no effort left for it");
            if (text->n_options > 0)
                fz_append_byte(ctx, out, '\n');
            for (; *shown; shown++)
                fz_append_byte(ctx, out, *shown == '\n' || *shown == '\r' ? ' ' : *shown);
            text->selected[text->n_options++] = is_among(ctx, values, option);
        }
        lines = fz_strdup(ctx, fz_string_from_buffer(ctx, out));
    }
    fz_always(ctx)
    {
        fz_drop_buffer(ctx, out);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
    return lines;
}

/* Reads the field's properties besides its value. False if there is nothing to draw on. */
static bool read_field(fz_context *ctx, pdf_obj *annot, enum pdf_widget_type type,
                       struct field_font *font, struct field_text *text)
{
    fz_rect rect = pdf_dict_get_rect(ctx, annot, PDF_NAME(Rect));
    int turns = pdf_to_int(ctx, pdf_dict_getp(ctx, annot, "MK/R")) / 90;
    pdf_obj *line = pdf_dict_getp(ctx, annot, "BS/W");
    pdf_obj *style = pdf_dict_get_inheritable(ctx, annot, PDF_NAME(DA));
    int flags = pdf_field_flags(ctx, annot);
    const char *bytes;
    size_t n;

    text->width = turns % 2 ? rect.y1 - rect.y0 : rect.x1 - rect.x0;
    text->height = turns % 2 ? rect.x1 - rect.x0 : rect.y1 - rect.y0;
    if (!(text->width > 0 && text->height > 0 && text->width < 1e5 && text->height < 1e5))
        return false;
    text->edge = line ? pdf_to_real(ctx, line) : 1;
    text->edge = fmin(fmax(text->edge, 0), fmin(text->width, text->height) / 4);
    text->across = pdf_to_int(ctx, pdf_dict_get_inheritable(ctx, annot, PDF_NAME(Q)));
    text->lines = type == PDF_WIDGET_TYPE_LISTBOX ||
                  (type == PDF_WIDGET_TYPE_TEXT && flags & PDF_TX_FIELD_IS_MULTILINE);
    if (type == PDF_WIDGET_TYPE_TEXT && flags & PDF_TX_FIELD_IS_COMB && !text->lines)
        text->cells = pdf_to_int(ctx, pdf_dict_get_inheritable(ctx, annot, PDF_NAME(MaxLen)));
    if (!style)
        style = pdf_dict_getp(ctx, pdf_trailer(ctx, pdf_get_bound_document(ctx, annot)),
                              "Root/AcroForm/DA");
    bytes = pdf_to_string(ctx, style, &n);
    field_text_style(text, bytes, n);
    field_font_standard(font, text->font_name);
    text->font = font;
    return true;
}

static void draw_apart(fz_context *ctx, pdf_obj *annot, enum pdf_widget_type type)
{
    pdf_obj *value = pdf_dict_get_inheritable(ctx, annot, PDF_NAME(V));
    pdf_obj *options = pdf_dict_get_inheritable(ctx, annot, PDF_NAME(Opt));
    bool list = type == PDF_WIDGET_TYPE_LISTBOX && pdf_array_len(ctx, options) > 0;
    struct field_font font;
    struct field_text text = { .width = 0 };
    char *utf8 = NULL;
    bool drawn = false;

    if (!read_field(ctx, annot, type, &font, &text))
        return;
    fz_var(utf8);
    fz_try(ctx)
    {
        utf8 = list ? options_of(ctx, annot, options, &text) : text_of(ctx, value);
        drawn = value_font_draw(ctx, annot, &text, utf8);
        if (!drawn && (list || value_story_is_needed(utf8))) {
            value_story_draw(ctx, annot, &text, utf8);
            drawn = true;
        }
        if (drawn)
            pdf_dict_puts(ctx, annot, DRAWN, PDF_TRUE);
    }
    fz_always(ctx)
    {
        fz_free(ctx, utf8);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

static void prepare_widget(fz_context *ctx, pdf_obj *annot, bool asked)
{
    enum pdf_widget_type type = (enum pdf_widget_type) pdf_field_type(ctx, annot);

    if (!pdf_name_eq(ctx, pdf_dict_get(ctx, annot, PDF_NAME(Subtype)), PDF_NAME(Widget)) ||
        !is_text(type) || is_formatted(ctx, annot) || (has_look(ctx, annot) && !asked) ||
        pdf_dict_gets(ctx, annot, DRAWN) ||
        (pdf_field_flags(ctx, annot) & PDF_TX_FIELD_IS_PASSWORD))
        return;
    if (!effort_spend(PREPARED + OPTION * pdf_array_len(ctx, pdf_dict_get_inheritable(
                                                                 ctx, annot, PDF_NAME(Opt)))))
        return;
    disguise(ctx, annot, type);
    draw_apart(ctx, annot, type);
}

/* Whether MuPDF would make an appearance when the page is loaded. */
static bool is_bare(fz_context *ctx, pdf_obj *annot)
{
    return pdf_name_eq(ctx, pdf_dict_get(ctx, annot, PDF_NAME(Subtype)), PDF_NAME(Widget)) &&
           !has_look(ctx, annot);
}

/* Gives a widget an appearance that shows nothing, so that MuPDF makes none, and hides it, so that
 * MuPDF does not run that one. */
static void leave_blank(fz_context *ctx, pdf_obj *annot)
{
    fz_buffer *nothing = fz_new_buffer(ctx, 1);

    fz_try(ctx)
    {
        value_look_give(ctx, annot, &(struct field_text){ .width = 1, .height = 1 }, NULL, nothing);
        pdf_dict_put_int(ctx, annot, PDF_NAME(F),
                         pdf_dict_get_int(ctx, annot, PDF_NAME(F)) | PDF_ANNOT_IS_HIDDEN);
    }
    fz_always(ctx)
    {
        fz_drop_buffer(ctx, nothing);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

static void try_widget(fz_context *ctx, pdf_obj *annots, int i, bool asked)
{
    fz_try(ctx)
    {
        prepare_widget(ctx, pdf_array_get(ctx, annots, i), asked);
    }
    fz_catch(ctx)
    {
        fz_warn(ctx, "a value is drawn in the common way: %s", fz_caught_message(ctx));
    }
}

/* False: the job's budget does not suffice for the appearance that MuPDF would make. */
static bool charge_widget(fz_context *ctx, pdf_obj *annots, int i)
{
    bool afforded = true;

    fz_var(afforded);
    fz_try(ctx)
    {
        pdf_obj *annot = pdf_array_get(ctx, annots, i);

        afforded = !is_bare(ctx, annot) || effort_spend(units_of(ctx, annot));
        if (!afforded)
            leave_blank(ctx, annot);
    }
    fz_catch(ctx)
    {
        fz_warn(ctx, "a field is not drawn: %s", fz_caught_message(ctx));
    }
    return afforded;
}

static bool charge_widgets(fz_context *ctx, pdf_obj *annots, int n)
{
    bool afforded = true;

    for (int i = 0; i < n; i++)
        afforded = charge_widget(ctx, annots, i) && afforded;
    return afforded;
}

static bool prepare(fz_context *ctx, pdf_document *doc, int page)
{
    pdf_obj *annots = NULL;
    bool asked = false;
    int n = 0;

    fz_var(annots);
    fz_var(asked);
    fz_var(n);
    fz_try(ctx)
    {
        asked = pdf_to_bool(
            ctx, pdf_dict_getp(ctx, pdf_trailer(ctx, doc), "Root/AcroForm/NeedAppearances"));
        annots = pdf_dict_get(ctx, pdf_lookup_page_obj(ctx, doc, page), PDF_NAME(Annots));
        n = pdf_array_len(ctx, annots);
    }
    fz_catch(ctx)
    {
        return true;
    }
    for (int i = 0; i < n && i < MAX_WIDGETS; i++)
        try_widget(ctx, annots, i, asked);
    return charge_widgets(ctx, annots, n);
}

fz_page *form_values_load_page(fz_context *ctx, pdf_document *doc, int number, bool *whole)
{
    bool afforded = prepare(ctx, doc, number);
    fz_page *page = fz_load_page(ctx, &doc->super, number);

    afforded = draw_values(ctx, page) && afforded;
    if (whole)
        *whole = afforded;
    return page;
}
