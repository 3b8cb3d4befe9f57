#include "pdf/content/balance.h"

#include "base/scope.h"
#include "syntax/pdf/lex.h"

#define MAX_CONTENT (256 << 20)

void balance_content(const unsigned char *data, size_t n, struct balance *balance)
{
    struct lex lex = { data, data + n };
    struct lex_token token;
    long depth = 0, lowest = 0;

    while (n > 0 && lex_next(&lex, &token)) {
        if (lex_is(&token, "q"))
            depth++;
        else if (lex_is(&token, "Q") && --depth < lowest)
            lowest = depth;
        else if (lex_is(&token, "ID"))
            lex_image(&lex, &token);
    }
    balance->before = (size_t) (1 - lowest);
    balance->after = (size_t) (1 - lowest + depth);
}

static int too_large(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "a page's content is too large");
}

int balance_page(struct obj page, struct balance *balance, struct err *err)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;

    *balance = (struct balance){ 1, 1 };
    if (obj_content_is_excessive(page))
        return too_large(err);
    if (!obj_page_content(page, &data, &n))
        return 0;
    if (n > MAX_CONTENT)
        return too_large(err);
    if (data)
        balance_content(data, n, balance);
    return 0;
}
