/* script_token: the tokens of a JavaScript program in UTF-8 (ECMA-262), without blanks and
 * comments. Reads every byte once, whatever the text is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum script_kind {
    SCRIPT_END,
    SCRIPT_STRING, /* with its quotes */
    SCRIPT_WORD,   /* a name or keyword */
    SCRIPT_SIGN,   /* one character of an operator, or a bracket */
    SCRIPT_OTHER,  /* a number, template or regular expression */
};

struct script_token {
    enum script_kind kind;
    const char *at;
    size_t n;
};

struct script {
    const char *at, *end;
    struct script_token last;
};

/* Reads the next token, also into script->last. */
struct script_token script_next(struct script *script);
bool script_is(const struct script_token *token, const char *text);
/* Appends the value of a string token. */
void script_value(const struct script_token *token, struct buf *out);
/* Appends a string token of this value, with the quotes that `like` has. */
void script_quote(const struct script_token *like, const char *value, size_t n, struct buf *out);
