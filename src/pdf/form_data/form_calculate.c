#include "pdf/form_data/form_calculate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/effort.h"
#include "base/scope.h"
#include "pdf/form_data/form_script.h"
#include "pdf/form_data/form_set.h"
#include "pdf/object/idmap.h"

#define COMPARISON 30.0 /* units of effort (base/effort.h): of a name with that of a field */

/* What the values of several fields come to. */
struct total {
    const char *operation;
    double value;
    size_t n;
};

static void add_number(struct total *total, double number)
{
    if (strcmp(total->operation, "PRD") == 0)
        total->value = total->n ? total->value * number : number;
    else if (strcmp(total->operation, "MIN") == 0)
        total->value = total->n ? fmin(total->value, number) : number;
    else if (strcmp(total->operation, "MAX") == 0)
        total->value = total->n ? fmax(total->value, number) : number;
    else
        total->value += number;
    total->n++;
}

/* Whether a name is that of the field, or of one above it. */
static bool is_named(const struct form_field *field, const char *name, size_t n)
{
    return strncmp(field->name, name, n) == 0 && (field->name[n] == '\0' || field->name[n] == '.');
}

static bool add_fields(const struct form_fields *fields, const char *name, struct total *total)
{
    if (!effort_spend(COMPARISON * (double) fields->n))
        return false;
    for (size_t i = 0; i < fields->n; i++) {
        AUTO_BUF struct buf value = BUF_EMPTY;
        double number = 0;

        if (!is_named(&fields->items[i], name, strlen(name)))
            continue;
        form_value_read(&fields->items[i], &value);
        if (!form_script_number(buf_text(&value), &number))
            number = 0; /* as an empty field counts */
        add_number(total, number);
    }
    return true;
}

/* A result with at most six decimals, as scripts round it. */
static void write_result(double value, char out[static 64])
{
    size_t n;

    if (!isfinite(value))
        value = 0;
    if (fabs(value) >= 1e15) {
        snprintf(out, 64, "%.15g", value);
        return;
    }
    snprintf(out, 64, "%.6f", value);
    n = strlen(out);
    while (n > 0 && out[n - 1] == '0')
        out[--n] = '\0';
    if (n > 0 && out[n - 1] == '.')
        out[--n] = '\0';
    if (strcmp(out, "-0") == 0)
        snprintf(out, 64, "0");
}

/* False if the job's budget does not suffice. */
static bool calculate(struct form_fields *fields, struct form_field *field,
                      const struct form_script *script, bool *is_new)
{
    struct total total = { .operation = script->operation };
    AUTO_BUF struct buf before = BUF_EMPTY;
    char text[64];

    for (size_t i = 0; i < script->n_names; i++)
        if (!add_fields(fields, script->names[i], &total))
            return false;
    if (strcmp(script->operation, "AVG") == 0 && total.n > 0)
        total.value /= (double) total.n;
    write_result(total.value, text);
    form_value_read(field, &before);
    *is_new = strcmp(buf_text(&before), text) != 0;
    if (*is_new) {
        AUTO_OBJ struct obj value = obj_new_string(field->dict.q, text, strlen(text));

        obj_set(field->dict, "/V", value);
        obj_remove(field->dict, "/RV");
    }
    return true;
}

static bool index_fields(const struct form_fields *fields, struct idmap *map)
{
    for (size_t i = 0; i < fields->n; i++) {
        int64_t id = obj_id(fields->items[i].dict);

        if (id && !idmap_add(map, id, i))
            return false;
    }
    return true;
}

int form_calculate(struct form_fields *fields, const bool *given, bool *changed, size_t *left,
                   const char **first, struct err *err)
{
    AUTO_OBJ struct obj order = obj_key(fields->form, "/CO");
    AUTO_IDMAP struct idmap map = { 0 };
    int n = obj_count(order);

    *left = 0;
    *first = NULL;
    if (n == 0)
        return 0;
    if (!index_fields(fields, &map))
        return pdf_doc_no_memory(err);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(order, i);
        size_t at = obj_id(item) ? idmap_find(&map, obj_id(item)) : IDMAP_NONE;
        AUTO_FORM_SCRIPT struct form_script script = { 0 };
        bool is_new = false;

        if (at == IDMAP_NONE || given[at])
            continue;
        form_script_read(&script, fields->items[at].dict, "/C");
        if (script.kind == FORM_SCRIPT_NONE)
            continue;
        if (script.kind != FORM_SCRIPT_CALCULATION || fields->items[at].kind != FORM_TEXT ||
            !calculate(fields, &fields->items[at], &script, &is_new)) {
            *first = *left ? *first : fields->items[at].name;
            ++*left;
        }
        changed[at] |= is_new;
    }
    return 0;
}
