#include "syntax/pdf/lex.h"

#include <string.h>

#include "base/num.h"

#define NUMBER_MAX 126 /* characters of a number that are read: its value stays finite */
#define AFTER_EI   14  /* bytes after EI that must look like operators */

const unsigned char lex_classes[256] = {
    ['\0'] = LEX_SPACE,    ['\t'] = LEX_SPACE,    ['\n'] = LEX_SPACE,    ['\f'] = LEX_SPACE,
    ['\r'] = LEX_SPACE,    [' '] = LEX_SPACE,     ['('] = LEX_DELIMITER, [')'] = LEX_DELIMITER,
    ['<'] = LEX_DELIMITER, ['>'] = LEX_DELIMITER, ['['] = LEX_DELIMITER, [']'] = LEX_DELIMITER,
    ['{'] = LEX_DELIMITER, ['}'] = LEX_DELIMITER, ['/'] = LEX_DELIMITER, ['%'] = LEX_DELIMITER,
};

void lex_skip_space(struct lex *lex)
{
    const unsigned char *at = lex->at, *end = lex->end;

    for (; at < end; at++) {
        if (*at == '%')
            while (at + 1 < end && at[1] != '\n' && at[1] != '\r')
                at++;
        else if (!lex_is_space(*at))
            break;
    }
    lex->at = at;
}

static const unsigned char *regular_end(const unsigned char *at, const unsigned char *end)
{
    while (at < end && lex_is_regular(*at))
        at++;
    return at;
}

/* Returns where a literal string ends, after its last parenthesis; NULL if it is not closed. */
static const unsigned char *string_end(const unsigned char *at, const unsigned char *end)
{
    int depth = 0;

    for (; at < end; at++) {
        if (*at == '\\' && end - at > 1)
            at++;
        else if (*at == '(')
            depth++;
        else if (*at == ')' && --depth == 0)
            return at + 1;
    }
    return NULL;
}

/* After the ">" of a hexadecimal string, or NULL. */
static const unsigned char *hex_end(const unsigned char *at, const unsigned char *end,
                                    bool *damaged)
{
    for (at++; at < end; at++) {
        if (*at == '>')
            return at + 1;
        *damaged = *damaged || (num_hex_digit((char) *at) < 0 && !lex_is_space(*at));
    }
    return NULL;
}

static const unsigned char *delimited_end(struct lex_token *token, const unsigned char *end)
{
    const unsigned char *at = token->at;
    bool twice = end - at > 1 && at[1] == at[0];

    switch (*at) {
    case '/':
        token->kind = LEX_NAME;
        return regular_end(at + 1, end);
    case '(':
        token->kind = LEX_STRING;
        return string_end(at, end);
    case '[':
        token->kind = LEX_ARRAY_BEGIN;
        return at + 1;
    case ']':
        token->kind = LEX_ARRAY_END;
        return at + 1;
    case '<':
        token->kind = twice ? LEX_DICT_BEGIN : LEX_HEX;
        return twice ? at + 2 : hex_end(at, end, &token->damaged);
    case '>':
        if (twice) {
            token->kind = LEX_DICT_END;
            return at + 2;
        }
        break;
    default:
        break;
    }
    token->kind = LEX_STRAY;
    token->damaged = true;
    return at + 1;
}

