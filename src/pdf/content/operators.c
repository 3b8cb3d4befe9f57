#include "pdf/content/operators.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/list.h"
#include "syntax/pdf/lex.h"

#define MAX_OPERANDS 1000000 /* of one operator: arrays of shown text are long */
#define MAX_WORD     126

struct reader {
    struct lex lex;
    const unsigned char *data;
    struct operators_place *place; /* or NULL */
    bool inside;                   /* of operands, or of an inline image */
    operators_each *each;
    void *arg;
    struct operand *operands;
    size_t n, cap;
    struct buf bytes; /* of the operands; their places are offsets until they are handed out */
};

static bool call_visitor(struct reader *r, const char *op, const struct operand *operands, size_t n)
{
    if (r->place)
        r->place->end = (size_t) (r->lex.at - r->data);
    r->inside = false;
    return r->each(r->arg, op, operands, n);
}

static struct operand *add_operand(struct reader *r, enum operand_type type)
{
    if (r->n >= MAX_OPERANDS || !LIST_ROOM(r->operands, r->n, r->cap))
        return NULL;
    r->operands[r->n] = (struct operand){ .type = type, .n = r->bytes.len };
    return &r->operands[r->n++];
}

/* Names end with a NUL. */
static bool add_text(struct reader *r, const struct lex_token *token)
{
    bool is_name = token->kind == LEX_NAME;
    char *to = buf_room(&r->bytes, token->n + 1);
    size_t n;

    if (!to || !add_operand(r, is_name ? OPERAND_NAME : OPERAND_STRING))
        return false;
    n = is_name ? lex_name(token, to) : lex_string(token, to);
    to[n] = '\0';
    buf_added(&r->bytes, n + is_name);
    return true;
}

static bool skip_image(struct reader *r)
{
    struct lex_token data;
    bool ends = lex_image(&r->lex, &data);

    if (r->place)
        r->place->image = (size_t) (data.at - r->data);
    return ends && call_visitor(r, "EI", NULL, 0);
}

static bool visit_operator(struct reader *r, const struct lex_token *token)
{
    char word[MAX_WORD + 1];
    size_t length = token->n < MAX_WORD ? token->n : MAX_WORD;
    bool more;

    if (lex_is(token, "BI")) {
        r->n = r->bytes.len = 0;
        return true;
    }
    for (size_t i = 0; i < r->n; i++) {
        struct operand *o = &r->operands[i];
        size_t end = i + 1 < r->n ? r->operands[i + 1].n : r->bytes.len;

        o->bytes = buf_text(&r->bytes) + o->n;
        o->n = end - o->n - (o->type == OPERAND_NAME);
    }
    memcpy(word, token->at, length);
    word[length] = '\0';
    more = strcmp(word, "ID") == 0 ? skip_image(r) : call_visitor(r, word, r->operands, r->n);
    r->n = r->bytes.len = 0;
    return more;
}

static bool read_operand(struct reader *r, const struct lex_token *token)
{
    struct operand *operand;

    if (r->place && !r->inside)
        r->place->begin = (size_t) (token->at - r->data);
    r->inside = true;
    if (token->kind == LEX_NAME || token->kind == LEX_STRING || token->kind == LEX_HEX)
        return add_text(r, token);
    if (token->kind == LEX_NUMBER) {
        operand = add_operand(r, OPERAND_NUMBER);
        if (operand)
            operand->number = lex_number(token, NULL);
        return operand != NULL;
    }
    if (token->kind != LEX_WORD)
        return true; /* arrays and dictionaries are reported as their items */
    return lex_is_constant(token) ? add_operand(r, OPERAND_OTHER) != NULL
                                  : visit_operator(r, token);
}

bool operators_read(const unsigned char *data, size_t n, operators_each *each, void *arg)
{
    return operators_read_at(data, n, each, arg, NULL);
}

bool operators_read_at(const unsigned char *data, size_t n, operators_each *each, void *arg,
                       struct operators_place *place)
{
    struct reader r = { .data = data, .place = place, .each = each, .arg = arg };
    struct lex_token token;
    bool whole = true;

    if (n == 0)
        return true;
    r.lex = lex_of(data, n);
    while (whole && lex_next(&r.lex, &token))
        whole = read_operand(&r, &token);
    free(r.operands);
    buf_free(&r.bytes);
    return whole;
}

double operators_number(const struct operand *operands, size_t n, size_t i)
{
    return i < n && operands[i].type == OPERAND_NUMBER ? operands[i].number : 0;
}
