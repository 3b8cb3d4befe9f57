#include "recovery/inflate_repair/line_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "recovery/inflate_repair/byte_model.h"
#include "recovery/inflate_repair/huffman.h"
#include "recovery/inflate_repair/zstream.h"

#define LOOK       4             /* choices tried together */
#define LOOK_MIN   40            /* bytes decoded after the last of them */
#define LOOK_MAX   400           /* bytes read at most for one choice */
#define SYMBOL     48            /* bits of the longest symbol */
#define TAIL_BITS  ((size_t) 96) /* limit of the data after the last block */
#define HEAD       320           /* bytes of the longest head of a block */
#define BRUTE      12            /* so few choices are all tried */
#define DOUBTS     14            /* choices that are changed when the check sum is wrong */
#define SCAR_COST  40.0          /* bits */
#define BREAK_COST 2000.0        /* bits: no block where one must begin */
#define TEXT_COST  5.0           /* bits per byte: data with more is not text */
#define CHOICES    100000U
#define CHOICE     100000U /* effort that one choice takes */

struct state {
    struct bits bits;
    struct block block;
    bool inside; /* a block */
    bool ended;
    size_t stored; /* bytes left of a stored block */
};

struct search {
    unsigned char *bytes; /* with the choices made so far */
    size_t n;
    size_t *places;  /* of the bytes that may be either */
    double *margins; /* by how much the choice was better */
    size_t n_places;
    struct byte_model *model;
    struct buf *out;
    size_t max, *effort;
    double cost; /* of what is settled */
};

/* Reads up to the bit `until`; what it costs. With `settle` the model learns, and nothing is read
 * that reaches over `until`. */
static double read_on(struct search *s, struct state *state, size_t until, bool settle)
{
    double cost = 0;

    while (!state->ended && state->bits.at < until && s->out->len < s->max) {
        size_t from = s->out->len;

        if (settle && state->bits.at + (state->inside ? SYMBOL : HEAD * 8) > until)
            break;
        if (!state->inside) {
            if (!huffman_read_block(&state->bits, &state->block)) {
                state->ended = true;
                return cost + BREAK_COST;
            }
            state->inside = true;
            state->stored = state->block.type == 0 ? state->block.stored : 0;
        } else if (state->block.type == 0) {
            if (state->stored-- > 0)
                buf_putc(s->out, (char) huffman_read_bits(&state->bits, 8));
            else
                state->inside = false, state->ended = state->block.final;
        } else {
            switch (symbol_step(&state->bits, &state->block, s->out)) {
            case SYMBOL_ON:
                break;
            case SYMBOL_SCAR:
                cost += SCAR_COST;
                break;
            case SYMBOL_END:
                state->inside = false;
                state->ended = state->block.final;
                if (state->ended && huffman_bits_left(&state->bits) > TAIL_BITS)
                    return cost + BREAK_COST;
                break;
            }
        }
        for (size_t i = from; i < s->out->len; i++) {
            unsigned char a = i > 1 ? (unsigned char) s->out->data[i - 2] : ' ';
            unsigned char b = i > 0 ? (unsigned char) s->out->data[i - 1] : '\n';
            unsigned char byte = (unsigned char) s->out->data[i];

            /* The rest of a repetition was likely where it was first. */
            if (i < from + 2)
                cost += byte_model_cost(s->model, a, b, byte);
            if (settle)
                byte_model_learn(s->model, a, b, byte);
        }
    }
    return cost;
}

/* How far to read to examine the choices from i on: 0 if there are none that near. */
static size_t horizon(const struct search *s, size_t i, size_t *together)
{
    size_t end = s->places[i] + LOOK_MAX, last = i;

    while (last + 1 < s->n_places && last + 1 - i < LOOK && s->places[last + 1] < end - LOOK_MIN)
        last++;
    *together = last - i + 1;
    end = s->places[last] + (size_t) 3 * LOOK_MIN;
    if (last + 1 < s->n_places && s->places[last + 1] < end)
        end = s->places[last + 1] > s->places[last] + LOOK_MIN ? s->places[last + 1]
                                                               : s->places[last] + LOOK_MIN;
    return end < s->n ? end : s->n;
}

