#include "server/api_submit/key_form.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/scope.h"
#include "base/system/net.h"
#include "declare/value/text.h"
#include "server/api_call/scope.h"

#define SHOWN 64 /* bytes of a wrong value in a message */

_Static_assert(KEY_ADDRESSES == NET_LIST_TEXT, "a list of networks is kept as it was written");

/* The texts of a JSON list with blanks between them, which none of them contains. */
static int join(const json_t *list, const char *field, char *out, size_t cap, struct err *err)
{
    const json_t *value;
    size_t n = 0, i;

    *out = '\0';
    json_array_foreach(list, i, value)
    {
        const char *text = json_string_value(value);

        if (!text || !*text || strpbrk(text, " ,\t\r\n"))
            return err_field(err, ERR_INVALID_SCOPE, field,
                             "%s must be a list of texts without blanks", field);
        n += (size_t) snprintf(out + n, cap - n, "%s%s", n ? " " : "", text);
        if (n >= cap)
            return err_field(err, ERR_INVALID_SCOPE, field,
                             "%s are too many: all together may have %zu bytes", field, cap - 1);
    }
    return 0;
}

static int read_tools(const json_t *list, const struct catalog *catalog, struct key_form *form,
                      struct err *err)
{
    char joined[KEY_TOOLS], shown[SHOWN];
    const json_t *value;
    size_t i;

    json_array_foreach(list, i, value)
    {
        const char *name = json_string_value(value);
        const struct tool *tool = name ? catalog_find(catalog, name, NULL) : NULL;

        if (name && strcmp(name, PIPELINE_NAME) == 0)
            return err_field(err, ERR_INVALID_SCOPE, "tools",
                             "tools must name the tools of the pipelines, not pipeline");
        if (name && (!tool || tool->hidden)) {
            text_for_message(name, strlen(name), shown, sizeof shown);
            return err_field(err, ERR_INVALID_SCOPE, "tools", "there is no tool %s", shown);
        }
    }
    if (join(list, "tools", joined, sizeof joined, err) < 0)
        return -1;
    return key_tools_read(joined, form->tools)
               ? 0
               : err_field(err, ERR_INVALID_SCOPE, "tools", "tools are too many");
}

static int read_addresses(const json_t *list, struct key_form *form, struct err *err)
{
    struct net_list nets;
    struct err inner;

    if (join(list, "addresses", form->addresses, sizeof form->addresses, err) < 0)
        return -1;
    if (net_list_read(form->addresses, &nets, &inner) == 0)
        return 0;
    return err_field(err, ERR_INVALID_SCOPE, "addresses", "addresses: %s", inner.msg);
}

static int read_name(const char *name, struct key_form *form, struct err *err)
{
    size_t characters;

    if (!text_count(name, strlen(name), &characters) || characters == 0 ||
        strlen(name) >= KEY_NAME || !text_is_line(name))
        return err_field(err, ERR_INVALID_PARAMETER, "name",
                         "name must be one line of text of 1 to %d bytes", KEY_NAME - 1);
    snprintf(form->name, sizeof form->name, "%s", name);
    return 0;
}

int key_form_read(const struct buf *text, const struct catalog *catalog, struct key_form *form,
                  struct err *err)
{
    json_t *json = json_loadb(buf_text(text), text->len, 0, NULL);
    const char *name = NULL, *scope = "manage";
    json_t *tools = NULL, *addresses = NULL;
    int test = 0, done = 0;

    *form = (struct key_form){ 0 };
    if (json_unpack(json, "{ss s?s s?b s?o s?o !}", "name", &name, "scope", &scope, "test", &test,
                    "tools", &tools, "addresses", &addresses) < 0 ||
        (tools && !json_is_array(tools)) || (addresses && !json_is_array(addresses)))
        done = err_set(err, ERR_INVALID_REQUEST,
                       "send a JSON object with name (text) and, if you like, scope (text), test "
                       "(true or false), tools and addresses (lists of texts)");
    else if ((form->scope = key_scope_find(scope)) == KEY_SCOPES)
        done = err_field(err, ERR_INVALID_SCOPE, "scope",
                         "scope must be one of: submit, read, manage");
    else if (read_name(name, form, err) < 0 || read_tools(tools, catalog, form, err) < 0 ||
             read_addresses(addresses, form, err) < 0)
        done = -1;
    form->test = test != 0;
    json_decref(json);
    return done;
}

int key_form_check_steps(const struct key *key, const struct pipeline *pipeline, struct err *err)
{
    for (size_t i = 0; i < pipeline->n; i++)
        if (scope_check_tool(key, pipeline->steps[i].tool->name, err) < 0)
            return -1;
    return 0;
}

static void show_list(json_t *object, const char *name, const char *texts)
{
    json_t *list = json_array();

    for (const char *at = texts + strspn(texts, " ,"); *at; at += strspn(at, " ,")) {
        size_t n = strcspn(at, " ,");

        json_array_append_new(list, json_stringn(at, n));
        at += n;
    }
    if (json_array_size(list))
        json_object_set(object, name, list);
    json_decref(list);
}

void key_form_show(json_t *object, const struct key *key)
{
    json_object_set_new(object, "scope", json_string(key_scope_name(key_scope(key->prefix))));
    json_object_set_new(object, "test", json_boolean(key_is_test(key->prefix)));
    show_list(object, "tools", key->tools);
    show_list(object, "addresses", key->addresses);
}
