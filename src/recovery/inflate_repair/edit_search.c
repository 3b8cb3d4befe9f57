#include "recovery/inflate_repair/edit_search.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "recovery/inflate_repair/byte_model.h"
#include "recovery/inflate_repair/huffman.h"
#include "recovery/inflate_repair/zstream.h"

#define REACH                                                                                      \
    320              /* bytes before the place where damage shows that are searched for its        \
                        cause */
#define AHEAD    160 /* bytes after it that must make sense */
#define GAIN     3   /* bytes: an edit that moves the damage by less did not undo any */
#define SPACING  16  /* bytes between places where a state is kept */
#define KEPT     (REACH / SPACING + 2)
#define CHOICES  48  /* edits of one place that are remembered, */
#define LOOKED   12  /* and how many are followed to the next place if none is good */
#define DOUBTFUL 1.2 /* bits a byte more than is usual: an edit that may be wrong, */
#define DEAR     25  /* and what each of them takes from its worth, in bytes */
#define DOUBTS                                                                                     \
    40                 /* edits, from the last back, that are doubted if the check sum is wrong    \
                        */
#define SYMBOL_BITS 48 /* of the longest symbol */
#define TAIL_BITS                                                                                  \
    ((size_t) 96)             /* at most so much stands after the last block                       \
                               */
#define SURE       200        /* bytes from which the cost of text is known */
#define MARGIN     2.8        /* bits a byte more than that: it is not text */
#define UNSURE     9.0        /* bits a byte that nothing may cost */
#define DECAY      (1.0 / 32) /* weight of a byte in the moving mean of costs */
#define TRIAL_COST 4000       /* effort of a trial, */
#define BYTE_COST  12         /* and of each byte it reads */

struct state {
    struct bits bits;
    const struct block *block; /* that is read */
    struct block *room;        /* where the next one's codes go */
    bool inside;               /* a block */
    bool ended;
    size_t stored;  /* bytes left of a stored block */
    size_t made;    /* bytes put out */
    double cost;    /* moving mean of bits a byte */
    double sum;     /* of the costs, */
    size_t checked; /* number of bytes in that sum */
};

/* The states a stream was in on the way to where it is. */
struct trail {
    struct state kept[KEPT]; /* the last ones; `n` counts all there were */
    struct block blocks[KEPT];
    size_t n;
};

/* An edit, and how far the stream then makes sense. */
struct edit {
    size_t at, removed;
    int inserted; /* byte, or -1 */
    size_t reach; /* bytes of input, as they are before the edit */
    double cost;
};

/* The best edits for one place, the best first. */
struct choices {
    struct edit edit[CHOICES];
    size_t n;
};

struct search {
    struct buf bytes; /* with the edits made so far */
    struct buf *out;
    struct byte_model *model;
    const struct edits *edits;
    struct trail trail, ahead;
    struct block reading, looking, trying; /* blocks of the stream, of one that is looked ahead at,
                                              and of one with an edit that is tried */
    struct choices next;
    struct state start;   /* the first state from which edits are tried: costs are
                             counted from it */
    struct choices *made; /* for each edit made: it, and what else it could have
                             been; owned */
    size_t n_made;
    double total;   /* cost of the bytes that were read on the way, */
    size_t checked; /* number of bytes in that sum */
    size_t peak;    /* byte of input where text was least likely */
    double peak_cost;
    size_t max, *effort;
};

/* What text costs so far, in bits a byte. */
static double usual(const struct search *s)
{
    return s->checked > SURE ? s->total / (double) s->checked : UNSURE;
}

static double limit(const struct search *s)
{
    return usual(s) + (s->checked > SURE ? MARGIN : 0);
}

/* What the bytes put out since `from` cost. */
static void examine(struct search *s, struct state *state, size_t from, bool settle)
{
    const unsigned char *data = (const unsigned char *) s->out->data;
    /* The rest of a repetition was likely where it was first. */
    size_t end = settle || s->out->len < from + 2 ? s->out->len : from + 2;

    for (size_t i = from; i < end; i++) {
        unsigned char a = i > 1 ? data[i - 2] : ' ', b = i > 0 ? data[i - 1] : '\n';

        if (i < from + 2) {
            double cost = byte_model_cost(s->model, a, b, data[i]);

            state->cost += (cost - state->cost) * DECAY;
            state->sum += cost;
            state->checked++;
            s->total += settle ? cost : 0;
            s->checked += settle;
        }
        if (settle)
            byte_model_learn(s->model, a, b, data[i]);
    }
    state->made = s->out->len;
}

