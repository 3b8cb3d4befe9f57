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
    { "small", "compress" },
    { "size", "compress" },
    { "optimize", "compress" },
    { "reduce", "compress" },
    { "combine", "merge" },
    { "join", "merge" },
    { "concatenate", "merge" },
    { "append", "merge" },
    { "docx", "to-word" },
    { "word", "to-word" },
    { "xlsx", "to-excel" },
    { "spreadsheet", "to-excel" },
    { "excel", "to-excel" },
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
    { "corrupt", "repair" },
    { "stamp", "watermark" },
    { "draft", "watermark" },
    { "confidential", "watermark" },
    { "signature", "sign" },
    { "certificate", "sign" },
    { "image", "jpg-to-pdf" },
    { "photo", "jpg-to-pdf" },
    { "photos", "jpg-to-pdf" },
    { "picture", "to-png" },
    { "thumbnail", "to-png" },
    { "screenshot", "to-png" },
    { "difference", "compare" },
    { "differences", "compare" },
    { "diff", "compare" },
    { "changed", "compare" },
    { "versions", "compare" },
    { "tif", "to-tiff" },
    { "fax", "to-tiff" },
    { "vector", "to-svg" },
    { "cut", "split" },
    { "chapters", "split" },
    { "turn", "rotate" },
    { "upside", "rotate" },
    { "landscape", "rotate" },
    { "json", "extract" },
    { "chunks", "extract" },
    { "retrieval", "extract" },
    { "rag", "extract" },
    { "crop", "pages" },
    { "margins", "pages" },
    { "booklet", "pages" },
    { "reorder", "pages" },
    { "delete", "pages" },
    { "resize", "pages" },
    { "fill", "fill-form" },
    { "fields", "form-fields" },
    { "author", "metadata" },
    { "title", "metadata" },
    { "keywords", "metadata" },
    { "fonts", "info" },
    { "signed", "info" },
    { "slides", "ppt-to-pdf" },
    { "presentation", "ppt-to-pdf" },
};

/* Words that say nothing of what is to be done. */
static const char *const empty_words[] = {
    "a",    "all",  "an",   "and",   "are", "as",   "at",       "does", "file",
    "for",  "from", "get",  "have",  "has", "in",   "into",     "is",   "it",
    "make", "my",   "of",   "on",    "one", "or",   "pdf",      "that", "the",
    "this", "to",   "what", "which", "who", "with", "document",
};

static bool is_empty(const char *word)
{
    for (size_t i = 0; i < COUNT(empty_words); i++)
        if (strcasecmp(empty_words[i], word) == 0)
            return true;
    return false;
}

/* Whether the text has the word, as a whole or as a plural. */
static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = text; at && (at = strcasestr(at, word)); at++) {
        const char *after = at + n + (tolower((unsigned char) at[n]) == 's');

        if ((at == text || !isalnum((unsigned char) at[-1])) && !isalnum((unsigned char) *after))
            return true;
    }
    return false;
}

static bool has_param(const struct tool *tool, const char *word)
{
    for (size_t i = 0; i < tool->n_params; i++)
        if (has_word(tool->params[i].help, word) || strcasecmp(tool->params[i].name, word) == 0)
            return true;
    return false;
}

static int score_word(const struct tool *tool, const char *word)
{
    int score = 0;

    if (is_empty(word))
        return 0;
    if (strcasecmp(tool->name, word) == 0)
        score += 6;
    else if (has_word(tool->name, word))
        score += 5;
    for (size_t i = 0; i < COUNT(sayings); i++)
        if (strcasecmp(sayings[i].word, word) == 0 && strcmp(sayings[i].tool, tool->name) == 0)
            score += 8;
    if (has_word(tool->summary, word))
        score += 3;
    if (tool->gives && strcasecmp(tool->gives, word) == 0)
        score += 2;
    return score + has_param(tool, word);
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
    /* What makes a PDF of something else, if that is what is meant. */
    if (score > 0 && strlen(tool->name) > 7 &&
        strcmp(tool->name + strlen(tool->name) - 7, "-to-pdf") == 0 &&
        (strcasestr(query, "to pdf") || strcasestr(query, "to a pdf") ||
         strcasestr(query, "one pdf") || strcasestr(query, "as pdf")))
        score += 10;
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
