#include "pdf/object/rewrite_text.h"

#include "syntax/pdf/lex.h"

struct copying {
    const char *const *without;
    rewrite_number *number;
    void *arg;
    struct buf *out;
    const unsigned char *copied;      /* what comes before is in `out`, or left out */
    const unsigned char *integers[2]; /* the last two tokens, */
    int n_integers;                   /* as far as they are integers */
    int depth;                        /* of arrays and dictionaries */
    bool value_next;                  /* the dictionary's last token was a key */
    bool leaving_out;
};

static void copy_up_to(struct copying *c, const unsigned char *end)
{
    if (!c->leaving_out)
        buf_put(c->out, c->copied, (size_t) (end - c->copied));
    c->copied = end;
}

static int integer_at(const unsigned char *digits)
{
    unsigned value = 0;

    for (; *digits >= '0' && *digits <= '9' && value < 100000000; digits++)
        value = 10 * value + (unsigned) (*digits - '0');
    return (int) value;
}

static bool put_reference(struct copying *c, const unsigned char *end)
{
    unsigned number;

    if (c->leaving_out)
        return true;
    if (!c->number(c->arg, integer_at(c->integers[0]), integer_at(c->integers[1]), &number))
        return false;
    copy_up_to(c, c->integers[0]);
    if (number)
        buf_printf(c->out, "%u 0 R", number);
    else
        buf_puts(c->out, "null");
    c->copied = end;
    return true;
}

static bool is_left_out(const struct copying *c, const struct lex_token *key)
{
    for (const char *const *name = c->without; name && *name; name++)
        if (lex_is(key, *name))
            return true;
    return false;
}

/* A name in the outer dictionary: a key, or its value. */
static void see_name(struct copying *c, const struct lex_token *token)
{
    if (c->value_next) {
        c->value_next = false;
        return;
    }
    copy_up_to(c, token->at);
    c->leaving_out = is_left_out(c, token);
    c->value_next = true;
}

static void see_end(struct copying *c, const struct lex_token *token)
{
    if (--c->depth > 0)
        return;
    copy_up_to(c, token->at);
    c->leaving_out = false;
}

static bool see(struct copying *c, const struct lex_token *token)
{
    bool refers = token->kind == LEX_WORD && c->n_integers == 2 && lex_is(token, "R");

    if (token->kind != LEX_NUMBER)
        c->n_integers = 0;
    else if (c->n_integers < 2)
        c->integers[c->n_integers++] = token->at;
    else
        c->integers[0] = c->integers[1], c->integers[1] = token->at;
    if (c->depth == 1 && token->kind == LEX_NAME)
        see_name(c, token);
    else if (c->depth == 1)
        c->value_next = false;
    if (token->kind == LEX_DICT_BEGIN || token->kind == LEX_ARRAY_BEGIN)
        c->depth++;
    else if (token->kind == LEX_DICT_END || token->kind == LEX_ARRAY_END)
        see_end(c, token);
    return !refers || put_reference(c, token->at + token->n);
}

bool rewrite_text(const char *text, size_t n, const char *const *without, rewrite_number *number,
                  void *arg, struct buf *out)
{
    struct lex lex = { (const unsigned char *) text, (const unsigned char *) text + n };
    struct copying c = {
        .without = without, .number = number, .arg = arg, .out = out, .copied = lex.at
    };
    struct lex_token token;

    while (lex_next(&lex, &token))
        if (!see(&c, &token))
            return false;
    copy_up_to(&c, lex.end);
    return true;
}