/* Reads one block's head, symbol or stored byte. False: it makes no sense. */
static bool step_state(struct search *s, struct state *state, bool settle)
{
    size_t from = s->out->len;

    if (huffman_bits_left(&state->bits) == 0)
        return false;
    if (!state->inside) {
        if (!huffman_read_block(&state->bits, state->room))
            return false;
        state->block = state->room;
        state->inside = true;
        state->stored = state->block->type == 0 ? state->block->stored : 0;
        return true;
    }
    if (state->block->type == 0) {
        if (state->stored == 0) {
            state->inside = false;
            state->ended = state->block->final;
        } else {
            state->stored--;
            buf_putc(s->out, (char) huffman_read_bits(&state->bits, 8));
        }
    } else {
        switch (symbol_step(&state->bits, state->block, s->out)) {
        case SYMBOL_ON:
            break;
        case SYMBOL_SCAR:
            return false;
        case SYMBOL_END:
            state->inside = false;
            state->ended = state->block->final;
            return !state->ended || huffman_bits_left(&state->bits) <= TAIL_BITS;
        }
    }
    examine(s, state, from, settle);
    return state->cost <= limit(s) && s->out->len <= s->max;
}

static const struct state *last_of(const struct trail *trail)
{
    return &trail->kept[(trail->n - 1) % KEPT];
}

/* A state with a block of its own in `room`. */
static void copy_state(struct state *to, const struct state *from, struct block *room)
{
    *to = *from;
    to->room = room;
    if (from->block) {
        *room = *from->block;
        to->block = room;
    }
}

static void keep_state(struct trail *trail, const struct state *state)
{
    size_t i = trail->n % KEPT;

    if (trail->n > 0 && state->bits.at / 8 < last_of(trail)->bits.at / 8 + SPACING)
        return;
    copy_state(&trail->kept[i], state, &trail->blocks[i]);
    trail->n++;
}

/* Reads on until nothing makes sense, the end, or the byte `until`. With
 * `learn` the model learns.
 */
static void read_on(struct search *s, struct trail *trail, struct state *state, size_t until,
                    bool learn)
{
    size_t from = state->bits.at / 8;

    state->bits.data = (const unsigned char *) s->bytes.data;
    state->bits.n = s->bytes.len;
    do {
        keep_state(trail, state);
        if (learn && state->cost > s->peak_cost && state->made > SURE) {
            s->peak_cost = state->cost;
            s->peak = state->bits.at / 8;
        }
    } while (!state->ended && !s->out->failed && state->bits.at / 8 < until &&
             step_state(s, state, learn));
    if (!learn)
        zstream_spend(s->effort, TRIAL_COST + (state->bits.at / 8 - from) * BYTE_COST);
}

static bool is_end(const struct state *state)
{
    return state->ended && huffman_bits_left(&state->bits) <= TAIL_BITS;
}

/* A place at which edits of one kind are tried, and the bytes around it. */
struct trial {
    struct state before; /* as far as the stream can be read before the place */
    size_t base;         /* of the window, in the bytes of the stream */
    size_t shows, until; /* where damage shows; how far to read */
    size_t n, at;        /* bytes of the window, and the place in it */
    struct edit edit;
    double limit;
    unsigned char window[REACH + 2 * AHEAD + 64];
};

/* Reads on to the place: all edits of it have that in common. False: they do not fit in the window.
 */
static bool trial_begin(struct search *s, const struct state *before, size_t shows,
                        const struct edit *edit, struct trial *t)
{
    size_t rest = edit->at + edit->removed, more;

    t->before = *before;
    t->before.room = &s->trying;
    s->out->len = before->made;
    while (t->before.inside && t->before.bits.at + SYMBOL_BITS <= edit->at * 8 &&
           step_state(s, &t->before, false))
        continue;
    t->base = t->before.bits.at / 8;
    t->at = t->n = edit->at - t->base;
    t->shows = shows;
    t->edit = *edit;
    t->limit = limit(s);
    if (rest > s->bytes.len || t->n + AHEAD > sizeof t->window)
        return false;
    t->until = shows > rest ? shows + AHEAD : rest + AHEAD;
    if (t->until > s->bytes.len)
        t->until = s->bytes.len;
    memcpy(t->window, s->bytes.data + t->base, t->n);
    t->n += edit->inserted >= 0;
    more = t->until - rest < sizeof t->window - t->n ? t->until - rest : sizeof t->window - t->n;
    memcpy(t->window + t->n, s->bytes.data + rest, more);
    t->n += more;
    return true;
}

