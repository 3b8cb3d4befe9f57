#include "pdf/content/content.h"

#include <string.h>

#include "base/scope.h"
#include "syntax/pdf/lex.h"

#define NAME_MAX_BYTES 255
#define NAME_ROOM      (3 * NAME_MAX_BYTES + 2) /* bytes of a name whose bytes are all #xx */

const char *const content_categories[CONTENT_KINDS] = {
    "/XObject", "/Font", "/Pattern", "/Shading", "/ExtGState", "/ColorSpace", "/Properties",
};

struct reader {
    struct lex lex;
    content_named *each;
    void *arg;
    char name[NAME_ROOM]; /* the last name among the operands, outside of arrays */
    bool has_name, ends_in_name;
    int compatibility; /* depth of BX ... EX */
};

/* Decodes a name as a C string into NAME_ROOM bytes. */
static bool decode_name(const struct lex_token *token, char *name)
{
    size_t n;

    if (token->n >= NAME_ROOM)
        return false;
    n = lex_name(token, name);
    name[n] = '\0';
    return n <= NAME_MAX_BYTES + 1 && strlen(name) == n;
}

/* Reads the next token, which must be sound. */
static bool next_sound(struct reader *r, struct lex_token *token)
{
    return lex_next(&r->lex, token) && !token->damaged;
}

static bool is_begin(const struct lex_token *token)
{
    return token->kind == LEX_ARRAY_BEGIN || token->kind == LEX_DICT_BEGIN;
}

static bool is_end(const struct lex_token *token)
{
    return token->kind == LEX_ARRAY_END || token->kind == LEX_DICT_END;
}

/* Skips the rest of an array or dictionary. */
static bool skip_nested(struct reader *r)
{
    struct lex_token token;

    for (size_t depth = 1; depth > 0;) {
        if (!next_sound(r, &token))
            return false;
        depth += is_begin(&token);
        depth -= is_end(&token);
    }
    return true;
}

/* Reads from after BI to after EI: the colour space may be a name (table 91). */
static bool read_inline_image(struct reader *r)
{
    struct lex_token token, value;
    char name[NAME_ROOM];
    bool whole;

    while ((whole = next_sound(r, &token)) && token.kind == LEX_NAME) {
        bool is_space = lex_is(&token, "/CS") || lex_is(&token, "/ColorSpace");

        if (!next_sound(r, &value) || is_end(&value) || (is_begin(&value) && !skip_nested(r)))
            return false;
        if (is_space && value.kind == LEX_NAME &&
            (!decode_name(&value, name) || !r->each(r->arg, CONTENT_COLORSPACE, name)))
            return false;
    }
    return whole && lex_is(&token, "ID") && lex_image(&r->lex, &token);
}

struct named_by {
    const char *operator;
    enum content_kind kind;
    bool at_end; /* only if the name is the last operand */
};

static const struct named_by naming[] = {
    { "Do", CONTENT_XOBJECT, true },     { "Tf", CONTENT_FONT, false },
    { "scn", CONTENT_PATTERN, true },    { "SCN", CONTENT_PATTERN, true },
    { "sh", CONTENT_SHADING, true },     { "gs", CONTENT_GSTATE, true },
    { "cs", CONTENT_COLORSPACE, true },  { "CS", CONTENT_COLORSPACE, true },
    { "BDC", CONTENT_PROPERTIES, true }, { "DP", CONTENT_PROPERTIES, true },
};

static bool run_content_operator(struct reader *r, const struct lex_token *token)
{
    for (size_t i = 0; i < COUNT(naming); i++)
        if (lex_is(token, naming[i].operator) && r->has_name &&
            (r->ends_in_name || !naming[i].at_end) && !r->each(r->arg, naming[i].kind, r->name))
            return false;
    r->has_name = r->ends_in_name = false;
    if (lex_is(token, "BX"))
        r->compatibility++;
    else if (lex_is(token, "EX"))
        r->compatibility--;
    else if (lex_is(token, "BI"))
        return read_inline_image(r);
    /* An unknown one means that the content is not understood. */
    return lex_is_operator(token) || r->compatibility > 0;
}

static bool read_content_token(struct reader *r, const struct lex_token *token)
{
    if (token->damaged || is_end(token))
        return false;
    if (token->kind == LEX_WORD && !lex_is_constant(token))
        return run_content_operator(r, token);
    r->ends_in_name = token->kind == LEX_NAME;
    r->has_name = r->has_name || r->ends_in_name;
    if (r->ends_in_name)
        return decode_name(token, r->name);
    return !is_begin(token) || skip_nested(r);
}

bool content_names(const unsigned char *data, size_t n, content_named *each, void *arg)
{
    struct reader r = { .lex = lex_of(data, n), .each = each, .arg = arg };
    struct lex_token token;

    while (lex_next(&r.lex, &token))
        if (!read_content_token(&r, &token))
            return false;
    return true;
}
