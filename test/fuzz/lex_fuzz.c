/*
 * Input: PDF syntax. Its tokens lie one after another, with nothing but white space and comments
 * between them, and are the same if they are written again with a space between them; decoded
 * texts fit where they are put.
 */
#include "syntax/pdf/lex.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "fuzz.h"

static void must(bool what)
{
    if (!what)
        abort();
}

static void decode(const struct lex_token *token)
{
    AUTO_FREE char *text = malloc(token->n); /* the sanitizer guards its end */
    double value = token->kind == LEX_NUMBER ? lex_number(token, NULL) : 0;

    must(text && value < 1e200 && value > -1e200);
    if (token->kind == LEX_NAME)
        must(lex_name(token, text) <= token->n && *text == '/');
    if (token->kind == LEX_STRING || token->kind == LEX_HEX)
        must(lex_string(token, text) < token->n);
    must(!lex_is_operator(token) || token->kind == LEX_WORD);
}

/* Only white space and comments, which end within them. */
static void must_be_blank(const unsigned char *at, const unsigned char *end)
{
    struct lex gap = { at, end };

    lex_skip_space(&gap);
    must(gap.at == end);
}

static void write_again(const struct lex_token *token, struct buf *again)
{
    buf_put(again, token->at, token->n);
    buf_putc(again, ' ');
}

static void compare(const uint8_t *data, size_t n, const struct buf *again)
{
    const unsigned char *written = (const unsigned char *) buf_text(again);
    struct lex a = { data, data + n }, b = { written, written + again->len };
    struct lex_token x, y;

    while (lex_next(&a, &x) && !x.damaged) {
        must(lex_next(&b, &y) && !y.damaged);
        must(x.kind == y.kind && x.n == y.n && memcmp(x.at, y.at, x.n) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct lex lex = { data, data + n };
    AUTO_BUF struct buf again = BUF_EMPTY;
    struct lex_token token;

    for (const unsigned char *before = data; lex_next(&lex, &token); before = lex.at) {
        must(token.n > 0 && token.at >= before && token.at + token.n == lex.at);
        must(lex.at <= data + n);
        must_be_blank(before, token.at);
        decode(&token);
        write_again(&token, &again);
        if (lex_is(&token, "ID")) {
            struct lex rest = lex;

            lex_image(&rest, &token);
            must(rest.at >= lex.at && rest.at <= data + n && token.at + token.n <= rest.at);
        }
    }
    must(lex.at == data + n);
    compare(data, n, &again);
    return 0;
}
