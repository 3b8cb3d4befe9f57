#include "layout/difference/differences.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "layout/difference/edge_words.h"
#include "layout/difference/moved_runs.h"
#include "layout/difference/page_pairs.h"
#include "layout/difference/sequence_diff.h"
#include "layout/difference/word_ids.h"

#define NOWHERE  DIFFERENCE_NOWHERE
#define STRAY    2  /* words that are the same by chance between parts that are not */
#define NEAR_GAP 30 /* words that changed inside of a moved part, at most */

/* The words of a document that are compared in one sequence: without pieces, headers, footers. */
struct body {
    uint32_t *words, *ids; /* their indexes in the list, and their numbers */
    size_t n;
};

struct work {
    struct text_words *old, *new;
    const struct difference_options *options;
    struct differences *found;
    struct body a, b;
    struct matched_runs same, moves;
    uint32_t *partner; /* for each word of b the one of a that it matches, or NOWHERE */
    uint32_t *moved;   /* for each word of the new list the one of the old list, or NOWHERE */
    bool *taken;       /* of each word of a: it is matched, or was moved, or is in a difference */
};

static int no_memory_to_compare(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the comparison needs more memory than a job has");
}

static bool make_body(const struct text_words *list, struct body *body)
{
    body->words = malloc((list->n_words + 1) * sizeof *body->words);
    body->ids = malloc((list->n_words + 1) * sizeof *body->ids);
    if (!body->words || !body->ids)
        return false;
    for (size_t i = 0; i < list->n_words; i++) {
        if (list->words[i].flags & (WORD_PIECE | WORD_EDGE) || list->words[i].id == 0)
            continue;
        body->words[body->n] = (uint32_t) i;
        body->ids[body->n++] = list->words[i].id;
    }
    return true;
}

static uint32_t least_edit(const struct matched_run *before, const struct matched_run *after)
{
    uint32_t old = after->a - before->a - before->n, new = after->b - before->b - before->n;

    return old < new ? old : new;
}

/* Drops words that are the same by chance, such as an article between two sentences that were
 * replaced. */
static void drop_strays(struct matched_runs *runs)
{
    size_t to = runs->n ? 1 : 0;

    for (size_t i = 1; i + 1 < runs->n; i++) {
        const struct matched_run *run = &runs->items[i];

        if (run->n > STRAY || least_edit(&runs->items[to - 1], run) <= 2 * run->n ||
            least_edit(run, run + 1) <= 2 * run->n)
            runs->items[to++] = *run;
    }
    if (runs->n > 1)
        runs->items[to++] = runs->items[runs->n - 1];
    runs->n = to;
}

static int match_body(struct work *w, size_t n_ids, struct err *err)
{
    if (sequence_diff(w->a.ids, w->a.n, w->b.ids, w->b.n, n_ids, &w->same, err) < 0)
        return -1;
    w->found->coarse = w->same.coarse;
    drop_strays(&w->same);
    w->partner = malloc((w->b.n + 1) * sizeof *w->partner);
    w->taken = calloc(w->a.n + 1, sizeof *w->taken);
    w->moved = malloc((w->new->n_words + 1) * sizeof *w->moved);
    w->found->partner = malloc((w->new->n_words + 1) * sizeof *w->found->partner);
    if (!w->partner || !w->taken || !w->moved || !w->found->partner)
        return no_memory_to_compare(err);
    for (size_t i = 0; i < w->b.n; i++)
        w->partner[i] = NOWHERE;
    for (size_t i = 0; i < w->new->n_words; i++)
        w->moved[i] = w->found->partner[i] = NOWHERE;
    for (size_t i = 0; i < w->same.n; i++)
        for (uint32_t k = 0; k < w->same.items[i].n; k++) {
            uint32_t a = w->same.items[i].a + k, b = w->same.items[i].b + k;

            w->partner[b] = a;
            w->taken[a] = true;
            w->found->partner[w->b.words[b]] = w->a.words[a];
        }
    return 0;
}

