#include "layout/difference/page_pairs.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/scope.h"

#define NOWHERE     DIFFERENCE_NOWHERE
#define LEAST_SHARE 10 /* a tenth of the words of the shorter page are in common, at least */

/* How many words an old and a new page have in common. */
struct common {
    uint32_t old, new, words;
    uint32_t before; /* the one before it in the best chain, or NOWHERE */
    uint64_t sum;    /* of the words of the chain that ends with it */
};

struct commons {
    struct common *items;
    size_t n, cap;
};

struct pairing {
    const struct text_words *old, *new;
    const uint32_t *moved;
    const struct page_matcher *matcher;
    struct differences *found;
    uint32_t *partner; /* for each page of the new list */
    bool *taken;       /* of each page of the old list */
    bool *is_moved;    /* of each page of the new list */
};

/* Counts the words of a new page by the old page that they are on: one item for each. */
static bool count_page(const struct pairing *p, uint32_t page, const uint32_t *partner,
                       struct commons *list)
{
    const struct listed_page *of = &p->new->pages[page];
    size_t first = list->n;

    for (uint32_t i = of->from; i < of->from + of->n; i++) {
        uint32_t old = partner[i] == NOWHERE ? NOWHERE : p->old->words[partner[i]].page;
        size_t k = list->n;

        if (old == NOWHERE)
            continue;
        while (k > first && list->items[k - 1].old != old)
            k--;
        if (k > first) {
            list->items[k - 1].words++;
            continue;
        }
        if (!LIST_ROOM(list->items, list->n, list->cap))
            return false;
        list->items[list->n++] = (struct common){ .old = old, .new = page, .words = 1 };
    }
    return true;
}

/* The best chain that ends before old page `end`: a Fenwick tree of maxima over old pages. */
static uint32_t best_before(const struct commons *list, const uint32_t *tree, uint32_t end)
{
    uint32_t best = NOWHERE;

    for (uint32_t i = end; i > 0; i -= i & -i)
        if (tree[i] != NOWHERE &&
            (best == NOWHERE || list->items[tree[i]].sum > list->items[best].sum))
            best = tree[i];
    return best;
}

static void put_chain(const struct commons *list, uint32_t *tree, size_t n_old, uint32_t at)
{
    for (size_t i = list->items[at].old + 1; i <= n_old; i += i & -i)
        if (tree[i] == NOWHERE || list->items[at].sum > list->items[tree[i]].sum)
            tree[i] = at;
}

/* Drops old pages from `first` on that have nearly nothing in common with their new page. */
static void drop_few(const struct pairing *p, struct commons *list, size_t first)
{
    size_t to = first;

    for (size_t i = first; i < list->n; i++) {
        uint32_t n = p->old->pages[list->items[i].old].n, m = p->new->pages[list->items[i].new].n;

        if ((uint64_t) list->items[i].words * LEAST_SHARE >= (n < m ? n : m))
            list->items[to++] = list->items[i];
    }
    list->n = to;
}

/* Pairs pages in the order of both documents, with as many common words as possible. */
static bool pair_by_words(struct pairing *p)
{
    struct commons list = { 0 };
    size_t n_old = p->old->n_pages;
    AUTO_FREE uint32_t *tree = malloc((n_old + 1) * sizeof *tree);
    uint32_t best = NOWHERE;
    bool done = tree != NULL;

    for (uint32_t i = 0; i < p->new->n_pages &&done; i++) {
        size_t first = list.n;

        done = count_page(p, i, p->found->partner, &list);
        drop_few(p, &list, first);
    }
    for (size_t i = 0; i <= n_old && done; i++)
        tree[i] = NOWHERE;
    for (size_t from = 0, to; from < list.n && done; from = to) {
        for (to = from; to < list.n && list.items[to].new == list.items[from].new; to++) {
            struct common *one = &list.items[to];

            one->before = best_before(&list, tree, one->old);
            one->sum = one->words + (one->before == NOWHERE ? 0 : list.items[one->before].sum);
            if (best == NOWHERE || one->sum > list.items[best].sum)
                best = (uint32_t) to;
        }
        for (size_t i = from; i < to; i++) /* only then, as a page has one partner */
            put_chain(&list, tree, n_old, (uint32_t) i);
    }
    for (; done && best != NOWHERE; best = list.items[best].before) {
        p->partner[list.items[best].new] = list.items[best].old;
        p->taken[list.items[best].old] = true;
    }
    free(list.items);
    return done;
}

