#include "pdf/content/balance.h"

#include <stdint.h>

#include "base/scope.h"
#include "syntax/pdf/lex.h"

#define MAX_CONTENT (256 << 20)

/* The arrays and dictionaries around a token: a bit for each, 1 for a dictionary. */
struct nesting {
    uint64_t kinds;
    size_t depth;
    bool unknown; /* they end in another order than they begin, or are too many */
};

static void follow_nesting(struct nesting *nesting, const struct lex_token *token)
{
    bool dict = token->kind == LEX_DICT_BEGIN || token->kind == LEX_DICT_END;

    if (token->kind == LEX_ARRAY_BEGIN || token->kind == LEX_DICT_BEGIN) {
        nesting->unknown |= nesting->depth == 64;
        nesting->kinds = nesting->kinds << 1 | dict;
        nesting->depth++;
    } else if ((token->kind == LEX_ARRAY_END || token->kind == LEX_DICT_END) &&
               nesting->depth > 0) {
        nesting->unknown |= (nesting->kinds & 1) != dict;
        nesting->kinds >>= 1;
        nesting->depth--;
    }
}

/* A damaged hexadecimal string may have its end. */
static bool is_open_string(const struct lex_token *token)
{
    return token->damaged && (token->kind == LEX_STRING ||
                              (token->kind == LEX_HEX && token->at[token->n - 1] != '>'));
}

void balance_content(const unsigned char *data, size_t n, struct balance *balance)
{
    struct lex lex = lex_of(data, n);
    struct lex_token token;
    struct nesting nesting = { 0 };
    long depth = 0, lowest = 0;
    bool in_string = false, in_image = false;

    while (n > 0 && lex_next(&lex, &token)) {
        in_string = is_open_string(&token);
        follow_nesting(&nesting, &token);
        if (lex_is(&token, "q"))
            depth++;
        else if (lex_is(&token, "Q") && --depth < lowest)
            lowest = depth;
        else if (lex_is(&token, "BI"))
            in_image = true;
        else if (lex_is(&token, "ID"))
            in_image = !lex_image(&lex, &token);
    }
    balance->before = (size_t) (1 - lowest);
    balance->after = (size_t) (1 - lowest + depth);
    balance->open = in_string || in_image || nesting.depth > 0 || nesting.unknown;
}

static int too_large(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "a page's content is too large");
}

int balance_page(struct obj page, struct balance *balance, struct err *err)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;

    *balance = (struct balance){ 1, 1, false };
    if (obj_content_is_excessive(page))
        return too_large(err);
    if (!obj_page_content(page, &data, &n)) {
        balance->open = true;
        return 0;
    }
    if (n > MAX_CONTENT)
        return too_large(err);
    if (data)
        balance_content(data, n, balance);
    /* The library decodes what it can of data that is cut off, and warns. */
    if (!balance->open && qpdf_more_warnings(page.q))
        balance->open = !obj_content_is_whole(page);
    return 0;
}
