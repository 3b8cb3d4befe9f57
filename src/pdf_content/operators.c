#include "pdf_content/operators.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/num.h"
#include "base/ps.h"
#include "base/scope.h"

#define MAX_OPERANDS 1000000 /* of one operator: arrays of shown text are long */
#define MAX_WORD     126

struct reader {
    const unsigned char *at, *end, *data;
    struct operators_place *place; /* or NULL */
    bool inside;                   /* of operands, or of an inline image */
    operators_each *each;
    void *cls;
    struct operand *operands;
    size_t n, cap;
    struct buf bytes; /* of the operands; their places are offsets until they are handed out */
};

static bool tell(struct reader *r, const char *op, const struct operand *operands, size_t n)
{
    if (r->place)
        r->place->end = (size_t) (r->at - r->data);
    r->inside = false;
    return r->each(r->cls, op, operands, n);
}

static void skip_space(struct reader *r)
{
    r->at = ps_skip_space(r->at, r->end);
}

static struct operand *add(struct reader *r, enum operand_type type)
{
    if (r->n >= MAX_OPERANDS || !LIST_ROOM(r->operands, r->n, r->cap))
        return NULL;
    r->operands[r->n] = (struct operand){ .type = type, .n = r->bytes.len };
    return &r->operands[r->n++];
}

static bool read_name(struct reader *r)
{
    if (!add(r, OPERAND_NAME))
        return false;
    buf_putc(&r->bytes, '/');
    r->at++;
    while (r->at < r->end && ps_is_regular(*r->at))
        buf_putc(&r->bytes, (char) ps_name_byte(&r->at, r->end));
    return true;
}

static void read_escape(struct reader *r)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
    int c = *r->at, code = 0;
    const char *known = c ? strchr(from, c) : NULL;

    if (c >= '0' && c <= '7') {
        for (int i = 0; i < 3 && r->at < r->end && *r->at >= '0' && *r->at <= '7'; i++)
            code = code << 3 | (*r->at++ - '0');
        buf_putc(&r->bytes, (char) code);
        return;
    }
    r->at++;
    if (c == '\r' && r->at < r->end && *r->at == '\n')
        r->at++;
    else if (c != '\r' && c != '\n')
        buf_putc(&r->bytes, known ? to[known - from] : (char) c);
}

static bool read_string(struct reader *r)
{
    int depth = 1;

    if (!add(r, OPERAND_STRING))
        return false;
    for (r->at++; r->at < r->end;) {
        int c = *r->at++;

        if (c == '\\' && r->at < r->end) {
            read_escape(r);
            continue;
        }
        depth += (c == '(') - (c == ')');
        if (depth == 0)
            return true;
        buf_putc(&r->bytes, (char) c);
    }
    return true; /* never reported: no operator follows it */
}

static bool read_hex_string(struct reader *r)
{
    int high = -1;

    if (!add(r, OPERAND_STRING))
        return false;
    for (r->at++; r->at < r->end && *r->at != '>'; r->at++) {
        int digit = num_hex_digit((char) *r->at);

        if (digit < 0)
            continue;
        if (high >= 0)
            buf_putc(&r->bytes, (char) (high << 4 | digit));
        high = high < 0 ? digit : -1;
    }
    if (high >= 0)
        buf_putc(&r->bytes, (char) (high << 4));
    r->at += r->at < r->end;
    return true;
}

/* Digits, signs and points as readers take them: "--5" and "1.2.3" are seen in the wild. */
static double parse_number(const char *word)
{
    double value = 0, scale = 0;
    bool negative = *word == '-';

    for (; *word; word++) {
        if (*word >= '0' && *word <= '9') {
            value = scale > 0 ? value + (*word - '0') * scale : value * 10 + (*word - '0');
            scale /= 10;
        } else if (*word == '.') {
            if (scale > 0)
                break;
            scale = 0.1;
        } else if (value > 0) {
            break;
        }
    }
    return negative ? -value : value;
}

bool operators_end_image(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *p = at + 2;

    if (end - at < 2 || !ps_is_space(at[-1]) || at[0] != 'E' || at[1] != 'I')
        return false;
    for (; p < end && p < at + 16; p++)
        if ((p == at + 2 && !ps_is_space(*p)) || (*p < 0x20 && !ps_is_space(*p)) || *p > 0x7e)
            return false;
    return true;
}

/* Reads from after ID. */
static bool skip_image(struct reader *r)
{
    r->at++;
    if (r->place)
        r->place->image = (size_t) (r->at - r->data);
    for (; r->end - r->at >= 2; r->at++) {
        if (operators_end_image(r->at, r->end)) {
            r->at += 2;
            return tell(r, "EI", NULL, 0);
        }
    }
    return false;
}

static bool run_operator(struct reader *r, const char *word)
{
    bool more;

    if (strcmp(word, "BI") == 0) {
        r->n = r->bytes.len = 0;
        return true;
    }
    if (r->bytes.failed)
        return false;
    for (size_t i = 0; i < r->n; i++) {
        struct operand *o = &r->operands[i];
        size_t end = i + 1 < r->n ? r->operands[i + 1].n : r->bytes.len;

        /* Texts that must be C strings were stored with a NUL. */
        o->bytes = buf_text(&r->bytes) + o->n;
        o->n = end - o->n - (o->type == OPERAND_NAME);
    }
    more = strcmp(word, "ID") == 0 ? skip_image(r) : tell(r, word, r->operands, r->n);
    r->n = r->bytes.len = 0;
    return more;
}

static bool read_word(struct reader *r)
{
    char word[MAX_WORD + 2];
    size_t n = 0;
    struct operand *operand;

    for (; r->at < r->end && ps_is_regular(*r->at); r->at++)
        if (n < MAX_WORD)
            word[n++] = (char) *r->at;
    word[n] = '\0';
    if (n == 0) {
        r->at++; /* a delimiter that is out of place */
        return true;
    }
    if (strchr("+-.0123456789", word[0])) {
        operand = add(r, OPERAND_NUMBER);
        if (operand)
            operand->number = parse_number(word);
        return operand != NULL;
    }
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0 || strcmp(word, "null") == 0)
        return add(r, OPERAND_OTHER) != NULL;
    return run_operator(r, word);
}

static bool read_token(struct reader *r)
{
    if (r->place && !r->inside)
        r->place->begin = (size_t) (r->at - r->data);
    r->inside = true;
    switch (*r->at) {
    case '/':
        if (!read_name(r))
            return false;
        buf_putc(&r->bytes, '\0');
        return true;
    case '(':
        return read_string(r);
    case '<':
        if (r->end - r->at < 2 || r->at[1] != '<')
            return read_hex_string(r);
        r->at += 2;
        return true;
    case '>':
    case '[':
    case ']':
        r->at++;
        return true;
    default:
        return read_word(r);
    }
}

bool operators_read(const unsigned char *data, size_t n, operators_each *each, void *cls)
{
    return operators_read_at(data, n, each, cls, NULL);
}

bool operators_read_at(const unsigned char *data, size_t n, operators_each *each, void *cls,
                       struct operators_place *place)
{
    struct reader r = { .data = data, .place = place, .each = each, .cls = cls };
    bool whole = true;

    if (n == 0)
        return true;
    r.at = data;
    r.end = data + n;
    for (skip_space(&r); whole && r.at < r.end; skip_space(&r))
        whole = read_token(&r);
    free(r.operands);
    buf_free(&r.bytes);
    return whole;
}

double operators_number(const struct operand *operands, size_t n, size_t i)
{
    return i < n && operands[i].type == OPERAND_NUMBER ? operands[i].number : 0;
}