/* How far the stream makes sense with an edit. */
static void measure_edit(struct search *s, struct trial *t, struct edit *edit)
{
    struct state state = t->before;
    long moved = (edit->inserted >= 0) - (long) edit->removed;
    size_t end;

    if (edit->inserted >= 0)
        t->window[t->at] = (unsigned char) edit->inserted;
    state.bits = (struct bits){ t->window, t->n, t->before.bits.at % 8 };
    s->out->len = state.made;
    /* A code may reach over the end of the window, and is not damaged for that. */
    while (!state.ended && (t->base + t->n == t->until || huffman_bits_left(&state.bits) > 64) &&
           step_state(s, &state, false))
        continue;
    end = t->base + state.bits.at / 8;
    edit->reach = (size_t) ((long) end - moved);
    if (is_end(&state) && (size_t) ((long) (t->base + t->n) - moved) >= s->bytes.len)
        edit->reach = s->bytes.len; /* it is the end */
    else if (huffman_bits_left(&state.bits) <= 64 && !state.ended)
        edit->reach = t->until;
    edit->cost = state.checked > s->start.checked
                     ? (state.sum - s->start.sum) / (double) (state.checked - s->start.checked)
                     : UNSURE;
    zstream_spend(s->effort, TRIAL_COST + (end - t->base) * BYTE_COST);
}

static bool is_better(const struct edit *a, const struct edit *b, size_t enough)
{
    bool far_a = a->reach >= enough, far_b = b->reach >= enough;

    if (far_a != far_b)
        return far_a;
    return far_a ? a->cost < b->cost : a->reach > b->reach;
}

static size_t enough(const struct search *s, size_t shows)
{
    return shows + AHEAD / 2 < s->bytes.len ? shows + AHEAD / 2 : s->bytes.len;
}

static void try_edit(struct search *s, struct trial *t, int inserted, struct choices *choices)
{
    struct edit edit = t->edit;
    size_t i;

    if (*s->effort == 0)
        return;
    edit.inserted = inserted;
    measure_edit(s, t, &edit);
    if (edit.reach <= t->shows + GAIN && edit.reach < s->bytes.len)
        return;
    for (i = choices->n; i > 0 && is_better(&edit, &choices->edit[i - 1], enough(s, t->shows)); i--)
        if (i < CHOICES)
            choices->edit[i] = choices->edit[i - 1];
    if (i < CHOICES) {
        choices->edit[i] = edit;
        choices->n += choices->n < CHOICES;
    }
}

/* Edits of one kind, of one place: `inserted` or EDIT_ANY, all but `old`. */
static void try_kind(struct search *s, const struct state *before, size_t shows,
                     const struct edit *edit, int old, struct choices *choices)
{
    struct trial t;

    if (!trial_begin(s, before, shows, edit, &t))
        return;
    for (int byte = 0; byte < 256; byte++)
        if (byte != old)
            try_edit(s, &t, byte, choices);
}

static void try_one(struct search *s, const struct state *before, size_t shows,
                    const struct edit *edit, struct choices *choices)
{
    struct trial t;

    if (trial_begin(s, before, shows, edit, &t))
        try_edit(s, &t, edit->inserted, choices);
}

/* Every edit of one place. */
static void try_place(struct search *s, const struct state *before, size_t shows, size_t at,
                      struct choices *choices)
{
    const struct edits *edits = s->edits;
    int old = (unsigned char) s->bytes.data[at];

    if (edits->remove)
        try_one(s, before, shows, &(struct edit){ at, edits->remove, -1, 0, 0 }, choices);
    if (edits->insert && edits->inserted != EDIT_ANY)
        try_one(s, before, shows, &(struct edit){ at, 0, edits->inserted, 0, 0 }, choices);
    else if (edits->insert)
        try_kind(s, before, shows, &(struct edit){ at, 0, 0, 0, 0 }, -1, choices);
    if (edits->change && edits->to != EDIT_ANY && old == edits->from)
        try_one(s, before, shows, &(struct edit){ at, 1, edits->to, 0, 0 }, choices);
    else if (edits->change && edits->to == EDIT_ANY)
        try_kind(s, before, shows, &(struct edit){ at, 1, 0, 0, 0 }, old, choices);
}

/* The best edits of the bytes before the place where damage shows; the nearest
 * are tried first. The state to go on from is *from, and `out` is as it was
 * there. */
