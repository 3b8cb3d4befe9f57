#include "pdf/form_data/form_values.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "pdf/document/doc.h"

int form_values_wrong(struct err *err, const char *fmt, ...)
{
    char text[200];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return err_field(err, ERR_INVALID_PARAMETER, "data", "%s", text);
}

int form_values_row(struct form_values *values, struct err *err)
{
    if (values->n == FORM_ROWS)
        return err_field(err, ERR_LIMIT_EXCEEDED, "data", "the data has more than %d rows",
                         FORM_ROWS);
    if (!LIST_ROOM(values->rows, values->n, values->cap))
        return pdf_doc_no_memory(err);
    values->rows[values->n++] = (struct form_row){ 0 };
    return 0;
}

struct form_value *form_values_add(struct form_values *values, const char *name, size_t n,
                                   enum form_value_type type, struct err *err)
{
    struct form_row *row = &values->rows[values->n - 1];
    struct form_value *value;

    if (row->n == FORM_ROW_VALUES || values->n_values == FORM_VALUES) {
        err_field(err, ERR_LIMIT_EXCEEDED, "data", "the data has too many values");
        return NULL;
    }
    if (!LIST_ROOM(row->items, row->n, row->cap)) {
        pdf_doc_no_memory(err);
        return NULL;
    }
    value = &row->items[row->n];
    *value = (struct form_value){ .name = strndup(name, n), .type = type };
    if (!value->name) {
        pdf_doc_no_memory(err);
        return NULL;
    }
    row->n++;
    values->n_values++;
    return value;
}

int form_value_text(struct form_value *value, const char *text, size_t n, struct err *err)
{
    char **more = reallocarray(value->texts, value->n + 1, sizeof *more);

    if (!more)
        return pdf_doc_no_memory(err);
    value->texts = more;
    value->texts[value->n] = strndup(text, n);
    if (!value->texts[value->n])
        return pdf_doc_no_memory(err);
    value->n++;
    value->type = FORM_VALUE_TEXTS;
    return 0;
}

void form_values_free(struct form_values *values)
{
    for (size_t i = 0; i < values->n; i++) {
        struct form_row *row = &values->rows[i];

        for (size_t j = 0; j < row->n; j++) {
            for (size_t k = 0; k < row->items[j].n; k++)
                free(row->items[j].texts[k]);
            free(row->items[j].texts);
            free(row->items[j].name);
        }
        free(row->items);
    }
    free(values->rows);
    *values = (struct form_values){ 0 };
}