bool lex_next(struct lex *lex, struct lex_token *token)
{
    const unsigned char *end;

    lex_skip_space(lex);
    if (lex->at >= lex->end)
        return false;
    token->at = lex->at;
    token->damaged = false;
    if (lex_is_regular(*lex->at)) {
        unsigned char c = *lex->at;

        token->kind =
            (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '+' ? LEX_NUMBER : LEX_WORD;
        end = regular_end(lex->at, lex->end);
    } else {
        end = delimited_end(token, lex->end);
    }
    token->damaged = token->damaged || !end;
    lex->at = end ? end : lex->end;
    token->n = (size_t) (lex->at - token->at);
    return true;
}

/* Whether an inline image that ends at `at` has its EI there: after white space, and before what
 * looks like operators and not like data. The byte before `at` is read, too. */
static bool is_image_end(const unsigned char *at, const unsigned char *end)
{
    if (end - at < 2 || at[0] != 'E' || at[1] != 'I' || !lex_is_space(at[-1]))
        return false;
    at += 2;
    if (at < end && !lex_is_space(*at))
        return false;
    for (int i = 0; i < AFTER_EI && at < end; i++, at++)
        if ((*at < ' ' && !lex_is_space(*at)) || *at > '~')
            return false;
    return true;
}

bool lex_image(struct lex *lex, struct lex_token *data)
{
    const unsigned char *at = lex->at < lex->end ? lex->at + 1 : lex->end, *end = lex->end;

    *data = (struct lex_token){ .kind = LEX_STRAY, .at = at };
    for (; at < end && (at = memchr(at, 'E', (size_t) (end - at))); at++) {
        if (is_image_end(at, end)) {
            data->n = (size_t) (at - data->at);
            lex->at = at + 2;
            return true;
        }
    }
    data->damaged = true;
    data->n = (size_t) (end - data->at);
    lex->at = end;
    return false;
}

bool lex_is(const struct lex_token *token, const char *text)
{
    return token->n == strlen(text) && memcmp(token->at, text, token->n) == 0;
}

bool lex_is_operator(const struct lex_token *token)
{
    static const char *const names[] = {
        "BbcdFfGgiJjKkhlMmnQqSsvWwy'\"",
        "B*b*BTBXcmCScsd0d1DoDPETEXf*gsMPrergRGriSCscshT*TcTdTDTfTjTJTLTmTrTsTwTzW*",
        "BDCBMCEMCSCNscn",
    };
    size_t n = token->n;

    if (token->kind != LEX_WORD || n > 3)
        return false;
    for (const char *at = names[n - 1]; *at; at += n)
        if (memcmp(at, token->at, n) == 0)
            return true;
    return false;
}

bool lex_is_constant(const struct lex_token *token)
{
    return token->kind == LEX_WORD &&
           (lex_is(token, "true") || lex_is(token, "false") || lex_is(token, "null"));
}

size_t lex_name(const struct lex_token *token, char *to)
{
    const char *at = (const char *) token->at, *end = at + token->n;
    size_t n = 0;

    while (at < end) {
        int high = *at == '#' && end - at > 2 ? num_hex_digit(at[1]) : -1;
        int low = high >= 0 ? num_hex_digit(at[2]) : -1;

        to[n++] = low >= 0 ? (char) (high << 4 | low) : *at;
        at += low >= 0 ? 3 : 1;
    }
    return n;
}

/* Decodes an escape sequence after its backslash (table 3), and moves past it. -1: the sequence
 * joins two lines. */
static int escaped(const char **at, const char *end)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
    char c = *(*at)++;
    const char *known = c ? strchr(from, c) : NULL;
    int code = c - '0';

    if (known)
        return to[known - from];
    if (c == '\r' && *at < end && **at == '\n')
        ++*at;
    if (c == '\r' || c == '\n')
        return -1;
    if (c < '0' || c > '7')
        return (unsigned char) c;
    for (int i = 0; i < 2 && *at < end && **at >= '0' && **at <= '7'; i++)
        code = code << 3 | (*(*at)++ - '0');
    return code & 0xff;
}

static size_t literal(const struct lex_token *token, char *to)
{
    const char *at = (const char *) token->at + 1, *end = at + token->n - (token->damaged ? 1 : 2);
    size_t n = 0;

    while (at < end) {
        int c = (unsigned char) *at++;

        if (c == '\\' && at < end)
            c = escaped(&at, end);
        if (c >= 0)
            to[n++] = (char) c;
    }
    return n;
}

/* A digit that is missing at the end is 0. */
static size_t hexadecimal(const struct lex_token *token, char *to)
{
    int high = -1;
    size_t n = 0;

    for (size_t i = 1; i < token->n; i++) {
        int digit = num_hex_digit((char) token->at[i]);

        if (digit < 0)
            continue;
        if (high >= 0)
            to[n++] = (char) (high << 4 | digit);
        high = high < 0 ? digit : -1;
    }
    if (high >= 0)
        to[n++] = (char) (high << 4);
    return n;
}

size_t lex_string(const struct lex_token *token, char *to)
{
    return token->kind == LEX_HEX ? hexadecimal(token, to) : literal(token, to);
}

double lex_number(const struct lex_token *token, int *decimals)
{
    size_t n = token->n < NUMBER_MAX ? token->n : NUMBER_MAX;
    int digits = 0, after = 0;
    double value = 0, scale = 1;
    bool point = false, plain = token->n == n, negative = token->at[0] == '-';

    for (size_t i = 0; i < n; i++) {
        unsigned char c = token->at[i];

        if (c >= '0' && c <= '9') {
            value = value * 10 + (c - '0');
            scale *= point ? 10 : 1;
            digits++;
            after += point;
        } else if (c == '.' && !point) {
            point = true;
        } else {
            plain = plain && i == 0;
            if (c == '.' || value > 0)
                break;
        }
    }
    if (decimals)
        *decimals = plain && digits > 0 ? after : -1;
    return (negative ? -value : value) / scale;
}
