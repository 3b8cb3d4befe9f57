#include "engine/mupdf_forms/form_values.h"

#include "base/effort.h"
#include "base/scope.h"
#include "engine/mupdf_forms/form_widget.h"
#include "engine/mupdf_forms/value_story.h"

#define MAX_WIDGETS 20000         /* limit of one page */
#define DRAWN       "PlatenDrawn" /* key of widgets that were drawn when the page was loaded before */

/* Units of effort (base/effort.h). */
#define WIDGET    30000.0
#define CHARACTER 3000.0
#define OPTION    500.0
#define LONG      2000.0 /* characters from which each takes longer, because all are fitted again */
/* an object of the document: MuPDF visits all of them when one is changed */
#define OBJECT 100.0

/* Whether there is a normal appearance; of a button, for any of its states. */
static bool has_look(fz_context *ctx, pdf_obj *annot)
{
    return pdf_dict_getp(ctx, annot, "AP/N") != NULL;
}

static bool is_widget(fz_context *ctx, pdf_obj *annot)
{
    return pdf_name_eq(ctx, pdf_dict_get(ctx, annot, PDF_NAME(Subtype)), PDF_NAME(Widget));
}

static bool is_text(fz_context *ctx, pdf_obj *annot)
{
    int type = pdf_field_type(ctx, annot);

    return type == PDF_WIDGET_TYPE_TEXT || type == PDF_WIDGET_TYPE_COMBOBOX ||
           type == PDF_WIDGET_TYPE_LISTBOX;
}

/* Estimates the work of drawing the value. */
static double units_of(fz_context *ctx, pdf_obj *annot)
{
    pdf_obj *value = pdf_dict_get_inheritable(ctx, annot, PDF_NAME(V));
    double length = 0;

    if (pdf_is_string(ctx, value))
        length = (double) pdf_to_str_len(ctx, value);
    else if (pdf_is_stream(ctx, value))
        length = pdf_dict_get_int(ctx, value, PDF_NAME(Length));
    return WIDGET + CHARACTER * length * (1 + length / LONG) +
           OPTION * pdf_array_len(ctx, pdf_dict_get_inheritable(ctx, annot, PDF_NAME(Opt))) +
           OBJECT * pdf_xref_len(ctx, pdf_get_bound_document(ctx, annot));
}

/* Gives a widget an appearance with its value, unless it has one that is to be used: that of a
 * value which a script formatted has more information than the value. */
static void draw_value(fz_context *ctx, pdf_obj *annot, bool asked, struct field_widget *widget,
                       struct buf *content)
{
    struct value_story story;
    pdf_obj *font = NULL;
    size_t picture;

    if (!is_widget(ctx, annot) || !is_text(ctx, annot) || pdf_dict_gets(ctx, annot, DRAWN) ||
        (has_look(ctx, annot) && (!asked || pdf_dict_getp(ctx, annot, "AA/F"))))
        return;
    if (!effort_spend(units_of(ctx, annot)))
        fz_throw(ctx, FZ_ERROR_GENERIC, "the job has no effort left for it");
    if (!form_widget_read(ctx, annot, widget, &font))
        return;
    value_story_begin(&story, ctx, pdf_get_bound_document(ctx, annot));
    switch (field_widget_draw(widget, &story.painter, content, &picture)) {
    case FIELD_WIDGET_TEXT:
        form_widget_give_text(ctx, annot, widget, font, content);
        break;
    case FIELD_WIDGET_PICTURE:
        value_story_give(&story, annot, widget, content);
        break;
    case FIELD_WIDGET_FAILED:
        fz_throw(ctx, FZ_ERROR_GENERIC, "its value cannot be drawn");
    }
    pdf_dict_puts(ctx, annot, DRAWN, PDF_TRUE);
}

/* Gives a widget an appearance that shows nothing, so that MuPDF makes none, and hides it, so that
 * MuPDF does not run that one. */
static void leave_blank(fz_context *ctx, pdf_obj *annot)
{
    static const struct field_widget nothing = { .text = { .width = 1, .height = 1 } };
    const struct buf empty = BUF_EMPTY;

    form_widget_give(ctx, annot, &nothing, "Font", PDF_NULL, &empty);
    pdf_dict_put_int(ctx, annot, PDF_NAME(F),
                     pdf_dict_get_int(ctx, annot, PDF_NAME(F)) | PDF_ANNOT_IS_HIDDEN);
}

