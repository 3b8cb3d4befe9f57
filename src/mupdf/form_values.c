#include "mupdf/form_values.h"

#include <mupdf/pdf.h>
#include <stdbool.h>
#include <string.h>

#include "base/effort.h"

#define MAX_WIDGETS 20000 /* of one page */

/* Units of effort: thousands of fields may share one value or list of options. */
#define WIDGET    30000.0
#define CHARACTER 3000.0
#define LONG      2000.0 /* characters: beyond them each takes longer, as all are fitted again */
#define OPTION    500.0
#define OBJECT    100.0 /* of the document: MuPDF looks at all of them where one is changed */

/* Whether there is a normal appearance; of a button, of any of its states. */
static bool has_look(fz_context *ctx, pdf_obj *annot)
{
    return pdf_dict_getp(ctx, annot, "AP/N") != NULL;
}

static bool is_text(enum pdf_widget_type type)
{
    return type == PDF_WIDGET_TYPE_TEXT || type == PDF_WIDGET_TYPE_COMBOBOX ||
           type == PDF_WIDGET_TYPE_LISTBOX;
}

/* An appearance that a script formatted says more than the value does. */
static bool is_formatted(fz_context *ctx, pdf_obj *annot)
{
    return pdf_dict_getp(ctx, annot, "AA/F") != NULL && has_look(ctx, annot);
}

static bool is_password(fz_context *ctx, pdf_obj *annot, enum pdf_widget_type type)
{
    return type == PDF_WIDGET_TYPE_TEXT && (pdf_field_flags(ctx, annot) & PDF_TX_FIELD_IS_PASSWORD);
}

/* What is shown in the place of a value, in memory: a password's stars, and what an option of a
 * choice is displayed as. MuPDF would show the values themselves. */
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

/* What it takes to draw the value, about. */
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

double form_values_effort(fz_context *ctx, pdf_annot *annot)
{
    pdf_obj *dict = pdf_annot_obj(ctx, annot);

    if (!pdf_name_eq(ctx, pdf_dict_get(ctx, dict, PDF_NAME(Subtype)), PDF_NAME(Widget)) ||
        has_look(ctx, dict))
        return 0;
    return units_of(ctx, dict);
}

static void draw_value(fz_context *ctx, pdf_annot *widget, bool asked)
{
    pdf_obj *annot = pdf_annot_obj(ctx, widget);
    enum pdf_widget_type type = pdf_widget_type(ctx, widget);

    if (type == PDF_WIDGET_TYPE_SIGNATURE || type == PDF_WIDGET_TYPE_UNKNOWN ||
        is_formatted(ctx, annot))
        return;
    /* MuPDF gives a password that has no appearance one that shows it, when the page is loaded. */
    if (!(asked && is_text(type)) && !is_password(ctx, annot, type) && has_look(ctx, annot))
        return;
    if (!effort_spend(units_of(ctx, annot)))
        fz_throw(ctx, FZ_ERROR_GENERIC, "the job has no effort left for it");
    disguise(ctx, annot, type);
    pdf_dict_del(ctx, annot, PDF_NAME(AP));
    pdf_annot_request_resynthesis(ctx, widget);
    pdf_update_annot(ctx, widget);
}

bool form_values_draw(fz_context *ctx, fz_page *page)
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
