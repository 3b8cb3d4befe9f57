#include "declare/value/property_list.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/text.h"

static int fill_list(const char *name, json_t *json, struct property_list *out, struct err *err)
{
    const char *key;
    json_t *value;

    if (!json_is_object(json) || json_object_size(json) > PROPERTY_LIST_ITEMS)
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "%s must be a JSON object of at most %d texts, such as "
                         "{\"Project\":\"Blue\"}",
                         name, PROPERTY_LIST_ITEMS);
    out->items = calloc(json_object_size(json) + 1, sizeof *out->items);
    if (!out->items)
        return err_set(err, ERR_LIMIT_EXCEEDED, "out of memory");
    json_object_foreach(json, key, value)
    {
        struct property *one = &out->items[out->n];
        size_t n;

        if (!json_is_string(value) ||
            !text_count(json_string_value(value), json_string_length(value), &n))
            return err_field(err, ERR_INVALID_PARAMETER, name,
                             "each value of %s must be a text without control characters", name);
        *one = (struct property){ strdup(key), strdup(json_string_value(value)) };
        out->n++;
        if (!one->name || !one->value)
            return err_set(err, ERR_LIMIT_EXCEEDED, "out of memory");
    }
    return 0;
}

int property_list_read(const char *name, const char *text, struct property_list *out,
                       struct err *err)
{
    json_error_t why;
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    int done;

    *out = (struct property_list){ 0 };
    if (!json)
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s is not JSON: line %d, column %d",
                         name, why.line, why.column);
    done = fill_list(name, json, out, err);
    json_decref(json);
    return done;
}

void property_list_free(struct property_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free(list->items[i].name);
        free(list->items[i].value);
    }
    free(list->items);
    *list = (struct property_list){ 0 };
}