static int match_moves(struct work *w, struct err *err)
{
    if (moved_runs_find(w->a.ids, w->a.n, w->b.ids, w->b.n, w->taken, w->partner, &w->moves, err) <
        0)
        return -1;
    for (size_t i = 0; i < w->moves.n; i++)
        for (uint32_t k = 0; k < w->moves.items[i].n; k++) {
            uint32_t a = w->moves.items[i].a + k, b = w->moves.items[i].b + k;

            w->partner[b] = a;
            w->taken[a] = true;
            w->moved[w->b.words[b]] = w->a.words[a];
        }
    return 0;
}

/* The span of n words of a body from word `at` on. */
static struct word_span span_of(const struct text_words *list, const struct body *body, uint32_t at,
                                uint32_t n)
{
    struct word_span span = { .from = NOWHERE, .to = NOWHERE, .n = n };

    if (n > 0) {
        span.from = body->words[at];
        span.to = body->words[at + n - 1] + 1;
        while (span.to < list->n_words && (list->words[span.to].flags & WORD_PIECE))
            span.to++;
    } else if (at > 0) {
        span.from = span.to = body->words[at - 1];
    }
    if (span.from != NOWHERE)
        span.page = list->words[span.from].page;
    return span;
}

/* Skips the hyphens at the beginning of a text. */
static const char *skip_hyphen(const char *text)
{
    while (*text == '-' || strncmp(text, "\xe2\x80\x90", 3) == 0)
        text += *text == '-' ? 1 : 3;
    return text;
}

/* Whether two words differ only by a hyphen at which a line break divides one of them: "well-known"
 * at the end of a line has lost it, unlike "exam-ple". */
static bool is_same_word(const struct work *w, const struct word_span *old,
                         const struct word_span *new)
{
    const char *a, *b;

    if (old->n != 1 || new->n != 1 || (old->to - old->from == 1 && new->to - new->from == 1))
        return false;
    a = skip_hyphen(text_words_text(w->old, old->from));
    b = skip_hyphen(text_words_text(w->new, new->from));
    while (*a && *a == *b) {
        a = skip_hyphen(a + 1);
        b = skip_hyphen(b + 1);
    }
    return !*a && !*b;
}

static bool add_item(struct work *w, struct matched_run old, struct matched_run new,
                     enum difference_kind kind)
{
    struct word_span from = span_of(w->old, &w->a, old.a, old.n);
    struct word_span to = span_of(w->new, &w->b, new.b, new.n);
    struct differences *found = w->found;

    if (kind == DIFFERENCE_CHANGED && is_same_word(w, &from, &to))
        return true;
    if (!LIST_ROOM(found->items, found->n, found->cap))
        return false;
    found->items[found->n++] = (struct difference){ .kind = kind, .old = from, .new = to };
    return true;
}

/* n words of a from `from` on that are in no match: their number up to `end`. */
static uint32_t free_words(const struct work *w, uint32_t from, uint32_t end)
{
    uint32_t n = 0;

    while (from + n < end && !w->taken[from + n])
        n++;
    return n;
}

/* The words of `a` that `n` words of b between two parts of one moved run replace. */
static struct matched_run replaced_in_move(const struct work *w, size_t move, uint32_t b)
{
    const struct matched_run *before = move > 0 ? &w->moves.items[move - 1] : NULL;
    const struct matched_run *after = move < w->moves.n ? &w->moves.items[move] : NULL;
    uint32_t from = before ? before->a + before->n : 0;

    if (!before || !after || before->b + before->n != b || after->a < from ||
        after->a - from > NEAR_GAP || free_words(w, from, after->a) != after->a - from)
        return (struct matched_run){ 0 };
    return (struct matched_run){ .a = from, .n = after->a - from };
}

/* A gap between two matches: what of a and b is in it, from the beginning on. */
struct gap {
    uint32_t a, a_end, b, b_end;
    size_t move; /* the next of the moved runs */
};