/* Pairs pages of which most words were moved from one page that has no partner. */
static bool pair_by_moves(struct pairing *p)
{
    struct commons list = { 0 };
    bool done = true;

    for (uint32_t i = 0; i < p->new->n_pages &&done; i++) {
        if (p->partner[i] != NOWHERE)
            continue;
        list.n = 0;
        done = count_page(p, i, p->moved, &list);
        for (size_t k = 0; k < list.n && done; k++) {
            if (p->taken[list.items[k].old] || 2 * list.items[k].words <= p->new->pages[i].n)
                continue;
            p->partner[i] = list.items[k].old;
            p->taken[list.items[k].old] = p->is_moved[i] = true;
        }
    }
    free(list.items);
    return done;
}

/* As many pages on one side as on the other between two pairs are the same ones. */
static void pair_equals(struct pairing *p, uint32_t old_from, uint32_t old_to, uint32_t from,
                        uint32_t to)
{
    if (old_to - old_from != to - from)
        return;
    for (uint32_t i = from; i < to; i++)
        if (p->partner[i] == NOWHERE && !p->taken[old_from + i - from]) {
            p->partner[i] = old_from + i - from;
            p->taken[p->partner[i]] = true;
        }
}

/* Pairs what is between two pairs by what the matcher says, and then by numbers. */
static int pair_gap(struct pairing *p, uint32_t old_from, uint32_t old_to, uint32_t from,
                    uint32_t to, struct err *err)
{
    if (old_from >= old_to || from == to)
        return 0;
    if (p->matcher &&
        p->matcher->match(p->matcher->hand, old_from, old_to, from, to, p->partner, err) < 0)
        return -1;
    for (uint32_t i = from; i <= to; i++) {
        uint32_t old = i == to ? old_to : p->partner[i];

        if (i < to && (old == NOWHERE || p->is_moved[i]))
            continue;
        pair_equals(p, old_from, old, from, i);
        old_from = old + 1;
        from = i + 1;
    }
    return 0;
}

static int pair_gaps(struct pairing *p, struct err *err)
{
    uint32_t old_from = 0, from = 0;

    for (uint32_t i = 0; i <= p->new->n_pages; i++) {
        bool end = i == p->new->n_pages;
        uint32_t old = end ? (uint32_t) p->old->n_pages : p->partner[i];

        if (!end && (old == NOWHERE || p->is_moved[i]))
            continue;
        if (pair_gap(p, old_from, old, from, i, err) < 0)
            return -1;
        old_from = old + 1;
        from = i + 1;
    }
    for (size_t i = 0; i < p->new->n_pages; i++)
        if (p->partner[i] != NOWHERE)
            p->taken[p->partner[i]] = true;
    return 0;
}

static bool add_pair(struct differences *found, uint32_t old, uint32_t new, bool moved)
{
    if (!LIST_ROOM(found->pairs, found->n_pairs, found->cap_pairs))
        return false;
    found->pairs[found->n_pairs++] = (struct page_pair){ old, new, moved };
    return true;
}

/* Lists the pairs, and removed pages before the partner of the page that followed them. */
static bool list_pairs(const struct pairing *p)
{
    uint32_t next = 0;

    for (uint32_t i = 0; i < p->new->n_pages; i++) {
        uint32_t old = p->partner[i];

        if (old != NOWHERE && !p->is_moved[i])
            for (; next < old; next++)
                if (!p->taken[next] && !add_pair(p->found, next, NOWHERE, false))
                    return false;
        if (!add_pair(p->found, old, i, p->is_moved[i]))
            return false;
        if (old != NOWHERE && !p->is_moved[i])
            next = old + 1;
    }
    for (; next < p->old->n_pages; next++)
        if (!p->taken[next] && !add_pair(p->found, next, NOWHERE, false))
            return false;
    return true;
}

int page_pairs_find(const struct text_words *old, const struct text_words *new,
                    const uint32_t *moved, const struct page_matcher *matcher,
                    struct differences *found, struct err *err)
{
    AUTO_FREE uint32_t *partner = malloc((new->n_pages + 1) * sizeof *partner);
    AUTO_FREE bool *taken = calloc(old->n_pages + 1, sizeof *taken);
    AUTO_FREE bool *is_moved = calloc(new->n_pages + 1, sizeof *is_moved);
    struct pairing p = { old, new, moved, matcher, found, partner, taken, is_moved };

    if (partner && taken && is_moved) {
        for (size_t i = 0; i < new->n_pages; i++)
            partner[i] = NOWHERE;
        if (pair_by_words(&p) && pair_by_moves(&p)) {
            if (pair_gaps(&p, err) < 0)
                return -1;
            if (list_pairs(&p))
                return 0;
        }
    }
    return err_set(err, ERR_LIMIT_EXCEEDED, "the comparison needs more memory than a job has");
}
