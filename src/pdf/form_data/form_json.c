#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/form_data/form_formats.h"

struct reading {
    struct form_values *values;
    struct buf name; /* of the value at hand */
    struct err *err;
};

/* A number as a person would write it. */
static void write_number(double number, char out[static 40])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, 40, "%.*g", digits, number);
        if (strtod(out, NULL) == number)
            return;
    }
}

static int add_scalar(struct reading *r, struct form_value *value, json_t *from)
{
    char number[40];

    if (json_is_string(from))
        return form_value_text(value, json_string_value(from), json_string_length(from), r->err);
    if (json_is_integer(from))
        snprintf(number, sizeof number, "%lld", (long long) json_integer_value(from));
    else if (json_is_real(from))
        write_number(json_real_value(from), number);
    else
        return form_values_wrong(
            r->err, "the list for \"%.60s\" has a value that is neither a text nor a number",
            value->name);
    return form_value_text(value, number, strlen(number), r->err);
}

static int add_json_value(struct reading *r, json_t *from)
{
    enum form_value_type type = json_is_null(from)    ? FORM_VALUE_CLEAR
                                : json_is_true(from)  ? FORM_VALUE_TRUE
                                : json_is_false(from) ? FORM_VALUE_FALSE
                                                      : FORM_VALUE_TEXTS;
    struct form_value *value =
        form_values_add(r->values, buf_text(&r->name), r->name.len, type, r->err);

    if (!value)
        return -1;
    if (type != FORM_VALUE_TEXTS)
        return 0;
    if (!json_is_array(from))
        return add_scalar(r, value, from);
    for (size_t i = 0; i < json_array_size(from); i++)
        if (add_scalar(r, value, json_array_get(from, i)) < 0)
            return -1;
    if (json_array_size(from) == 0)
        value->type = FORM_VALUE_CLEAR;
    return 0;
}

/* Values by name; the names in an object below are those below the name of that object. */
static int add_object(struct reading *r, json_t *object, int depth)
{
    const char *key;
    json_t *value;

    if (depth == FORM_DEPTH)
        return form_values_wrong(r->err, "the data is nested more than %d deep", FORM_DEPTH);
    json_object_foreach(object, key, value)
    {
        size_t above = r->name.len;
        int done;

        if (above > 0)
            buf_putc(&r->name, '.');
        buf_puts(&r->name, key);
        if (r->name.failed)
            return pdf_doc_no_memory(r->err);
        done = json_is_object(value) ? add_object(r, value, depth + 1) : add_json_value(r, value);
        r->name.len = above;
        if (done < 0)
            return -1;
    }
    return 0;
}

/* The list that form-fields writes. */
static bool is_list(json_t *object)
{
    json_t *list = json_object_get(object, "fields");

    return json_is_array(list) && json_is_string(json_object_get(json_array_get(list, 0), "name"));
}

static int add_list(struct reading *r, json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *one = json_array_get(list, i), *value = json_object_get(one, "value");
        const char *name = json_string_value(json_object_get(one, "name"));

        if (!name)
            return form_values_wrong(r->err, "entry %zu of \"fields\" has no name", i + 1);
        if (!value)
            continue; /* a signature or a push button */
        r->name.len = 0;
        buf_puts(&r->name, name);
        if (add_json_value(r, value) < 0)
            return -1;
    }
    return 0;
}

static int add_row(struct reading *r, json_t *row)
{
    if (!json_is_object(row))
        return form_values_wrong(r->err, "row %zu of the data is not an object of names and values",
                                 r->values->n + 1);
    if (form_values_row(r->values, r->err) < 0)
        return -1;
    r->name.len = 0;
    return is_list(row) ? add_list(r, json_object_get(row, "fields")) : add_object(r, row, 0);
}

static int add_rows(struct reading *r, json_t *root)
{
    if (!json_is_array(root))
        return add_row(r, root);
    if (json_array_size(root) == 0)
        return form_values_wrong(r->err, "the data is an empty list");
    for (size_t i = 0; i < json_array_size(root); i++)
        if (add_row(r, json_array_get(root, i)) < 0)
            return -1;
    return 0;
}

int form_json_read(struct form_values *values, const char *bytes, size_t n, struct err *err)
{
    struct reading r = { .values = values, .err = err };
    json_error_t error;
    json_t *root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &error);
    int done;

    if (!root)
        return form_values_wrong(err, "the data is not JSON: line %d, column %d", error.line,
                                 error.column);
    done = add_rows(&r, root);
    buf_free(&r.name);
    json_decref(root);
    return done;
}