static void find_edits(struct search *s, const struct trail *trail, size_t shows,
                       struct state *from, struct choices *choices)
{
    size_t at = shows < s->bytes.len ? shows : s->bytes.len - 1;
    size_t oldest = trail->n > KEPT ? trail->n - KEPT : 0;
    const struct state *nearest = last_of(trail);

    choices->n = 0;
    for (size_t i = trail->n; i-- > oldest && shows - trail->kept[i % KEPT].bits.at / 8 <= REACH;)
        s->start = trail->kept[i % KEPT];
    for (size_t i = trail->n; i-- > oldest && *s->effort > 0;) {
        const struct state *state = &trail->kept[i % KEPT];
        size_t first = (state->bits.at + 7) / 8;

        if (shows - state->bits.at / 8 > REACH)
            break;
        nearest = state;
        for (; at >= first && at < s->bytes.len; at--)
            try_place(s, state, shows, at, choices);
    }
    copy_state(from, nearest, from->room);
    s->out->len = from->made;
}

/* False when out of memory. */
static bool apply_edit(struct buf *bytes, const struct edit *edit)
{
    AUTO_BUF struct buf rest = BUF_EMPTY;

    if (edit->at + edit->removed > bytes->len)
        return false;
    buf_put(&rest, bytes->data + edit->at + edit->removed, bytes->len - edit->at - edit->removed);
    bytes->len = edit->at;
    if (edit->inserted >= 0)
        buf_putc(bytes, (char) edit->inserted);
    buf_put(bytes, rest.data, rest.len);
    return !rest.failed && !bytes->failed;
}

/* How good an edit is: bytes that make sense, less for what costs more than
 * text does. */
static double worth(const struct search *s, size_t shows, const struct edit *edit)
{
    size_t reach = edit->reach > shows + AHEAD ? AHEAD
                   : edit->reach > shows       ? edit->reach - shows
                                               : 0;
    double dear = edit->cost - usual(s);

    return (double) reach - (dear > 0 ? dear * DEAR : 0);
}

/* The worth of this edit together with the best one for the next place. */
static double look_ahead(struct search *s, const struct state *from, size_t shows,
                         const struct edit *edit)
{
    struct buf before = s->bytes;
    struct state state;
    struct choices *next = &s->next;
    double sum = worth(s, shows, edit);

    copy_state(&state, from, &s->looking);
    s->bytes = BUF_EMPTY;
    buf_put(&s->bytes, before.data, before.len);
    if (apply_edit(&s->bytes, edit)) {
        size_t until = shows + (size_t) 2 * AHEAD, there;

        s->ahead.n = 0;
        s->out->len = state.made;
        read_on(s, &s->ahead, &state, until, false);
        there = state.bits.at / 8;
        if (is_end(&state) || there >= until) {
            sum += AHEAD;
        } else {
            find_edits(s, &s->ahead, there, &state, next);
            sum += next->n ? worth(s, there, &next->edit[0]) : -(double) AHEAD;
        }
    }
    buf_free(&s->bytes);
    s->bytes = before;
    s->out->len = from->made;
    zstream_spend(s->effort, before.len);
    return sum;
}

/* Where the first choice does not lead far, or to what is not text, two places
 * may be near each other: then each choice is scored by what can be done next.
 */
static void reorder(struct search *s, size_t shows, const struct state *from,
                    struct choices *choices)
{
    size_t best = 0;
    double most = 0;
    struct edit chosen;

    if (s->edits->most < 2 || choices->n == 0 ||
        (choices->edit[0].reach >= enough(s, shows) && choices->edit[0].cost < usual(s) + DOUBTFUL))
        return;
    for (size_t i = 0; i < choices->n && i<LOOKED && * s->effort> 0; i++) {
        double sum = look_ahead(s, from, shows, &choices->edit[i]);

        if (i == 0 || sum > most) {
            most = sum;
            best = i;
        }
    }
    chosen = choices->edit[best];
    choices->edit[best] = choices->edit[0];
    choices->edit[0] = chosen;
}

/* Reads the stream, with an edit wherever it makes no sense. True: to its end.
 */
