/* content_part: what the files content*.c share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum token_type { TOKEN_NUMBER, TOKEN_NAME, TOKEN_STRING, TOKEN_OTHER };

struct token {
    enum token_type type;
    const unsigned char *data; /* as it is written */
    size_t n;
    double number; /* of a TOKEN_NUMBER: its value, */
    int decimals;  /* and how many digits stand behind its point */
};

#define CONTENT_DECIMALS 6  /* of a number that is written anew */
#define CONTENT_STATES   14 /* operators whose operands are remembered */
#define CONTENT_STATE    40 /* bytes of them, as written; longer ones are not */

/* What is known of the graphics state. */
struct content_state {
    double off[2];    /* how far the last position of text is from where it is written */
    double ctm, text; /* the largest scales: of user space in points, of text space in user space */
    char set[CONTENT_STATES][CONTENT_STATE];
};

/*
 * Appends the operands, separated, as short as they may be. Changes the numbers to what was
 * written. `state`: before the operator.
 */
void content_put_operands(const char *op, struct token *tokens, size_t n,
                          struct content_state *state, struct buf *out);
/* Appends a number with at most so many decimals. */
void content_put_number(double value, int decimals, struct buf *out);

/* What an operator does to the state; `text`: its operands as written. */
void content_follow(struct content_state *state, const char *op, const struct token *tokens,
                    size_t n);
/* Whether the operator sets what is set already; if not, it is remembered. */
bool content_is_set(struct content_state *state, const char *op, const char *text, size_t n);
/* Whether PDF has an operator of this name. */
bool content_knows(const char *op);
