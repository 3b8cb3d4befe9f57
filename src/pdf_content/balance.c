#include "pdf_content/balance.h"

#include <stdbool.h>
#include <string.h>

#include "base/ps.h"
#include "base/scope.h"

#define MAX_CONTENT (256 << 20)

struct reader {
    const unsigned char *p, *end;
    long depth, lowest;
};

static void skip_string(struct reader *r)
{
    size_t rest = (size_t) (r->end - r->p), n = ps_string_length(r->p, rest);

    r->p += n > 0 ? n : rest;
}

/* From ID to the EI that ends the picture: one between blanks (8.9.7). */
static void skip_picture(struct reader *r)
{
    while (r->p + 3 < r->end &&
           !(ps_is_space(r->p[0]) && r->p[1] == 'E' && r->p[2] == 'I' && !ps_is_regular(r->p[3])))
        r->p++;
    r->p = r->p + 3 < r->end ? r->p + 3 : r->end;
}

static void read_word(struct reader *r)
{
    const unsigned char *word = r->p;

    while (r->p < r->end && ps_is_regular(*r->p))
        r->p++;
    size_t n = (size_t) (r->p - word);
    if (n == 1 && *word == 'q')
        r->depth++;
    else if (n == 1 && *word == 'Q' && --r->depth < r->lowest)
        r->lowest = r->depth;
    else if (n == 2 && memcmp(word, "ID", 2) == 0)
        skip_picture(r);
}

void balance_content(const unsigned char *data, size_t n, struct balance *balance)
{
    struct reader r = { .p = data, .end = data + n };

    while (r.p < r.end) {
        if (*r.p == '(')
            skip_string(&r);
        else if (*r.p == '%')
            while (r.p < r.end && *r.p != '\n' && *r.p != '\r')
                r.p++;
        else if (*r.p == '/')
            do
                r.p++;
            while (r.p < r.end && ps_is_regular(*r.p));
        else if (!ps_is_regular(*r.p))
            r.p++;
        else
            read_word(&r);
    }
    balance->before = (size_t) (1 - r.lowest);
    balance->after = (size_t) (1 - r.lowest + r.depth);
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
