#include "engine/page_search/string_kind.h"

#include <string.h>

#include "pdf/redact/redact_entity.h"

static bool is_among(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static const char *name_below(fz_context *ctx, pdf_obj *dict, const char *key)
{
    return pdf_to_name(ctx, pdf_dict_gets(ctx, dict, key));
}

static bool has(fz_context *ctx, pdf_obj *dict, const char *key)
{
    return pdf_dict_gets(ctx, dict, key) != NULL;
}

static bool is_field(fz_context *ctx, pdf_obj *dict)
{
    return strcmp(name_below(ctx, dict, "Subtype"), "Widget") == 0 || has(ctx, dict, "FT") ||
           (has(ctx, dict, "T") && has(ctx, dict, "Kids"));
}

static bool is_annotation(fz_context *ctx, pdf_obj *dict)
{
    return has(ctx, dict, "Rect") && has(ctx, dict, "Subtype");
}

static bool is_attachment(fz_context *ctx, pdf_obj *dict, const char *key)
{
    static const char *const keys[] = { "F", "UF", "Desc", "DOS", "Mac", "Unix", NULL };

    return is_among(key, keys) &&
           (has(ctx, dict, "EF") || strcmp(name_below(ctx, dict, "Type"), "Filespec") == 0);
}

static bool is_page_label(fz_context *ctx, pdf_obj *dict, const char *key)
{
    return strcmp(key, "P") == 0 && !has(ctx, dict, "Subtype") && !has(ctx, dict, "K") &&
           pdf_is_string(ctx, pdf_dict_gets(ctx, dict, "P"));
}

static const char *kind_in(fz_context *ctx, pdf_obj *dict, const char *key)
{
    static const char *const described[] = { "Alt", "ActualText", "E", NULL };
    static const char *const title[] = { "Title", NULL };

    if (is_among(key, described) || has(ctx, dict, "Pg") ||
        strcmp(name_below(ctx, dict, "Type"), "StructElem") == 0)
        return "structure";
    if (strcmp(key, "URI") == 0 || strcmp(key, "Base") == 0)
        return "link";
    if (strcmp(key, "JS") == 0)
        return "script";
    if (is_attachment(ctx, dict, key))
        return "attachment";
    if (strcmp(name_below(ctx, dict, "Type"), "OCG") == 0)
        return "layer";
    if (is_field(ctx, dict) || strcmp(key, "XFA") == 0)
        return "field";
    if (is_annotation(ctx, dict))
        return "annotation";
    if (is_among(key, title) && has(ctx, dict, "Parent"))
        return "outline";
    if (is_page_label(ctx, dict, key))
        return "page-label";
    return strcmp(key, "Names") == 0 || strcmp(key, "Limits") == 0 ? "name" : "string";
}

void string_kind_find(fz_context *ctx, pdf_obj *dict, const char *key, struct string_place *place)
{
    place->kind = place->metadata ? "metadata" : kind_in(ctx, dict, key);
}

bool string_kind_of_stream(fz_context *ctx, pdf_obj *dict, struct string_place *place, bool *markup,
                           size_t *n_not_text)
{
    const char *type = name_below(ctx, dict, "Type"), *subtype = name_below(ctx, dict, "Subtype");

    *markup = strcmp(type, "Metadata") == 0 || strstr(subtype, "xml") || strstr(subtype, "html");
    if (strcmp(type, "Metadata") == 0) {
        place->kind = "metadata";
        return true;
    }
    if (strcmp(type, "EmbeddedFile") == 0 || has(ctx, dict, "Params")) {
        place->kind = "attachment";
        if (strncmp(subtype, "text", 4) == 0 || *markup || strstr(subtype, "json") || !*subtype)
            return true;
        ++*n_not_text;
    }
    return false;
}

uint32_t string_kind_entity(const char *text, size_t n, size_t *at)
{
    uint32_t code = 0;
    size_t length = redact_entity(text + *at, n - *at, &code);

    *at += length ? length : 1;
    return length ? code : '&';
}
