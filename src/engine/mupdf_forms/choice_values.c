#include "engine/mupdf_forms/choice_values.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/effort.h"
#include "base/utf8.h"
#include "pdf/forms/field_widget.h"

#define MAX_VALUES 200

pdf_obj *choice_values_displayed(fz_context *ctx, pdf_obj *options, pdf_obj *value)
{
    int n = pdf_array_len(ctx, options);

    if (!effort_spend(FIELD_WIDGET_OPTION * n))
        fz_throw(ctx, FZ_ERROR_GENERIC, "the job has no effort left for it");
    for (int i = 0; i < n; i++) {
        pdf_obj *option = pdf_array_get(ctx, options, i);

        if (pdf_array_len(ctx, option) == 2 &&
            pdf_objcmp(ctx, pdf_array_get(ctx, option, 0), value) == 0)
            return pdf_array_get(ctx, option, 1);
    }
    return value;
}

static bool is_characters(const char *text)
{
    return utf8_is_valid(text, strlen(text));
}

char *choice_values_read(fz_context *ctx, pdf_obj *widget)
{
    pdf_obj *value = pdf_dict_get_inheritable(ctx, widget, PDF_NAME(V));
    pdf_obj *options = pdf_dict_get_inheritable(ctx, widget, PDF_NAME(Opt));
    int n = pdf_is_array(ctx, value) ? pdf_array_len(ctx, value) : 1;
    pdf_obj *shown[MAX_VALUES];
    struct buf texts = BUF_EMPTY;

    n = n > MAX_VALUES ? MAX_VALUES : n;
    for (int i = 0; i < n; i++) { /* all that may throw, before there is memory to free */
        shown[i] = choice_values_displayed(
            ctx, options, pdf_is_array(ctx, value) ? pdf_array_get(ctx, value, i) : value);
        if (pdf_is_string(ctx, shown[i]) && !is_characters(pdf_to_text_string(ctx, shown[i])))
            fz_throw(ctx, FZ_ERROR_GENERIC, "a value is not text");
    }
    for (int i = 0; i < n; i++) {
        const char *text = pdf_is_string(ctx, shown[i]) ? pdf_to_text_string(ctx, shown[i]) : "";

        if (*text)
            buf_put(&texts, text, strlen(text) + 1);
    }
    if (texts.len)
        buf_putc(&texts, '\0');
    return buf_take(&texts);
}