/* When it loads a page, MuPDF gives a widget without an appearance one, and shows a password there.
 * False: the job's budget does not suffice, and the widget stays blank. */
static bool charge_widget(fz_context *ctx, pdf_obj *annot)
{
    bool secret;

    if (!is_widget(ctx, annot) || has_look(ctx, annot))
        return true;
    secret = is_text(ctx, annot) && (pdf_field_flags(ctx, annot) & FIELD_PASSWORD);
    if (!secret && effort_spend(units_of(ctx, annot)))
        return true;
    leave_blank(ctx, annot);
    return !effort_is_spent();
}

/* Calls one of the two functions above for a widget. False if the budget does not suffice. */
static bool prepare_widget(fz_context *ctx, pdf_obj *annots, int i, bool asked)
{
    AUTO_FIELD_WIDGET struct field_widget widget = { .turns = 0 };
    AUTO_BUF struct buf content = BUF_EMPTY;
    bool afforded = true;

    fz_var(afforded);
    fz_try(ctx)
    {
        draw_value(ctx, pdf_array_get(ctx, annots, i), asked, &widget, &content);
    }
    fz_catch(ctx)
    {
        fz_warn(ctx, "a value is not drawn: %s", fz_caught_message(ctx));
        afforded = !effort_is_spent();
    }
    fz_try(ctx)
    {
        afforded = charge_widget(ctx, pdf_array_get(ctx, annots, i)) && afforded;
    }
    fz_catch(ctx)
    {
        fz_warn(ctx, "a field is not drawn: %s", fz_caught_message(ctx));
    }
    return afforded;
}

/* Whether the field above is the field itself, or one that is marked. */
static bool leads_back(fz_context *ctx, pdf_obj *field)
{
    pdf_obj *above = pdf_dict_get(ctx, field, PDF_NAME(Parent));
    bool marked = above && pdf_obj_marked(ctx, above);

    return marked || pdf_objcmp_resolve(ctx, above, field) == 0;
}

/* MuPDF loads no page with a widget whose fields lead in a circle: the field where it closes is
 * made the topmost one. */
static void cut_circle(fz_context *ctx, pdf_obj *widget)
{
    pdf_obj *field = widget, *above;

    while (pdf_is_dict(ctx, field) && !leads_back(ctx, field)) {
        pdf_mark_obj(ctx, field);
        field = pdf_dict_get(ctx, field, PDF_NAME(Parent));
    }
    if (pdf_is_dict(ctx, field))
        pdf_dict_del(ctx, field, PDF_NAME(Parent));
    for (field = widget; pdf_is_dict(ctx, field) && pdf_obj_marked(ctx, field); field = above) {
        above = pdf_dict_get(ctx, field, PDF_NAME(Parent));
        pdf_unmark_obj(ctx, field);
    }
}

static void try_to_cut(fz_context *ctx, pdf_obj *annots, int i)
{
    fz_try(ctx)
    {
        cut_circle(ctx, pdf_array_get(ctx, annots, i));
    }
    fz_catch(ctx)
    {
        fz_warn(ctx, "the fields of a widget cannot be read: %s", fz_caught_message(ctx));
    }
}

static bool prepare(fz_context *ctx, pdf_document *doc, int page)
{
    pdf_obj *annots = NULL;
    bool asked = false, afforded = true;
    int n = 0;

    fz_var(annots);
    fz_var(asked);
    fz_var(afforded);
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
    for (int i = 0; i < n; i++)
        try_to_cut(ctx, annots, i);
    for (int i = 0; i < n; i++)
        afforded = prepare_widget(ctx, annots, i, asked && i < MAX_WIDGETS) && afforded;
    return afforded;
}

fz_page *form_values_load_page(fz_context *ctx, pdf_document *doc, int number, bool *whole)
{
    bool afforded = prepare(ctx, doc, number);

    if (whole)
        *whole = afforded;
    return fz_load_page(ctx, &doc->super, number);
}
