#include "compress/content/content.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "compress/content/content_part.h"
#include "syntax/pdf/lex.h"

#define MAX_SAVED    256
#define MAX_OPERANDS 100000 /* of one operator */
#define MAX_OPERATOR 3      /* bytes of the longest */
#define MAX_NUMBER   24     /* bytes of one that is understood */

struct shortener {
    struct lex lex;
    const unsigned char *begin; /* of an inline image: its BI */
    struct token *tokens;
    size_t n, cap;
    struct content_state now, *saved;
    size_t n_saved, cap_saved;
    bool exact;
    struct {
        double x, y;
        int decimals;
    } corners[5];     /* of the path at hand, as far as it may be a rectangle */
    size_t n_corners; /* 0: it is not a path */
    size_t path;      /* where it begins in `out` */
    struct inline_image {
        size_t data, n; /* where its data begin in `out`, and their length */
    } * images;
    size_t n_images, cap_images;
    struct buf *out;
};

static enum token_type type_of(const struct lex_token *token)
{
    return token->kind == LEX_NAME                               ? TOKEN_NAME
           : token->kind == LEX_STRING || token->kind == LEX_HEX ? TOKEN_STRING
                                                                 : TOKEN_OTHER;
}

static bool add(struct shortener *s, const struct lex_token *token)
{
    struct token *t;
    int decimals;

    if (s->n >= MAX_OPERANDS || !LIST_ROOM(s->tokens, s->n, s->cap))
        return false;
    t = &s->tokens[s->n++];
    *t = (struct token){ .type = type_of(token), .data = token->at, .n = token->n };
    if (token->kind != LEX_NUMBER || token->n > MAX_NUMBER)
        return true;
    t->number = lex_number(token, &decimals);
    if (decimals >= 0 && fabs(t->number) < 1e7) {
        t->type = TOKEN_NUMBER;
        t->decimals = decimals;
    }
    return true;
}

/* The end of the last token, for deciding about a separator. */
static bool ends_regular(const struct buf *out)
{
    return out->len > 0 && lex_is_regular((unsigned char) out->data[out->len - 1]);
}

static void put_operator(struct shortener *s, const char *op)
{
    if (ends_regular(s->out))
        buf_putc(s->out, ' ');
    buf_puts(s->out, op);
}

static bool save(struct shortener *s)
{
    if (s->n_saved >= MAX_SAVED || !LIST_ROOM(s->saved, s->n_saved, s->cap_saved))
        return false;
    s->saved[s->n_saved++] = s->now;
    return true;
}

/* Savings in an earlier stream are not known. */
static void restore(struct shortener *s)
{
    if (s->n_saved > 0)
        s->now = s->saved[--s->n_saved];
    else
        memset(s->now.set, 0, sizeof s->now.set);
}

/* An inline image from BI to EI, as it is. */
static bool copy_image(struct shortener *s)
{
    struct inline_image *image;
    struct lex_token data;

    if (!lex_image(&s->lex, &data) || !LIST_ROOM(s->images, s->n_images, s->cap_images))
        return false;
    if (ends_regular(s->out))
        buf_putc(s->out, ' ');
    image = &s->images[s->n_images++];
    image->data = s->out->len + (size_t) (data.at - s->begin);
    image->n = data.n;
    buf_put(s->out, s->begin, (size_t) (s->lex.at - s->begin));
    buf_putc(s->out, '\n');
    s->n = 0;
    s->begin = NULL;
    return true;
}

/* Whether inline images end at the same places as before: readers look at what follows, which
 * moved. */
static bool images_end(const struct shortener *s)
{
    const unsigned char *out = (const unsigned char *) s->out->data;

    for (size_t i = 0; i < s->n_images; i++) {
        struct lex after_id = { out + s->images[i].data - 1, out + s->out->len };
        struct lex_token data;

        if (!lex_image(&after_id, &data) || data.n != s->images[i].n)
            return false;
    }
    return true;
}

static void note_corner(struct shortener *s, bool first, size_t at)
{
    const struct token *t = s->tokens;
    bool good = s->n == 2 && t[0].type == TOKEN_NUMBER && t[1].type == TOKEN_NUMBER &&
                t[0].decimals <= CONTENT_DECIMALS && t[1].decimals <= CONTENT_DECIMALS;

    if (first) {
        s->path = at;
        s->n_corners = 0;
    } else if (s->n_corners == 0) {
        return;
    }
    if (!good || s->n_corners == COUNT(s->corners)) {
        s->n_corners = 0;
        return;
    }
    s->corners[s->n_corners].x = t[0].number;
    s->corners[s->n_corners].y = t[1].number;
    s->corners[s->n_corners++].decimals =
        t[0].decimals > t[1].decimals ? t[0].decimals : t[1].decimals;
}

