#include "server/mcp/mcp_tools.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "declare/value/text.h"

extern const char mcp_tools_json[];

json_t *mcp_tools_list(void)
{
    return json_loads(mcp_tools_json, 0, NULL);
}

static bool is_type(const json_t *value, const char *type)
{
    if (strcmp(type, "string") == 0)
        return json_is_string(value);
    if (strcmp(type, "integer") == 0)
        return json_is_integer(value);
    if (strcmp(type, "boolean") == 0)
        return json_is_boolean(value);
    /* Models often write a list of one thing without its brackets. */
    return strcmp(type, "array") == 0 ? json_is_array(value) || json_is_string(value)
                                      : json_is_object(value);
}

static void list_names(const json_t *properties, struct buf *out)
{
    const char *name;
    json_t *ignored;

    json_object_foreach((json_t *) (uintptr_t) properties, name, ignored)
    {
        buf_printf(out, "%s%s", out->len ? ", " : "", name);
    }
}

static int check_limits(const char *name, const json_t *value, const json_t *schema, char *why,
                        size_t cap)
{
    const json_t *least = json_object_get(schema, "minimum");
    const json_t *most = json_object_get(schema, "maximum");
    const json_t *longest = json_object_get(schema, "maxLength");

    if (json_is_integer(value) &&
        ((least && json_integer_value(value) < json_integer_value(least)) ||
         (most && json_integer_value(value) > json_integer_value(most)))) {
        snprintf(why, cap, "%s is at least %lld", name, (long long) json_integer_value(least));
        if (most)
            snprintf(why, cap, "%s is %lld to %lld", name, (long long) json_integer_value(least),
                     (long long) json_integer_value(most));
        return -1;
    }
    if (longest && json_string_length(value) > (size_t) json_integer_value(longest)) {
        snprintf(why, cap, "%s has at most %lld bytes", name,
                 (long long) json_integer_value(longest));
        return -1;
    }
    return 0;
}

static int check_argument(const char *name, const json_t *value, const json_t *properties,
                          char *why, size_t cap)
{
    const json_t *schema = json_object_get(properties, name);
    const char *type = json_string_value(json_object_get(schema, "type"));
    AUTO_BUF struct buf names = BUF_EMPTY;
    char shown[60];

    if (!type) {
        list_names(properties, &names);
        text_for_message(name, strlen(name), shown, sizeof shown);
        snprintf(why, cap, "there is no argument %s; there are: %s", shown,
                 names.len ? buf_text(&names) : "none");
        return -1;
    }
    if (!is_type(value, type)) {
        snprintf(why, cap, "%s must be of the type %s", name, type);
        return -1;
    }
    return check_limits(name, value, schema, why, cap);
}

static int check_all(const json_t *schema, const json_t *arguments, char *why, size_t cap)
{
    const json_t *properties = json_object_get(schema, "properties"), *needed;
    const char *name;
    json_t *value;
    size_t i;

    json_object_foreach((json_t *) (uintptr_t) arguments, name, value)
    {
        if (check_argument(name, value, properties, why, cap) < 0)
            return -1;
    }
    json_array_foreach(json_object_get(schema, "required"), i, needed)
    {
        if (json_object_get(arguments, json_string_value(needed)))
            continue;
        snprintf(why, cap, "the argument %s is missing", json_string_value(needed));
        return -1;
    }
    return 0;
}

int mcp_tools_check(const char *tool, const json_t *arguments, char *why, size_t cap)
{
    json_t *list = mcp_tools_list(), *each;
    int result = 1;
    size_t i;

    json_array_foreach(list, i, each)
    {
        if (strcmp(json_string_value(json_object_get(each, "name")), tool) == 0)
            result = check_all(json_object_get(each, "inputSchema"), arguments, why, cap);
    }
    json_decref(list);
    return result;
}
