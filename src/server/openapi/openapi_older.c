#include "server/openapi/openapi_older.h"

#include <stdbool.h>
#include <string.h>

static bool is_word_at(const json_t *object, const char *name, const char *text)
{
    const char *value = json_string_value(json_object_get(object, name));

    return value && strcmp(value, text) == 0;
}

/* The one of `anyOf` that is a file. */
static const json_t *find_binary(const json_t *any)
{
    size_t i;
    const json_t *one;

    json_array_foreach(any, i, one)
    {
        if (is_word_at(one, "format", "binary"))
            return one;
    }
    return NULL;
}

/* A file or a text that names one: generators make a class of such a pair, and send its content as
 * text. */
static void file_only(json_t *schema)
{
    json_t *any = json_object_get(schema, "anyOf");
    const json_t *file = find_binary(any), *other = json_array_get(any, 1);
    const char *said = json_string_value(json_object_get(schema, "description"));
    const char *named = json_string_value(json_object_get(other, "description"));

    if (!file)
        return;
    json_object_set_new(
        schema, "description",
        json_sprintf("%s%sInstead of a file a text field of this name may be sent: %s",
                     said ? said : "", said ? " " : "", named ? named : ""));
    json_object_set_new(schema, "type", json_string("string"));
    json_object_set_new(schema, "format", json_string("binary"));
    json_object_del(schema, "anyOf");
}

/* "type": ["string", "null"], or ["string", "integer"], which are alternatives. */
static void single_type(json_t *schema)
{
    const json_t *types = json_object_get(schema, "type"), *one;
    json_t *others = json_array();
    size_t i;

    json_array_foreach(types, i, one)
    {
        if (strcmp(json_string_value(one), "null") == 0)
            json_object_set_new(schema, "nullable", json_true());
        else
            json_array_append_new(others, json_pack("{sO}", "type", one));
    }
    if (json_array_size(others) == 1)
        json_object_update(schema, json_array_get(others, 0));
    if (json_array_size(others) > 1) {
        json_object_del(schema, "type");
        json_object_set(schema, "anyOf", others);
    }
    json_decref(others);
}

/* All of a form's `oneOf` say which of its fields are required. */
static void drop_required_choice(json_t *schema)
{
    const json_t *first = json_array_get(json_object_get(schema, "oneOf"), 0);

    if (json_object_size(first) == 1 && json_object_get(first, "required"))
        json_object_del(schema, "oneOf");
}

/* A media type without a schema is any bytes; 3.0 has to be told. */
static void describe_bytes(json_t *content)
{
    const char *media;
    json_t *type;

    json_object_foreach(content, media, type)
    {
        if (json_object_size(type) == 0)
            json_object_set_new(type, "schema",
                                json_pack("{ss ss}", "type", "string", "format", "binary"));
    }
}

static void change_schema(json_t *schema)
{
    json_t *examples = json_object_get(schema, "examples");
    json_t *value = json_object_get(schema, "const");

    file_only(schema);
    single_type(schema);
    drop_required_choice(schema);
    json_object_del(schema, "contentMediaType");
    if (value) {
        json_object_set_new(schema, "enum", json_pack("[O]", value));
        json_object_del(schema, "const");
    }
    if (json_is_array(examples)) { /* those of a media type are an object */
        json_object_set(schema, "example", json_array_get(examples, 0));
        json_object_del(schema, "examples");
    }
    if (json_object_get(schema, "$ref") && json_object_size(schema) > 1) {
        json_object_set_new(schema, "allOf",
                            json_pack("[{sO}]", "$ref", json_object_get(schema, "$ref")));
        json_object_del(schema, "$ref");
    }
}

static bool is_value(const char *name)
{
    return strcmp(name, "example") == 0 || strcmp(name, "examples") == 0 ||
           strcmp(name, "default") == 0 || strcmp(name, "enum") == 0;
}

/* `named`: the members have names of their own, such as those of properties, and no keywords. */
static void change(json_t *node, bool named)
{
    json_t *child;
    const char *name;
    size_t i;

    if (json_is_object(node) && !named)
        change_schema(node);
    if (!named)
        describe_bytes(json_object_get(node, "content"));
    json_object_foreach(node, name, child)
    {
        if (named || !is_value(name))
            change(child, !named && strcmp(name, "properties") == 0);
    }
    json_array_foreach(node, i, child)
    {
        change(child, false);
    }
}

void openapi_older(json_t *document)
{
    json_t *info = json_object_get(document, "info"), *license = json_object_get(info, "license");

    change(json_object_get(document, "paths"), false);
    change(json_object_get(document, "components"), false);
    json_object_set_new(document, "openapi", json_string("3.0.3"));
    json_object_del(document, "webhooks");
    json_object_del(info, "summary");
    json_object_set_new(license, "url", json_string("https://www.apache.org/licenses/LICENSE-2.0"));
    json_object_del(license, "identifier");
}
