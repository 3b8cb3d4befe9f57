/* content_round: the operands of content streams as short as they may be. See content_part.h. */
#include <math.h>
#include <string.h>

#include "compress/content/content.h"
#include "compress/content/content_part.h"
#include "syntax/pdf/lex.h"
#include "syntax/pdf/literal.h"

#define MAX_DECIMALS CONTENT_DECIMALS
#define DIGITS       6 /* that a factor keeps: thousands of points are off by hundredths */
#define COLOUR       3 /* decimals: a third of the step of eight bits */
#define SPACING      4 /* decimals of the character and word spacing */

static double power(int exponent)
{
    static const double powers[] = { 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };

    return powers[exponent < 0 ? 0 : exponent > MAX_DECIMALS ? MAX_DECIMALS : exponent];
}

void content_put_number(double value, int decimals, struct buf *out)
{
    unsigned long long digits = (unsigned long long) llround(fabs(value) * power(decimals));
    char text[32], *at = text + sizeof text;
    int point = decimals;

    while (point > 0 && digits % 10 == 0) {
        digits /= 10;
        point--;
    }
    for (; digits > 0 || point > 0; point--) {
        *--at = (char) ('0' + digits % 10);
        digits /= 10;
        if (point == 1)
            *--at = '.';
    }
    if (at == text + sizeof text)
        *--at = '0';
    else if (value < 0)
        *--at = '-';
    buf_put(out, at, (size_t) (text + sizeof text - at));
}

/* Decimals with which places of this scale are near enough. */
static int place_decimals(double scale)
{
    int decimals = 0;

    while (decimals < MAX_DECIMALS && 0.5 / power(decimals) * scale > CONTENT_OFF * 1.0001)
        decimals++;
    return decimals;
}

static void round_to(struct token *t, int decimals)
{
    double rounded = round(t->number * power(decimals)) / power(decimals);

    /* Thin objects stay visible. */
    if (t->decimals <= decimals || (!(rounded < 0) && !(rounded > 0)))
        return;
    t->number = rounded;
    t->decimals = decimals;
}

static void round_factor(struct token *t)
{
    int before = fabs(t->number) > 0 ? (int) floor(log10(fabs(t->number))) + 1 : 0;

    round_to(t, before > DIGITS                  ? 0
                : DIGITS - before < MAX_DECIMALS ? DIGITS - before
                                                 : MAX_DECIMALS);
}

static void round_all(struct token *tokens, size_t n, int decimals)
{
    for (size_t i = 0; i < n; i++)
        round_to(&tokens[i], decimals);
}

/* Rounds both edges, so that adjacent objects stay adjacent. */
static void round_rectangle(struct token *t, int decimals)
{
    for (size_t i = 0; i < 2; i++) {
        double edge = t[i].number + t[i + 2].number, scale = power(decimals);
        double from = round(t[i].number * scale) / scale, size = round(edge * scale) / scale - from;
        int most = t[i].decimals > t[i + 2].decimals ? t[i].decimals : t[i + 2].decimals;

        if (most <= decimals || fabs(size) < 0.5 / scale)
            continue;
        t[i].number = from;
        t[i + 2].number = size;
        t[i].decimals = t[i + 2].decimals = decimals;
    }
}

/* Thousandths of the font size: the error of each is carried to the next. */
static void round_adjustments(struct token *tokens, size_t n)
{
    double off = 0;

    for (size_t i = 0; i < n; i++) {
        double wanted = tokens[i].number + off;

        if (tokens[i].type != TOKEN_NUMBER || tokens[i].decimals == 0)
            continue;
        tokens[i].number = round(wanted);
        tokens[i].decimals = 0;
        off = wanted - tokens[i].number;
    }
}

static bool are_numbers(const struct token *tokens, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (tokens[i].type != TOKEN_NUMBER)
            return false;
    return true;
}

