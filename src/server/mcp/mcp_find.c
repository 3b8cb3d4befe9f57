#include "server/mcp/mcp_find.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "declare/value/text.h"
#include "server/mcp/mcp_show.h"
#include "server/openapi/openapi_schema.h"

#define WORD  40
#define SHOWN 5 /* tools that a query finds */

/* What people say, and the tool that does it. */
static const struct {
    const char *word, *tool;
} sayings[] = {
    { "shrink", "compress" },
    { "smaller", "compress" },
    { "optimize", "compress" },
    { "reduce", "compress" },
    { "combine", "merge" },
    { "join", "merge" },
    { "concatenate", "merge" },
    { "docx", "to-word" },
    { "word", "to-word" },
    { "xlsx", "to-excel" },
    { "tables", "to-excel" },
    { "spreadsheet", "to-excel" },
    { "md", "to-markdown" },
    { "txt", "to-text" },
    { "encrypt", "add-password" },
    { "protect", "add-password" },
    { "lock", "add-password" },
    { "decrypt", "remove-password" },
    { "unlock", "remove-password" },
    { "searchable", "ocr" },
    { "scan", "ocr" },
    { "scanned", "ocr" },
    { "recognise", "ocr" },
    { "recognize", "ocr" },
    { "fix", "repair" },
    { "damaged", "repair" },
    { "broken", "repair" },
    { "stamp", "watermark" },
    { "number", "page-numbers" },
    { "signature", "sign" },
    { "image", "jpg-to-pdf" },
    { "photo", "jpg-to-pdf" },
    { "picture", "to-png" },
    { "thumbnail", "to-png" },
    { "extract", "split" },
    { "pages", "split" },
    { "turn", "rotate" },
    { "json", "extract" },
    { "chunks", "extract" },
};

static bool has_word(const char *text, const char *word)
{
    return text && strcasestr(text, word) != NULL;
}

static int score_word(const struct tool *tool, const char *word)
{
    int score = 0;

    if (strcasecmp(tool->name, word) == 0)
        score += 12;
    else if (has_word(tool->name, word))
        score += 5;
    for (size_t i = 0; i < COUNT(sayings); i++)
        if (strcasecmp(sayings[i].word, word) == 0 && strcmp(sayings[i].tool, tool->name) == 0)
            score += 6;
    if (strlen(word) > 2 && has_word(tool->summary, word))
        score += 2;
    if (tool->gives && strcasecmp(tool->gives, word) == 0)
        score += 1;
    return score;
}

static int score_tool(const struct tool *tool, const char *query)
{
    int score = 0;
    char word[WORD];

    for (const char *at = query; *at;) {
        size_t n = 0;

        while (isalnum((unsigned char) at[n]) || at[n] == '-')
            n++;
        if (n > 1 && n < WORD) {
            snprintf(word, sizeof word, "%.*s", (int) n, at);
            score += score_word(tool, word);
        }
        at += n ? n : 1;
    }
    return score;
}

static json_t *show_params(const struct tool *tool)
{
    json_t *schema = openapi_request_schema(tool);
    json_t *properties = json_object_get(schema, "properties"), *params = json_object();
    size_t n_common;
    const struct param *common = tool_common_params(&n_common);

    for (size_t i = 0; i < tool->n_params + n_common; i++) {
        const struct param *p = i < tool->n_params ? &tool->params[i] : &common[i - tool->n_params];
        json_t *param = json_object_get(properties, p->name);

        if (p->type == PARAM_UPLOAD)
            param = json_pack("{ss ss}", "type", "string", "description", p->help);
        else
            json_incref(param);
        if (p->required)
            json_object_set_new(param, "required", json_true());
        json_object_set_new(params, p->name, param);
    }
    json_decref(schema);
    return params;
}

static json_t *show_tool(const struct tool *tool, bool whole)
{
    char taken[200];
    json_t *object;

    tool_list_accepted(tool, taken, sizeof taken);
    object = json_pack("{ss ss ss ss}", "tool", tool->name, "summary", tool->summary, "takes",
                       taken, "gives", tool->gives);
    if (tool->many)
        json_object_set_new(object, "givesSeveralFiles", json_true());
    json_object_set_new(object, "files",
                        json_pack("{sI sI}", "least", (json_int_t) tool->min_files, "most",
                                  (json_int_t) tool->max_files));
    if (whole) {
        json_object_set_new(object, "params", show_params(tool));
        for (size_t i = 0; tool->one_of[i]; i++) {
            if (i == 0)
                json_object_set_new(object, "exactlyOneOf", json_array());
            json_array_append_new(json_object_get(object, "exactlyOneOf"),
                                  json_string(tool->one_of[i]));
        }
    }
    return object;
}

static json_t *list_all(const struct catalog *catalog)
{
    json_t *tools = json_array();
    const struct tool *tool;

    for (size_t i = 0; (tool = catalog_at(catalog, i)); i++)
        json_array_append_new(tools,
                              json_pack("{ss ss}", "tool", tool->name, "summary", tool->summary));
    return mcp_show_data("These are all tools. Call find_tool with one of them for its params.",
                         json_pack("{so}", "tools", tools));
}

/* The best of the tools that were not chosen yet. */
static const struct tool *next_best(const struct catalog *catalog, const char *query,
                                    const struct tool *const *chosen, size_t n)
{
    const struct tool *best = NULL, *tool;
    int most = 0;

    for (size_t i = 0; (tool = catalog_at(catalog, i)); i++) {
        int score = score_tool(tool, query);

        for (size_t j = 0; j < n; j++)
            if (chosen[j] == tool)
                score = 0;
        if (score > most) {
            most = score;
            best = tool;
        }
    }
    return best;
}

static json_t *search_tools(const struct catalog *catalog, const char *query)
{
    const struct tool *chosen[SHOWN];
    json_t *tools;
    size_t n = 0;

    while (n < SHOWN && (chosen[n] = next_best(catalog, query, chosen, n)))
        n++;
    if (n == 0)
        return list_all(catalog);
    tools = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(tools, show_tool(chosen[i], i == 0));
    return mcp_show_data("The best match is first, with its params. Call find_tool with another "
                         "tool for its params.",
                         json_pack("{so}", "tools", tools));
}

static json_t *show_one(const struct catalog *catalog, const char *name)
{
    const struct tool *tool = catalog_find(catalog, name, &(struct worker *){ NULL });
    const char *nearest = tool ? NULL : catalog_nearest(catalog, name);
    char shown[60], why[200];

    if (tool && !tool->hidden)
        return mcp_show_data("Call run with these params.", show_tool(tool, true));
    text_for_message(name, strlen(name), shown, sizeof shown);
    snprintf(why, sizeof why, "there is no tool %s%s%s; find_tool without arguments lists all",
             shown, nearest ? ", did you mean " : "", nearest ? nearest : "");
    return mcp_show_fault(why);
}

json_t *mcp_find(const struct catalog *catalog, const char *query, const char *tool)
{
    if (tool && *tool)
        return show_one(catalog, tool);
    return query && *query ? search_tools(catalog, query) : list_all(catalog);
}
