#include "server/mcp/mcp_prompts.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/scope.h"

#define NAME       40
#define MOST_VALUE 4000 /* bytes of an argument */

extern const char mcp_prompts_json[];

static json_t *load_prompts(void)
{
    return json_loads(mcp_prompts_json, 0, NULL);
}

static const char *text_member(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

static json_t *find_named(const json_t *list, const char *name)
{
    json_t *each;
    size_t i;

    json_array_foreach(list, i, each)
    {
        if (strcmp(text_member(each, "name"), name) == 0)
            return each;
    }
    return NULL;
}

json_t *mcp_prompts_list(void)
{
    json_t *prompts = load_prompts(), *prompt, *argument;
    size_t i, j;

    json_array_foreach(prompts, i, prompt)
    {
        json_object_del(prompt, "text");
        json_array_foreach(json_object_get(prompt, "arguments"), j, argument)
        {
            json_object_del(argument, "values");
        }
    }
    return prompts;
}

/* The value of an argument that the client gave, "" if it did not. */
static const char *given(const json_t *arguments, const char *at, size_t n)
{
    char name[NAME];

    if (n >= sizeof name)
        return "";
    memcpy(name, at, n);
    name[n] = '\0';
    return text_member(arguments, name);
}

/* Writes the text up to `end`, in which {name} is replaced by an argument, {name?words} by the
 * words if the argument was given, and {name!words} by the words if it was not. Words may hold
 * {name}. */
static void put_words(const char *text, const char *end, const json_t *arguments, struct buf *out)
{
    while (text < end) {
        const char *open = memchr(text, '{', (size_t) (end - text));
        const char *name = open ? open + 1 : end, *stop = name, *close;
        size_t depth = 1;

        buf_put(out, text, (size_t) ((open ? open : end) - text));
        if (!open)
            return;
        while (stop < end && !strchr("?!}", *stop))
            stop++;
        for (close = stop; close < end; close++) {
            depth += *close == '{';
            depth -= *close == '}';
            if (depth == 0)
                break;
        }
        if (*stop == '}')
            buf_puts(out, given(arguments, name, (size_t) (stop - name)));
        else if ((*given(arguments, name, (size_t) (stop - name)) != '\0') == (*stop == '?'))
            put_words(stop + 1, close, arguments, out);
        text = close < end ? close + 1 : end;
    }
}

static int check_arguments(const json_t *prompt, const json_t *arguments, struct mcp_fault *fault)
{
    const json_t *argument, *value;
    const char *name;
    size_t i;

    json_array_foreach(json_object_get(prompt, "arguments"), i, argument)
    {
        name = text_member(argument, "name");
        value = json_object_get(arguments, name);
        if (json_is_true(json_object_get(argument, "required")) && !*text_member(arguments, name))
            return mcp_fault_set(fault, 200, MCP_INVALID_PARAMS,
                                 "the prompt needs the argument %s, a text", name);
        if (value && (!json_is_string(value) || json_string_length(value) > MOST_VALUE))
            return mcp_fault_set(fault, 200, MCP_INVALID_PARAMS,
                                 "the argument %s is a text of at most %d bytes", name, MOST_VALUE);
    }
    return 0;
}

static json_t *new_prompt(const json_t *prompt, const json_t *arguments)
{
    const char *text = text_member(prompt, "text");
    AUTO_BUF struct buf words = BUF_EMPTY;

    put_words(text, text + strlen(text), arguments, &words);
    return json_pack("{ss s[{ss s{ss ss}}]}", "description", text_member(prompt, "description"),
                     "messages", "role", "user", "content", "type", "text", "text",
                     buf_text(&words));
}

json_t *mcp_prompts_get(const struct mcp_message *message, struct mcp_fault *fault)
{
    const json_t *arguments = json_object_get(message->params, "arguments");
    json_t *prompts = load_prompts(), *result = NULL;
    const json_t *prompt = find_named(prompts, text_member(message->params, "name"));

    if (!prompt)
        mcp_fault_set(fault, 200, MCP_INVALID_PARAMS,
                      "there is no such prompt: prompts/list has those that there are");
    else if (check_arguments(prompt, arguments, fault) == 0)
        result = new_prompt(prompt, arguments);
    json_decref(prompts);
    return result;
}

/* Those of a list that begin with a text. */
static json_t *beginning_with(const json_t *list, const char *begins)
{
    json_t *found = json_array(), *value;
    size_t i;

    json_array_foreach(list, i, value)
    {
        if (strncasecmp(json_string_value(value), begins, strlen(begins)) == 0)
            json_array_append(found, value);
    }
    return found;
}

json_t *mcp_prompts_complete(const json_t *params, struct mcp_fault *fault)
{
    const json_t *ref = json_object_get(params, "ref"),
                 *asked = json_object_get(params, "argument");
    json_t *prompts = load_prompts(), *result = NULL, *values;
    const json_t *prompt = strcmp(text_member(ref, "type"), "ref/prompt") == 0
                               ? find_named(prompts, text_member(ref, "name"))
                               : NULL;
    const json_t *argument =
        find_named(json_object_get(prompt, "arguments"), text_member(asked, "name"));

    if (argument) {
        values = beginning_with(json_object_get(argument, "values"), text_member(asked, "value"));
        result = json_pack("{s{so sI sb}}", "completion", "values", values, "total",
                           (json_int_t) json_array_size(values), "hasMore", 0);
    } else {
        mcp_fault_set(fault, 200, MCP_INVALID_PARAMS,
                      "there is no such argument of a prompt: prompts/list has those that there "
                      "are");
    }
    json_decref(prompts);
    return result;
}