static bool is_same(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* Recognises a rectangular path along the axes, at first from left to right or back, as "re"
 * makes it; `any`: or from another corner, which differs only for dashed strokes. Returns the
 * index of the corner at which it begins, or -1. */
static int rectangle(const struct shortener *s, bool any)
{
    size_t n = s->n_corners;

    if (n < 4 || (n == 5 && (!is_same(s->corners[0].x, s->corners[4].x) ||
                             !is_same(s->corners[0].y, s->corners[4].y))))
        return -1;
    for (int first = 0; first <= any; first++) {
        const double x[] = { s->corners[first].x, s->corners[first + 1].x, s->corners[first + 2].x,
                             s->corners[(first + 3) % 4].x };
        const double y[] = { s->corners[first].y, s->corners[first + 1].y, s->corners[first + 2].y,
                             s->corners[(first + 3) % 4].y };

        if (is_same(y[0], y[1]) && is_same(x[1], x[2]) && is_same(y[2], y[3]) &&
            is_same(x[3], x[0]))
            return first;
    }
    return -1;
}

/* Writes the path that ends here as a rectangle, if it is one; whether it was, and is closed. */
static bool put_rectangle(struct shortener *s, const char *op)
{
    bool fills = *op == 'f' || *op == 'F', closes = strcmp(op, "h") == 0;
    struct lex rest = s->lex;
    struct lex_token next;
    bool clips = closes && lex_next(&rest, &next) && (*next.at == 'W' || *next.at == 'f');
    int first = fills || closes ? rectangle(s, fills || clips) : -1, decimals = 0;
    double v[4];

    if (first < 0)
        return false;
    for (size_t i = 0; i < 4; i++)
        decimals = s->corners[i].decimals > decimals ? s->corners[i].decimals : decimals;
    v[0] = s->corners[first].x;
    v[1] = s->corners[first].y;
    v[2] = s->corners[first + 2].x - v[0];
    v[3] = s->corners[first + 2].y - v[1];
    s->out->len = s->path;
    for (size_t i = 0; i < 4; i++) {
        if (ends_regular(s->out))
            buf_putc(s->out, ' ');
        content_put_number(v[i], decimals, s->out);
    }
    put_operator(s, "re");
    return closes;
}

/* Follows the path as far as it may be a rectangle. Whether the operator is done with. */
static bool follow_path(struct shortener *s, const char *op, size_t before)
{
    bool done = false;

    if (strcmp(op, "m") == 0 || strcmp(op, "l") == 0) {
        note_corner(s, *op == 'm', before);
        return false;
    }
    if (s->n_corners >= 4 && s->n == 0)
        done = put_rectangle(s, op);
    s->n_corners = 0;
    return done;
}

static bool is_identity(const struct shortener *s)
{
    static const double identity[] = { 1, 0, 0, 1, 0, 0 };

    for (size_t i = 0; i < 6; i++)
        if (s->n != 6 || s->tokens[i].type != TOKEN_NUMBER ||
            !is_same(s->tokens[i].number, identity[i]))
            return false;
    return true;
}

static bool run(struct shortener *s, const struct lex_token *token)
{
    size_t before = s->out->len, operands;
    char op[MAX_OPERATOR + 1] = "";

    if (lex_is(token, "BI")) {
        s->begin = token->at;
        return s->n == 0;
    }
    if (lex_is(token, "ID"))
        return s->begin && copy_image(s);
    if (s->begin || !lex_is_operator(token) || (lex_is(token, "q") && !save(s)))
        return false;
    memcpy(op, token->at, token->n);
    if (s->exact)
        s->now.ctm = CONTENT_EXACT;
    if (strcmp(op, "Q") == 0)
        restore(s);
    if (s->n > 0 && ends_regular(s->out) && lex_is_regular(*s->tokens[0].data))
        buf_putc(s->out, ' ');
    operands = s->out->len;
    content_put_operands(op, s->tokens, s->n, &s->now, s->out);
    if (s->out->failed)
        return false;
    if (follow_path(s, op, before)) {
        s->n = 0;
        return !s->out->failed;
    }
    if (content_is_set(&s->now, op, buf_text(s->out) + operands, s->out->len - operands) ||
        (strcmp(op, "cm") == 0 && is_identity(s)))
        s->out->len = before;
    else
        put_operator(s, op);
    content_follow(&s->now, op, s->tokens, s->n);
    s->n = 0;
    return !s->out->failed;
}

/* An empty name would become another one with what follows. */
static bool read_token(struct shortener *s, const struct lex_token *token)
{
    if (token->damaged || (token->kind == LEX_NAME && token->n == 1))
        return false;
    return token->kind == LEX_WORD && !lex_is_constant(token) ? run(s, token) : add(s, token);
}

bool content_shorten(const unsigned char *data, size_t n, double scale, struct buf *out)
{
    struct shortener s = { .out = out };
    struct lex_token token;
    bool done = true;

    if (n == 0)
        return false;
    s.lex = lex_of(data, n);
    s.exact = !(scale > CONTENT_EXACT);
    s.now.ctm = scale;
    s.now.text = 1;
    while (done && lex_next(&s.lex, &token))
        done = read_token(&s, &token);
    done = done && s.n == 0 && !s.begin && !out->failed && images_end(&s);
    free(s.images);
    free(s.tokens);
    free(s.saved);
    return done;
}