static bool add_new_part(struct work *w, struct gap *g, uint32_t b, uint32_t n, bool alone)
{
    struct matched_run old = replaced_in_move(w, g->move, b), new = { .b = b, .n = n };
    uint32_t from = g->a, left;

    while (from < g->a_end && w->taken[from])
        from++;
    left = free_words(w, from, g->a_end);
    if (old.n == 0 && alone && left > 0)
        old = (struct matched_run){ .a = from, .n = left };
    for (uint32_t i = 0; i < old.n; i++)
        w->taken[old.a + i] = true;
    if (old.n == 0)
        old.a = g->a;
    return add_item(w, old, new, old.n ? DIFFERENCE_CHANGED : DIFFERENCE_ADDED);
}

static bool add_removed(struct work *w, const struct gap *g)
{
    for (uint32_t at = g->a; at < g->a_end; at++) {
        uint32_t n = free_words(w, at, g->a_end);
        struct matched_run old = { .a = at, .n = n }, new = { .b = g->b_end };

        if (n > 0 && !add_item(w, old, new, DIFFERENCE_REMOVED))
            return false;
        at += n;
    }
    return true;
}

static bool add_gap(struct work *w, struct gap *g)
{
    uint32_t b = g->b;

    while (b < g->b_end) {
        bool is_move = g->move < w->moves.n && w->moves.items[g->move].b == b;
        uint32_t next = g->move < w->moves.n && w->moves.items[g->move].b < g->b_end
                            ? w->moves.items[g->move].b
                            : g->b_end;

        if (is_move) {
            struct matched_run run = w->moves.items[g->move++];

            if (!add_item(w, run, run, DIFFERENCE_MOVED))
                return false;
            b += run.n;
            continue;
        }
        if (!add_new_part(w, g, b, next - b, b == g->b && next == g->b_end))
            return false;
        b = next;
    }
    return add_removed(w, g);
}

static bool add_differences(struct work *w)
{
    struct gap gap = { 0 };

    for (size_t i = 0; i <= w->same.n; i++) {
        bool end = i == w->same.n;

        gap.a_end = end ? (uint32_t) w->a.n : w->same.items[i].a;
        gap.b_end = end ? (uint32_t) w->b.n : w->same.items[i].b;
        if (!add_gap(w, &gap))
            return false;
        if (end)
            break;
        gap.a = gap.a_end + w->same.items[i].n;
        gap.b = gap.b_end + w->same.items[i].n;
    }
    return true;
}

static int compare_bodies(struct work *w, const struct page_matcher *matcher, size_t n_ids,
                          struct err *err)
{
    if (!make_body(w->old, &w->a) || !make_body(w->new, &w->b))
        return no_memory_to_compare(err);
    if (match_body(w, n_ids, err) < 0 || match_moves(w, err) < 0 ||
        page_pairs_find(w->old, w->new, w->moved, matcher, w->found, err) < 0)
        return -1;
    if (!add_differences(w))
        return no_memory_to_compare(err);
    return w->options->ignore_edges ? 0 : edge_words_compare(w->old, w->new, w->found, err);
}

int differences_find(struct text_words *old, struct text_words *new,
                     const struct difference_options *options, const struct page_matcher *matcher,
                     struct differences *found, struct err *err)
{
    struct work w = { .old = old, .new = new, .options = options, .found = found };
    struct word_ids ids = { .fold_case = options->ignore_case,
                            .drop_punctuation = options->ignore_punctuation };
    int done = -1;

    if (word_ids_set(&ids, old, err) == 0 && word_ids_set(&ids, new, err) == 0)
        done = compare_bodies(&w, matcher, ids.n, err);
    word_ids_free(&ids);
    free(w.a.words);
    free(w.a.ids);
    free(w.b.words);
    free(w.b.ids);
    free(w.same.items);
    free(w.moves.items);
    free(w.partner);
    free(w.moved);
    free(w.taken);
    return done;
}

void differences_free(struct differences *found)
{
    free(found->items);
    free(found->pairs);
    free(found->areas);
    free(found->partner);
    *found = (struct differences){ 0 };
}
