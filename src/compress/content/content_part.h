/* content_part: declarations that the files content*.c share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum token_type { TOKEN_NUMBER, TOKEN_NAME, TOKEN_STRING, TOKEN_OTHER };

struct token {
    enum token_type type;
    const unsigned char *data; /* as written in the stream */
    size_t n;
    double number; /* of a TOKEN_NUMBER: its value */
    int decimals;  /* of a TOKEN_NUMBER: digits after its point */
};

/* Decimals of a number that is rewritten: six digits of a factor of a thousandth, as Google Slides
 * writes it before coordinates of some 100,000 units. */
#define CONTENT_DECIMALS 9
#define CONTENT_STATES   14 /* operators whose operands are remembered */
#define CONTENT_STATE    40 /* limit of their length as written; longer ones are not remembered */

/* The known part of the graphics state. */
struct content_state {
    double off[2];    /* difference of the last text position from where it was written */
    double ctm, text; /* the largest scales: of user space in points, of text space in user space */
    char set[CONTENT_STATES][CONTENT_STATE];
};

/*
 * Appends the operands, separated, as short as possible, and changes the numbers to what was
 * written. `state`: before the operator.
 */
void content_put_operands(const char *op, struct token *tokens, size_t n,
                          struct content_state *state, struct buf *out);
/* Appends a number with at most `decimals` decimals. */
void content_put_number(double value, int decimals, struct buf *out);

/* Applies an operator to the state; `text`: its operands as written. */
void content_follow(struct content_state *state, const char *op, const struct token *tokens,
                    size_t n);
/* Whether the operator sets the current value again; if not, it is remembered. */
bool content_is_set(struct content_state *state, const char *op, const char *text, size_t n);
