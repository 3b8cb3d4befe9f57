#include "layout/difference/moved_runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"

struct grams {
    uint32_t *slots; /* a hash table with open addressing of places in a + 1 */
    size_t n_slots;  /* a power of two */
};

struct moves {
    const uint32_t *a, *b, *partner;
    bool *taken; /* elements of a that are matched or in a run */
    size_t n, m;
    struct grams grams;
};

static size_t gram_hash(const uint32_t *ids)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < MOVED_LEAST; i++)
        hash = (hash ^ ids[i]) * 0x9E3779B97F4A7C15U;
    return (size_t) (hash ^ hash >> 32);
}

static bool is_free(const bool *taken, size_t at)
{
    for (size_t i = 0; i < MOVED_LEAST; i++)
        if (taken[at + i])
            return false;
    return true;
}

/* The slot of elements like these, or the free one where they belong. */
static size_t gram_slot(const struct moves *s, const uint32_t *ids)
{
    size_t at = gram_hash(ids) & (s->grams.n_slots - 1);

    while (s->grams.slots[at] &&
           memcmp(&s->a[s->grams.slots[at] - 1], ids, MOVED_LEAST * sizeof *ids) != 0)
        at = (at + 1) & (s->grams.n_slots - 1);
    return at;
}

static bool list_grams(struct moves *s)
{
    size_t free_grams = 0;

    for (size_t i = 0; i + MOVED_LEAST <= s->n; i++)
        free_grams += is_free(s->taken, i);
    for (s->grams.n_slots = 16; s->grams.n_slots < 2 * free_grams + 2;)
        s->grams.n_slots *= 2;
    s->grams.slots = calloc(s->grams.n_slots, sizeof *s->grams.slots);
    if (!s->grams.slots)
        return false;
    for (size_t i = 0; i + MOVED_LEAST <= s->n; i++) {
        size_t at = is_free(s->taken, i) ? gram_slot(s, s->a + i) : SIZE_MAX;

        if (at != SIZE_MAX && !s->grams.slots[at]) /* the first of several that are the same */
            s->grams.slots[at] = (uint32_t) i + 1;
    }
    return true;
}

static bool is_alone(const struct moves *s, size_t at)
{
    for (size_t i = 0; i < MOVED_LEAST; i++)
        if (s->partner[at + i] != UINT32_MAX)
            return false;
    return true;
}

/* The longest run of b that contains element `at` and begins at `least` or later; n is 0 if no
 * element of a matches. */
static struct matched_run run_at(const struct moves *s, size_t at, size_t least)
{
    uint32_t place = s->grams.slots[gram_slot(s, s->b + at)];
    size_t from = at, a, n = 0;

    if (!place || !is_free(s->taken, place - 1))
        return (struct matched_run){ 0 };
    a = place - 1;
    while (from > least && a > 0 && !s->taken[a - 1] && s->partner[from - 1] == UINT32_MAX &&
           s->a[a - 1] == s->b[from - 1]) {
        a--;
        from--;
    }
    while (from + n < s->m && a + n < s->n && !s->taken[a + n] &&
           s->partner[from + n] == UINT32_MAX && s->a[a + n] == s->b[from + n])
        n++;
    return (struct matched_run){ (uint32_t) a, (uint32_t) from, (uint32_t) n };
}

static bool find_runs(struct moves *s, struct matched_runs *runs)
{
    size_t least = 0;

    for (size_t i = 0; i + MOVED_LEAST <= s->m;) {
        struct matched_run run = is_alone(s, i) ? run_at(s, i, least) : (struct matched_run){ 0 };

        if (run.n == 0) {
            i++;
            continue;
        }
        if (!LIST_ROOM(runs->items, runs->n, runs->cap))
            return false;
        runs->items[runs->n++] = run;
        for (size_t k = 0; k < run.n; k++)
            s->taken[run.a + k] = true;
        i = least = run.b + run.n;
    }
    return true;
}

int moved_runs_find(const uint32_t *a, size_t n, const uint32_t *b, size_t m, const bool *taken,
                    const uint32_t *partner, struct matched_runs *runs, struct err *err)
{
    AUTO_FREE bool *used = malloc(n + 1);
    struct moves s = { .a = a, .b = b, .partner = partner, .taken = used, .n = n, .m = m };
    bool done;

    if (!used)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the comparison needs more memory than a job has");
    memcpy(used, taken, n);
    done = list_grams(&s) && find_runs(&s, runs);
    free(s.grams.slots);
    if (!done)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the comparison needs more memory than a job has");
    return 0;
}