static bool run_search(struct search *s)
{
    struct state state = { .bits = { .at = 16 }, .room = &s->reading, .cost = 4 };

    for (;;) {
        struct choices *choices = &s->made[s->n_made];
        size_t shows;

        read_on(s, &s->trail, &state, SIZE_MAX, true);
        if (is_end(&state))
            return true;
        if (s->n_made == s->edits->most || s->bytes.len == 0)
            return false;
        shows = state.bits.at / 8;
        find_edits(s, &s->trail, shows, &state, choices);
        reorder(s, shows, &state, choices);
        if (choices->n == 0)
            return false;
        /* States after the one that is gone back to are of the stream before the
         * edit. */
        while (s->trail.n > 0 && last_of(&s->trail)->bits.at > state.bits.at)
            s->trail.n--;
        if (!apply_edit(&s->bytes, &choices->edit[0]))
            return false;
        s->n_made++;
    }
}

/* The stream with the edits made, but for the one numbered `other`, of which
 * another choice is made. */
static bool is_sound_with(struct search *s, const unsigned char *data, size_t n, size_t other,
                          size_t choice)
{
    s->bytes.len = 0;
    buf_put(&s->bytes, data, n);
    for (size_t i = 0; i < s->n_made; i++)
        if (!apply_edit(&s->bytes, &s->made[i].edit[i == other ? choice : 0]))
            return false;
    zstream_spend(s->effort, s->n_made * n / 4);
    return zstream_try((const unsigned char *) s->bytes.data, s->bytes.len, s->max, s->effort);
}

static bool prove(struct search *s, const unsigned char *data, size_t n)
{
    if (is_sound_with(s, data, n, 0, 0))
        return true;
    for (size_t back = 0; back < s->n_made && back < DOUBTS; back++) {
        size_t i = s->n_made - 1 - back;
        size_t limit = s->n_made > 4 ? LOOKED : CHOICES;

        for (size_t choice = 1; choice < s->made[i].n && choice<limit && * s->effort> 0; choice++)
            if (is_sound_with(s, data, n, i, choice))
                return true;
    }
    return false;
}

/* Removals are few enough to try all. */
static bool prove_removal(struct search *s, const unsigned char *data, size_t n)
{
    s->n_made = s->made[0].n = 1;
    for (size_t at = 2; at + s->edits->remove<n && * s->effort> 0; at++) {
        s->made[0].edit[0] = (struct edit){ .at = at, .removed = s->edits->remove, .inserted = -1 };
        if (is_sound_with(s, data, n, 0, 0))
            return true;
    }
    return false;
}

/* The stream makes sense everywhere, and yet something is wrong: most likely
 * where it is least like text. */
static bool prove_at_peak(struct search *s, const unsigned char *data, size_t n)
{
    struct state state = { .bits = { .at = 16 }, .room = &s->reading, .cost = 4 };

    if (s->edits->most != 1)
        return false;
    if (s->edits->remove > 0)
        return prove_removal(s, data, n);
    if (s->n_made > 0 || s->peak == 0)
        return false;
    s->bytes.len = 0;
    buf_put(&s->bytes, data, n);
    s->trail.n = 0;
    s->out->len = 0;
    read_on(s, &s->trail, &state, s->peak + SPACING, false);
    find_edits(s, &s->trail, state.bits.at / 8, &state, &s->made[0]);
    s->n_made = 1;
    return s->made[0].n > 0 && prove(s, data, n);
}

/* As edit_search, for a search that can begin. */
static bool search(struct search *s, const unsigned char *data, size_t n, bool *proved)
{
    AUTO_BUF struct buf read = BUF_EMPTY;

    buf_put(&s->bytes, data, n);
    if (s->bytes.failed || !run_search(s) || s->out->failed || s->out->len > s->max)
        return false;
    *proved = prove(s, data, n);
    if (!*proved) {
        buf_put(&read, s->out->data, s->out->len);
        *proved = prove_at_peak(s, data, n);
    }
    s->out->len = 0;
    if (*proved)
        return zstream_unpack((const unsigned char *) s->bytes.data, s->bytes.len, s->max, s->out);
    buf_put(s->out, read.data, read.len);
    return !read.failed && !s->out->failed;
}

bool edit_search(const unsigned char *data, size_t n, const struct edits *edits, size_t max,
                 size_t *effort, struct buf *out, bool *proved)
{
    struct search *s = calloc(1, sizeof *s);
    bool done = false;

    *proved = false;
    if (s && n > 8 && *effort > 0 && edits->most <= EDITS_MAX) {
        s->out = out;
        s->edits = edits;
        s->max = max;
        s->effort = effort;
        s->model = byte_model_new();
        s->made = calloc(edits->most + 1, sizeof *s->made);
        done = s->model && s->made && search(s, data, n, proved);
        byte_model_free(s->model);
        buf_free(&s->bytes);
        free(s->made);
    }
    free(s);
    return done;
}
