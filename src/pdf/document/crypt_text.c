#include "pdf/document/crypt_text.h"

#include "syntax/pdf/lex.h"
#include "syntax/pdf/literal.h"

static void put_string(const struct crypt *crypt, int number, const struct lex_token *token,
                       struct buf *out)
{
    AUTO_BUF struct buf plain = BUF_EMPTY, secret = BUF_EMPTY;
    char *bytes = buf_room(&plain, token->n);

    if (bytes)
        buf_added(&plain, lex_string(token, bytes));
    crypt_put(crypt, crypt->strings, number, 0, buf_text(&plain), plain.len, &secret);
    literal_put_hex(out, secret.data, secret.len);
    out->failed |= secret.failed || plain.failed;
}

void crypt_strings(const struct crypt *crypt, int number, struct buf *text)
{
    const unsigned char *copied = (const unsigned char *) buf_text(text);
    struct lex lex = { copied, copied + text->len };
    struct lex_token token;
    AUTO_BUF struct buf out = BUF_EMPTY;

    while (lex_next(&lex, &token)) {
        if (token.kind != LEX_STRING && token.kind != LEX_HEX)
            continue;
        buf_put(&out, copied, (size_t) (token.at - copied));
        put_string(crypt, number, &token, &out);
        copied = lex.at;
    }
    buf_put(&out, copied, (size_t) (lex.end - copied));
    out.failed |= text->failed;
    buf_free(text);
    *text = out;
    out = BUF_EMPTY;
}
