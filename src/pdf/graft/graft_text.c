#include "pdf/graft/graft_text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "syntax/pdf/lex.h"

struct reader {
    const unsigned char *start;
    struct graft_text *out;
    int depth;            /* open arrays and dictionaries */
    int appearance;       /* the depth whose end ends /AP, 0: not below one */
    bool after_ap;        /* the last token was the key /AP */
    bool after_type;      /* or /Type, of the object itself */
    bool has_s, has_p;    /* keys of the object itself */
    long long numbers[2]; /* the last integers in a row */
    const unsigned char *number_at[2];
    int n_numbers;
};

static void open_container(struct reader *r)
{
    r->depth++;
    if (r->after_ap && r->appearance == 0)
        r->appearance = r->depth;
}

static void close_container(struct reader *r)
{
    if (r->appearance == r->depth)
        r->appearance = 0;
    r->depth--;
}

static bool equals(const char *name, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(name, word, n) == 0;
}

/* The value of /Type: objects that have an identity, so that two equal ones are still two. */
static unsigned type_marks(const char *name, size_t n)
{
    static const char *const loners[] = {
        "HiddenPage", "Annot",   "OCG", "OCMD",     "StructElem", "StructTreeRoot",
        "Filespec",   "Catalog", "Sig", "Outlines", "Template",   "Action",
        "Namespace",  "Bead",    "F",   "MCR",      "OBJR",
    };

    if (equals(name, n, "Page") || equals(name, n, "Pages"))
        return GRAFT_PAGE | GRAFT_LONER;
    if (equals(name, n, "Font"))
        return GRAFT_FONT;
    for (size_t i = 0; i < COUNT(loners); i++)
        if (equals(name, n, loners[i]))
            return GRAFT_LONER;
    return 0;
}

static unsigned name_marks(const char *name, size_t n)
{
    static const struct {
        const char *name;
        unsigned marks;
    } known[] = {
        { "StructParent", GRAFT_STRUCT_PARENT | GRAFT_LONER },
        { "StructParents", GRAFT_STRUCT_PARENT | GRAFT_LONER },
        { "Dest", GRAFT_DEST },
        { "GoTo", GRAFT_DEST },
        { "GoToE", GRAFT_EMBEDDED },
        { "ResetForm", GRAFT_FIELD_ACTION },
        { "SubmitForm", GRAFT_FIELD_ACTION },
        { "Hide", GRAFT_FIELD_ACTION },
        { "Headers", GRAFT_TABLE },
        { "JS", GRAFT_SCRIPT },
    };

    for (size_t i = 0; i < COUNT(known); i++)
        if (equals(name, n, known[i].name))
            return known[i].marks;
    return 0;
}

static void scan_name(struct reader *r, const struct lex_token *token)
{
    const char *name = (const char *) token->at + 1;
    size_t n = token->n - 1;

    if (r->after_type)
        r->out->marks |= type_marks(name, n);
    r->out->marks |= name_marks(name, n);
    r->after_ap = equals(name, n, "AP");
    r->after_type = r->depth == 1 && !r->after_type && equals(name, n, "Type");
    if (r->depth == 1) {
        r->has_s |= equals(name, n, "S");
        r->has_p |= equals(name, n, "P");
        if (equals(name, n, "Parent"))
            r->out->marks |= GRAFT_LONER;
    }
}

static void add_ref(struct reader *r, const struct lex_token *last)
{
    struct graft_text *out = r->out;

    if (r->numbers[0] <= 0 || r->numbers[0] > INT_MAX || r->numbers[1] < 0 || r->numbers[1] > 65535)
        return;
    if (out->n_refs == out->cap) {
        size_t cap = out->cap ? out->cap * 2 : 64;
        struct graft_ref *more = reallocarray(out->refs, cap, sizeof *more);
        if (!more) {
            out->failed = true;
            return;
        }
        out->refs = more;
        out->cap = cap;
    }
    out->refs[out->n_refs++] = (struct graft_ref){
        .id = (int) r->numbers[0],
        .gen = (int) r->numbers[1],
        .start = (size_t) (r->number_at[0] - r->start),
        .end = (size_t) (last->at + last->n - r->start),
        .depth = (uint16_t) (r->depth < UINT16_MAX ? r->depth : UINT16_MAX),
        .appearance = r->appearance || r->after_ap,
    };
}

/* A number, "R", true, false, null. */
static void read_word(struct reader *r, const struct lex_token *token)
{
    long long value = 0;
    bool is_integer = true;

    for (size_t i = 0; i < token->n && is_integer; i++) {
        is_integer = token->at[i] >= '0' && token->at[i] <= '9' && value < LLONG_MAX / 20;
        value = is_integer ? value * 10 + (token->at[i] - '0') : value;
    }
    if (is_integer) {
        if (r->n_numbers == 2) {
            r->numbers[0] = r->numbers[1];
            r->number_at[0] = r->number_at[1];
            r->n_numbers = 1;
        }
        r->numbers[r->n_numbers] = value;
        r->number_at[r->n_numbers++] = token->at;
        return;
    }
    if (r->n_numbers == 2 && lex_is(token, "R"))
        add_ref(r, token);
    r->n_numbers = 0;
    r->after_ap = false;
}

static void scan_token(struct reader *r, const struct lex_token *token)
{
    if (token->kind == LEX_NUMBER || token->kind == LEX_WORD) {
        read_word(r, token);
        r->after_type = false;
        return;
    }
    r->n_numbers = 0;
    if (token->kind == LEX_NAME) {
        scan_name(r, token);
        return;
    }
    if (token->kind == LEX_ARRAY_BEGIN || token->kind == LEX_DICT_BEGIN)
        open_container(r);
    else if (token->kind == LEX_ARRAY_END || token->kind == LEX_DICT_END)
        close_container(r);
    r->after_ap = r->after_type = false;
}

void graft_text_read(struct graft_text *text, const char *bytes, size_t n)
{
    const unsigned char *start = (const unsigned char *) bytes;
    struct lex lex = { start, start + n };
    struct reader r = { .start = start, .out = text };
    struct lex_token token;

    text->n_refs = 0;
    text->marks = 0;
    while (lex_next(&lex, &token))
        scan_token(&r, &token);
    /* /P alone is the parent of many things: all of them are loners. */
    if (r.has_p)
        text->marks |= GRAFT_LONER | (r.has_s ? GRAFT_STRUCT_ELEM : 0);
}

void graft_text_free(struct graft_text *text)
{
    free(text->refs);
    *text = (struct graft_text){ 0 };
}
