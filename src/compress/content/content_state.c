/* content_state: tracks values that are already set in a content stream, and the size of its
 * units. See content_part.h. */
#include <math.h>
#include <string.h>

#include "compress/content/content_part.h"

/* Operators that set one thing each, and mean the same wherever they are repeated. */
static const char *const setters[CONTENT_STATES] = { "g",  "G",  "Tf", "Tc", "Tw", "Tz", "TL",
                                                     "Ts", "Tr", "w",  "J",  "j",  "M",  "i" };
enum { SET_FILL = 0, SET_STROKE = 1, SET_SPACING = 3, SET_WORDS = 4, SET_LEADING = 6 };

/* The index of the value that an operator sets, or CONTENT_STATES. All simple fill colours are
 * one value. */
static size_t index_of(const char *op)
{
    size_t i = 0;

    if (strcmp(op, "rg") == 0 || strcmp(op, "k") == 0)
        return SET_FILL;
    if (strcmp(op, "RG") == 0 || strcmp(op, "K") == 0)
        return SET_STROKE;
    while (i < CONTENT_STATES && strcmp(setters[i], op) != 0)
        i++;
    return i;
}

bool content_is_set(struct content_state *state, const char *op, const char *text, size_t n)
{
    size_t i = index_of(op), length = strlen(op);
    char now[CONTENT_STATE] = "";

    if (i == CONTENT_STATES)
        return false;
    if (n == 0 || n + length + 2 > sizeof now || memchr(text, '\0', n)) {
        *state->set[i] = '\0';
        return false;
    }
    memcpy(now, text, n);
    now[n] = ' ';
    memcpy(now + n + 1, op, length);
    if (strcmp(now, state->set[i]) == 0)
        return true;
    memcpy(state->set[i], now, sizeof now);
    return false;
}

static double scale_of(const struct token *t)
{
    return fmax(hypot(t[0].number, t[1].number), hypot(t[2].number, t[3].number));
}

void content_follow(struct content_state *state, const char *op, const struct token *tokens,
                    size_t n)
{
    bool matrix = n == 6;

    for (size_t i = 0; i < n; i++)
        matrix &= tokens[i].type == TOKEN_NUMBER;
    if (strcmp(op, "BT") == 0 || strcmp(op, "Tm") == 0)
        state->off[0] = state->off[1] = 0;
    if (strcmp(op, "cm") == 0)
        state->ctm *= matrix ? scale_of(tokens) : 1;
    else if (strcmp(op, "Tm") == 0)
        state->text = matrix ? scale_of(tokens) : 1;
    else if (strcmp(op, "BT") == 0)
        state->text = 1;
    else if (strcmp(op, "gs") == 0 || strcmp(op, "EX") == 0)
        memset(state->set, 0, sizeof state->set);
    else if (strcmp(op, "cs") == 0 || strcmp(op, "sc") == 0 || strcmp(op, "scn") == 0)
        *state->set[SET_FILL] = '\0';
    else if (strcmp(op, "CS") == 0 || strcmp(op, "SC") == 0 || strcmp(op, "SCN") == 0)
        *state->set[SET_STROKE] = '\0';
    else if (strcmp(op, "TD") == 0)
        *state->set[SET_LEADING] = '\0';
    else if (strcmp(op, "\"") == 0)
        *state->set[SET_SPACING] = *state->set[SET_WORDS] = '\0';
}