/* Text positions accumulate: the error of each is carried to the next. */
static void round_move(struct token *t, struct content_state *s)
{
    int decimals = place_decimals(s->ctm * s->text) + 1;

    for (size_t i = 0; i < 2; i++) {
        double wanted = t[i].number + s->off[i];

        if (t[i].decimals > decimals) {
            t[i].number = round(wanted * power(decimals)) / power(decimals);
            t[i].decimals = decimals;
        }
        s->off[i] = wanted - t[i].number;
    }
}

static void round_matrix(struct token *t, int place)
{
    for (size_t i = 0; i < 4; i++)
        round_factor(&t[i]);
    round_all(t + 4, 2, place);
}

#define OP(a, b, c) ((a) | (b) << 8 | (c) << 16)

static void round_numbers(unsigned op, struct token *t, size_t n, struct content_state *s)
{
    int place = place_decimals(s->ctm);

    switch (op) {
    case 'm':
    case 'l':
    case 'c':
    case 'v':
    case 'y':
        round_all(t, n, place);
        break;
    case OP('r', 'e', 0):
        if (n == 4)
            round_rectangle(t, place);
        break;
    case OP('c', 'm', 0):
    case OP('T', 'm', 0):
        if (n == 6)
            round_matrix(t, place + 1);
        break;
    case OP('T', 'd', 0):
        if (n == 2)
            round_move(t, s);
        break;
    case OP('T', 'D', 0): /* it says how far lines are apart as well */
    case OP('T', 'L', 0):
        round_all(t, n, place_decimals(s->ctm * s->text) + 1);
        break;
    case 'w':
    case OP('T', 's', 0):
        round_all(t, n, place + 1);
        break;
    case OP('T', 'c', 0):
    case OP('T', 'w', 0):
        round_all(t, n, SPACING);
        break;
    case 'g':
    case 'G':
    case 'k':
    case 'K':
    case OP('r', 'g', 0):
    case OP('R', 'G', 0):
    case OP('s', 'c', 0):
    case OP('S', 'C', 0):
    case OP('s', 'c', 'n'):
    case OP('S', 'C', 'N'):
        round_all(t, n, COLOUR);
        break;
    default:
        break;
    }
}

static void round_operands(const char *name, struct token *t, size_t n, struct content_state *s)
{
    unsigned op = OP((unsigned) name[0], name[0] ? (unsigned) name[1] : 0,
                     name[0] && name[1] ? (unsigned) name[2] : 0);

    if (op == OP('T', 'J', 0))
        round_adjustments(t, n);
    else if (n > 0 && are_numbers(t, n))
        round_numbers(op, t, n, s);
}

/* A string of hexadecimal digits as a literal one, if that is shorter. */
static void put_string(const struct token *t, struct buf *out)
{
    struct lex_token hex = { .kind = LEX_HEX, .at = t->data, .n = t->n };
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    size_t begin = out->len;
    char *to = *t->data == '<' ? buf_room(&bytes, t->n) : NULL;

    if (to) {
        literal_put(out, to, lex_string(&hex, to));
        if (out->len - begin < t->n)
            return;
        out->len = begin;
    }
    buf_put(out, t->data, t->n);
}

void content_put_operands(const char *op, struct token *tokens, size_t n,
                          struct content_state *state, struct buf *out)
{
    bool regular = false;

    if (state->ctm > CONTENT_EXACT)
        round_operands(op, tokens, n, state);
    for (size_t i = 0; i < n; i++) {
        const struct token *t = &tokens[i];

        if (regular && lex_is_regular(*t->data))
            buf_putc(out, ' ');
        if (t->type == TOKEN_NUMBER && t->decimals <= MAX_DECIMALS)
            content_put_number(t->number, t->decimals, out);
        else if (t->type == TOKEN_STRING)
            put_string(t, out);
        else
            buf_put(out, t->data, t->n);
        regular = out->len > 0 && lex_is_regular((unsigned char) out->data[out->len - 1]);
    }
}
