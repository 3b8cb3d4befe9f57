#include "pdf_content/content.h"

#include <string.h>

#include "base/num.h"
#include "base/ps.h"
#include "base/scope.h"
#include "pdf_content/operators.h"

#define NAME_MAX_BYTES 255
#define MAX_NESTING    100

const char *const content_categories[CONTENT_KINDS] = {
    "/XObject", "/Font", "/Pattern", "/Shading", "/ExtGState", "/ColorSpace", "/Properties",
};

struct reader {
    const unsigned char *at, *end;
    content_named *each;
    void *cls;
    char name[NAME_MAX_BYTES + 2]; /* the last name among the operands, outside of arrays */
    bool has_name, ends_in_name;
    int compatibility; /* depth of BX ... EX */
};

static void skip_space(struct reader *r)
{
    r->at = ps_skip_space(r->at, r->end);
}

/* A name from its slash on; NULL `out` skips it. */
static bool read_name(struct reader *r, char *out)
{
    size_t n = 0;
    char unused[NAME_MAX_BYTES + 2];

    out = out ? out : unused;
    out[n++] = '/';
    r->at++;
    while (r->at < r->end && ps_is_regular(*r->at)) {
        int c = ps_name_byte(&r->at, r->end);

        if (n > NAME_MAX_BYTES || c == 0)
            return false;
        out[n++] = (char) c;
    }
    out[n] = '\0';
    return true;
}

static bool skip_string(struct reader *r)
{
    size_t n = ps_string_length(r->at, (size_t) (r->end - r->at));

    r->at += n;
    return n > 0;
}

static bool skip_hex_string(struct reader *r)
{
    for (r->at++; r->at < r->end && *r->at != '>'; r->at++)
        if (num_hex_digit((char) *r->at) < 0 && !ps_is_space(*r->at))
            return false;
    return r->at++ < r->end;
}

/* An array or dictionary, with all in it. */
static bool skip_nested(struct reader *r)
{
    int depth = 0;

    do {
        skip_space(r);
        if (r->at >= r->end)
            return false;
        bool twice = r->end - r->at > 1 && r->at[0] == r->at[1];

        if (*r->at == '[' || (*r->at == '<' && twice)) {
            r->at += *r->at == '[' ? 1 : 2;
            if (++depth > MAX_NESTING)
                return false;
        } else if (*r->at == ']' || (*r->at == '>' && twice)) {
            r->at += *r->at == ']' ? 1 : 2;
            depth--;
        } else if (*r->at == '(') {
            if (!skip_string(r))
                return false;
        } else if (*r->at == '<') {
            if (!skip_hex_string(r))
                return false;
        } else if (*r->at == '/') {
            if (!read_name(r, NULL))
                return false;
        } else if (ps_is_regular(*r->at)) {
            while (r->at < r->end && ps_is_regular(*r->at))
                r->at++;
        } else {
            return false;
        }
    } while (depth > 0);
    return true;
}

/* Reads from after BI to after EI: the colour space may be a name (table 91). */
static bool read_inline_image(struct reader *r)
{
    char key[NAME_MAX_BYTES + 2], value[NAME_MAX_BYTES + 2];

    for (skip_space(r); r->at < r->end && *r->at == '/'; skip_space(r)) {
        if (!read_name(r, key))
            return false;
        skip_space(r);
        if (r->at < r->end && *r->at == '/') {
            bool is_space_name;

            if (!read_name(r, value))
                return false;
            is_space_name = strcmp(key, "/CS") == 0 || strcmp(key, "/ColorSpace") == 0;
            if (is_space_name && !r->each(r->cls, CONTENT_COLORSPACE, value))
                return false;
        } else if (r->at < r->end && strchr("[<(", *r->at)) {
            if (*r->at == '(' ? !skip_string(r) : !skip_nested(r))
                return false;
        } else {
            while (r->at < r->end && ps_is_regular(*r->at))
                r->at++;
        }
    }
    if (r->end - r->at < 3 || r->at[0] != 'I' || r->at[1] != 'D')
        return false;
    for (r->at += 3; r->end - r->at >= 2; r->at++) {
        if (operators_end_image(r->at, r->end)) {
            r->at += 2;
            return true;
        }
    }
    return false;
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

/* All others: one that is not here means that we lost our way. */
static bool is_operator(const char *word)
{
    static const char all[] = " b B b* B* BI BMC BT BX c cm d d0 d1 EMC ET EX f F f* G g h i "
                              "j J K k l m M MP n q Q re RG rg ri s S sc SC T* Tc Td TD Tj TJ TL "
                              "Tm Tr Ts Tw Tz v w W W* y ' \" ";
    char padded[8] = " ";

    if (strlen(word) > 4)
        return false;
    memcpy(padded + 1, word, strlen(word));
    memcpy(padded + 1 + strlen(word), " ", 2);
    return strstr(all, padded) != NULL;
}

static bool run_operator(struct reader *r, const char *word)
{
    bool known = is_operator(word);

    for (size_t i = 0; i < COUNT(naming); i++) {
        if (strcmp(word, naming[i].operator) != 0)
            continue;
        known = true;
        if (r->has_name && (r->ends_in_name || !naming[i].at_end) &&
            !r->each(r->cls, naming[i].kind, r->name))
            return false;
    }
    r->has_name = r->ends_in_name = false;
    if (strcmp(word, "BX") == 0)
        r->compatibility++;
    else if (strcmp(word, "EX") == 0)
        r->compatibility--;
    else if (strcmp(word, "BI") == 0)
        return read_inline_image(r);
    return known || r->compatibility > 0;
}

static bool read_word(struct reader *r)
{
    char word[64];
    size_t n = 0;

    for (; r->at < r->end && ps_is_regular(*r->at); r->at++)
        if (n < sizeof word - 1)
            word[n++] = (char) *r->at;
    word[n] = '\0';
    if (n == 0)
        return false;
    if (strchr("+-.0123456789", word[0]) || strcmp(word, "true") == 0 ||
        strcmp(word, "false") == 0 || strcmp(word, "null") == 0) {
        r->ends_in_name = false;
        return true;
    }
    return run_operator(r, word);
}

static bool read_token(struct reader *r)
{
    switch (*r->at) {
    case '/':
        r->has_name = r->ends_in_name = true;
        return read_name(r, r->name);
    case '(':
        r->ends_in_name = false;
        return skip_string(r);
    case '<':
    case '[':
        r->ends_in_name = false;
        if (*r->at == '<' && (r->end - r->at < 2 || r->at[1] != '<'))
            return skip_hex_string(r);
        return skip_nested(r);
    default:
        return read_word(r);
    }
}

bool content_names(const unsigned char *data, size_t n, content_named *each, void *cls)
{
    struct reader r = { .at = data, .each = each, .cls = cls };

    if (n == 0)
        return true; /* data may be NULL, from where there is no way on */
    r.end = data + n;
    for (skip_space(&r); r.at < r.end; skip_space(&r))
        if (!read_token(&r))
            return false;
    return true;
}
