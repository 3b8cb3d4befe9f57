/*
 * lex: the tokens of PDF syntax (ISO 32000-1, 7.2 and 7.3), of content streams (7.8.2), and of what
 * shares their syntax: default appearances, calculator functions (7.10.5), Type 1 fonts.
 *
 * A token is a range of the input: nothing is copied, and reading n bytes takes time in proportion
 * to n. Any bytes can be read to their end. Where they break the specification, the token is
 * `damaged`, and has the extent that viewers give it:
 *
 *   - a literal string without its last parenthesis, a hexadecimal one without ">" or an inline
 *     image without EI reaches to the end of the input;
 *   - a hexadecimal string with other characters than digits and white space ends at the next ">";
 *   - a parenthesis, brace or ">" that begins no other token is a token LEX_STRAY.
 *
 * A forgiving reader, one that only looks at what viewers draw, goes on after these; a strict one,
 * which rewrites the content or drops what it does not name, refuses the input.
 * syntax/pdf/syntax.h is for damaged files: it searches ends that were lost.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct lex {
    const unsigned char *at, *end; /* the rest of the input */
};

/* Reads n bytes. Empty data, as of a page without content, may be NULL. */
static inline struct lex lex_of(const unsigned char *data, size_t n)
{
    return (struct lex){ data, n ? data + n : data };
}

enum lex_kind {
    LEX_NUMBER, /* regular characters of which the first is a digit, a sign or a point */
    LEX_WORD,   /* other regular characters: an operator, true, null, R, obj */
    LEX_NAME,   /* "/Name" */
    LEX_STRING, /* "(text)" */
    LEX_HEX,    /* "<74657874>" */
    LEX_ARRAY_BEGIN,
    LEX_ARRAY_END,
    LEX_DICT_BEGIN,
    LEX_DICT_END,
    LEX_STRAY, /* one of (){}> out of place; braces are in place in functions and Type 1 fonts */
};

struct lex_token {
    enum lex_kind kind;
    bool damaged;
    const unsigned char *at; /* its first byte, in the input */
    size_t n;
};

enum { LEX_SPACE = 1, LEX_DELIMITER = 2 };
/* Of each byte: LEX_SPACE, LEX_DELIMITER or 0 (tables 1 and 2). */
extern const unsigned char lex_classes[256];

/* NUL, tab, line feed, form feed, carriage return or space. */
static inline bool lex_is_space(int c)
{
    return lex_classes[(unsigned char) c] == LEX_SPACE;
}

/* Neither white space nor one of ()<>[]{}/%. */
static inline bool lex_is_regular(int c)
{
    return lex_classes[(unsigned char) c] == 0;
}

/* Skips white space and comments. */
void lex_skip_space(struct lex *lex);
/* Skips white space and comments, and reads the token after them. False at the end of the input. */
bool lex_next(struct lex *lex, struct lex_token *token);
/* Reads the data of an inline image (8.9.7) after its operator ID, and skips its EI. `data` is what
 * lies between the white-space character after ID and "EI". False if there is no EI: then
 * everything is read. */
bool lex_image(struct lex *lex, struct lex_token *data);

/* Whether the token is written like this. */
bool lex_is(const struct lex_token *token, const char *text);
/* Whether the word is an operator of content streams (annex A), without BI, ID and EI. */
bool lex_is_operator(const struct lex_token *token);
/* true, false or null. */
bool lex_is_constant(const struct lex_token *token);

/* Decodes a LEX_NAME (7.3.5) into `to`, which has room for token->n bytes: its solidus, and each
 * #xx as one byte, which may be NUL. A number sign without two digits stays. Returns the length. */
size_t lex_name(const struct lex_token *token, char *to);
/* Decodes a LEX_STRING or LEX_HEX (7.3.4) into `to`, which has room for token->n bytes. Returns the
 * length. Line ends in a literal string stay as they are: some programs write character codes
 * without escapes, and viewers show these. */
size_t lex_string(const struct lex_token *token, char *to);
/* The value of a LEX_NUMBER (7.3.3). `decimals`, if not NULL, gets the number of digits after the
 * point, or -1 if the number is not written as specified: then the value is what viewers make of it
 * ("--5" is -5, "1.2.3" is 1.2, "0.00-5" is 0.005). */
double lex_number(const struct lex_token *token, int *decimals);
