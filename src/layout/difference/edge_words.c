#include "layout/difference/edge_words.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/scope.h"
#include "layout/difference/sequence_diff.h"

#define NOWHERE DIFFERENCE_NOWHERE

/* The words at the edges of a page. */
struct edge {
    const struct text_words *list;
    uint32_t page; /* or NOWHERE: there is no such page */
    uint32_t *words, *ids;
    size_t n;
};

static bool open_edge(struct edge *e)
{
    const struct listed_page *page = e->page == NOWHERE ? NULL : &e->list->pages[e->page];
    uint32_t most = page ? page->n : 0;

    e->words = malloc((most + 1) * sizeof *e->words);
    e->ids = malloc((most + 1) * sizeof *e->ids);
    if (!e->words || !e->ids)
        return false;
    for (uint32_t i = 0; i < most; i++) {
        const struct listed_word *word = &e->list->words[page->from + i];

        if (!(word->flags & WORD_EDGE) || (word->flags & WORD_PIECE) || word->id == 0)
            continue;
        e->words[e->n] = page->from + i;
        e->ids[e->n++] = word->id;
    }
    return true;
}

static void close_edge(struct edge *e)
{
    free(e->words);
    free(e->ids);
}

static int by_word_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *) x, b = *(const uint32_t *) y;

    return a < b ? -1 : a > b;
}

/* Gives the words new numbers from 0 on, since there are few. Returns the number of numbers; 0
 * without memory. */
static size_t renumber(struct edge *a, struct edge *b)
{
    size_t n = 0, all = a->n + b->n;
    AUTO_FREE uint32_t *ids = malloc((all + 1) * sizeof *ids);

    if (!ids)
        return 0;
    for (size_t i = 0; i < all; i++)
        ids[i] = i < a->n ? a->ids[i] : b->ids[i - a->n];
    qsort(ids, all, sizeof *ids, by_word_number);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || ids[i] != ids[n - 1])
            ids[n++] = ids[i];
    for (size_t i = 0; i < all; i++) {
        uint32_t *id = i < a->n ? &a->ids[i] : &b->ids[i - a->n];

        *id = (uint32_t) ((uint32_t *) bsearch(id, ids, n, sizeof *ids, by_word_number) - ids);
    }
    return n + 1;
}

static struct word_span edge_span(const struct edge *e, uint32_t at, uint32_t n)
{
    struct word_span span = { .from = NOWHERE, .to = NOWHERE, .n = n };

    if (n > 0) {
        span.from = e->words[at];
        span.to = e->words[at + n - 1] + 1;
        while (span.to < e->list->n_words && (e->list->words[span.to].flags & WORD_PIECE))
            span.to++;
    } else if (at > 0) {
        span.from = span.to = e->words[at - 1];
    }
    span.page = e->page == NOWHERE ? 0 : e->page;
    return span;
}

static bool add_edge(struct differences *found, const struct edge *a, const struct edge *b,
                     struct matched_run old, struct matched_run new)
{
    enum difference_kind kind = new.n == 0   ? DIFFERENCE_REMOVED
                                : old.n == 0 ? DIFFERENCE_ADDED
                                             : DIFFERENCE_CHANGED;

    if (old.n == 0 && new.n == 0)
        return true;
    if (!LIST_ROOM(found->items, found->n, found->cap))
        return false;
    found->items[found->n++] = (struct difference){ .kind = kind,
                                                    .old = edge_span(a, old.a, old.n),
                                                    .new = edge_span(b, new.b, new.n),
                                                    .edge = true };
    return true;
}

static bool compare_edges(struct edge *a, struct edge *b, struct differences *found,
                          struct err *err)
{
    struct matched_runs runs = { 0 };
    struct matched_run old = { 0 }, new = { 0 };
    size_t n_ids;
    bool done = open_edge(a) && open_edge(b);

    if (!done || a->n + b->n == 0)
        return done;
    n_ids = renumber(a, b);
    done = n_ids > 0 && sequence_diff(a->ids, a->n, b->ids, b->n, n_ids, &runs, err) == 0;
    for (size_t i = 0; done && i <= runs.n; i++) {
        bool end = i == runs.n;

        old.n = (end ? (uint32_t) a->n : runs.items[i].a) - old.a;
        new.n = (end ? (uint32_t) b->n : runs.items[i].b) - new.b;
        done = add_edge(found, a, b, old, new);
        if (end)
            break;
        for (uint32_t k = 0; k < runs.items[i].n; k++)
            found->partner[b->words[runs.items[i].b + k]] = a->words[runs.items[i].a + k];
        old.a = runs.items[i].a + runs.items[i].n;
        new.b = runs.items[i].b + runs.items[i].n;
    }
    free(runs.items);
    return done;
}

int edge_words_compare(const struct text_words *old, const struct text_words *new,
                       struct differences *found, struct err *err)
{
    for (size_t i = 0; i < found->n_pairs; i++) {
        struct edge a = { .list = old, .page = found->pairs[i].old };
        struct edge b = { .list = new, .page = found->pairs[i].new };
        bool done = compare_edges(&a, &b, found, err);

        close_edge(&a);
        close_edge(&b);
        if (!done)
            return err_set(err, ERR_LIMIT_EXCEEDED,
                           "the comparison needs more memory than a job has");
    }
    return 0;
}
