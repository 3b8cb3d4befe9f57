/* tex_token: the tokens of LaTeX's mathematics. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum tex_token_kind {
    TEX_TOKEN_END,
    TEX_TOKEN_COMMAND,   /* \name or \, */
    TEX_TOKEN_OPEN,      /* { */
    TEX_TOKEN_CLOSE,     /* } */
    TEX_TOKEN_CHARACTER, /* anything else, with ^ _ & */
    TEX_TOKEN_ROW        /* \\ */
};

struct tex_token {
    enum tex_token_kind kind;
    const char *name; /* of a command, without its backslash; n bytes, not terminated */
    size_t n;
    uint32_t character;
};

/* Text in UTF-8 that is known to be valid, and the place that was read up to. */
struct tex_text {
    const char *text;
    size_t n, at;
};

/* Reads the next token. White space and comments between tokens are skipped. */
struct tex_token tex_token_next(struct tex_text *text);
/* The same without moving on. */
struct tex_token tex_token_peek(const struct tex_text *text);
/* Reads a group in braces, or brackets, as it stands: without its outer braces. NULL if what comes
 * next is not one, or it does not end. */
const char *tex_token_raw(struct tex_text *text, char open, char close, size_t *n);