/* Chooses what the byte at places[i] was. */
static void choose_byte(struct search *s, const struct state *state, size_t i)
{
    size_t together, until = horizon(s, i, &together) * 8, kept = s->out->len;
    double best[2] = { 1e30, 1e30 };

    for (unsigned mask = 0; mask < 1U << together; mask++) {
        struct state trial = *state;
        double cost;

        for (size_t k = 0; k < together; k++)
            s->bytes[s->places[i + k]] = mask >> k & 1 ? '\r' : '\n';
        cost = read_on(s, &trial, until, false);
        if (cost < best[mask & 1])
            best[mask & 1] = cost;
        s->out->len = kept;
    }
    s->bytes[s->places[i]] = best[1] < best[0] ? '\r' : '\n';
    s->margins[i] = best[1] < best[0] ? best[0] - best[1] : best[1] - best[0];
}

static bool sound(const struct search *s)
{
    return zstream_try(s->bytes, s->n, s->max, s->effort);
}

static bool try_all(struct search *s)
{
    for (unsigned mask = 0; mask < 1U << s->n_places && *s->effort; mask++) {
        for (size_t k = 0; k < s->n_places; k++)
            s->bytes[s->places[k]] = mask >> k & 1 ? '\r' : '\n';
        if (sound(s))
            return true;
    }
    return false;
}

/* The choices that were closest are the first to be doubted: one, two, three of them. */
static bool try_doubts(struct search *s)
{
    size_t doubts[DOUBTS], n = 0;

    for (; n < DOUBTS && n < s->n_places; n++) {
        size_t least = SIZE_MAX;

        for (size_t i = 0; i < s->n_places; i++)
            if (s->margins[i] >= 0 && (least == SIZE_MAX || s->margins[i] < s->margins[least]))
                least = i;
        if (least == SIZE_MAX)
            break;
        doubts[n] = s->places[least];
        s->margins[least] = -1;
    }
    for (unsigned mask = 0; mask < 1U << n && *s->effort; mask++) {
        bool done;

        if (__builtin_popcount(mask) > 3)
            continue;
        for (size_t k = 0; k < n; k++)
            s->bytes[doubts[k]] ^= mask >> k & 1 ? '\r' ^ '\n' : 0;
        done = sound(s);
        if (done)
            return true;
        for (size_t k = 0; k < n; k++)
            s->bytes[doubts[k]] ^= mask >> k & 1 ? '\r' ^ '\n' : 0;
    }
    return false;
}

static bool run_lines(struct search *s, bool *proved)
{
    struct state state = { .bits = { s->bytes, s->n, 16 } };

    *proved = s->n_places <= BRUTE && try_all(s);
    if (*proved)
        return zstream_unpack(s->bytes, s->n, s->max, s->out);
    for (size_t i = 0; i < s->n_places && !state.ended; i++) {
        if (*s->effort == 0)
            return false;
        zstream_spend(s->effort, CHOICE);
        choose_byte(s, &state, i);
        s->cost += read_on(s, &state, i + 1 < s->n_places ? s->places[i + 1] * 8 : s->n * 8, true);
    }
    s->cost += read_on(s, &state, s->n * 8, false);
    *proved = try_doubts(s);
    if (*proved) {
        s->out->len = 0;
        return zstream_unpack(s->bytes, s->n, s->max, s->out);
    }
    return !s->out->failed && s->out->len > 0 && s->cost / (double) s->out->len < TEXT_COST;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is handed on and spent. */
static bool search(const unsigned char *data, size_t n, size_t max, size_t *effort, struct buf *out,
                   bool *proved)
{
    AUTO_FREE unsigned char *bytes = malloc(n ? n : 1);
    AUTO_FREE size_t *places = calloc(n + 1, sizeof *places);
    AUTO_FREE double *margins = calloc(n + 1, sizeof *margins);
    struct search s = { .bytes = bytes,
                        .n = n,
                        .places = places,
                        .margins = margins,
                        .model = byte_model_new(),
                        .out = out,
                        .max = max,
                        .effort = effort };
    bool done = false;

    if (bytes && places && margins && s.model) {
        memcpy(bytes, data, n);
        for (size_t i = 2; i < n && s.n_places < CHOICES; i++)
            if (bytes[i] == '\n')
                places[s.n_places++] = i;
        done = s.n_places > 0 && run_lines(&s, proved);
    }
    byte_model_free(s.model);
    return done;
}

bool line_search(const unsigned char *data, size_t n, size_t max, size_t *effort, struct buf *out,
                 bool *proved)
{
    bool done;

    *proved = false;
    if (n <= 8 || *effort == 0 || !memchr(data + 2, '\n', n - 2) || memchr(data, '\r', n))
        return false;
    zstream_spend(effort, CHOICE);
    done = search(data, n, max, effort, out, proved);
    if (out->len > max) /* by the last repetition */
        out->len = max;
    return done;
}
