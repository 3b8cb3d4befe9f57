#include "engine/compare/page_join.h"

#include "base/scope.h"

#define IDENTIFYING_WORDS 8 /* number of words that identify a page */

/* How much it says that two pages are paired; between pairs a page of either may be
 * left out, which says nothing. */
enum likeness {
    LIKE_NOT = 0,
    LIKE_PERHAPS = 1,  /* one shows so little that it may be what is left of the other */
    LIKE_WORDS = 1000, /* most words of one are also in the other */
    LIKE_ALL = 1001,
};

#define SIDE (CONTENT_SCORE_PAGES + 1)

struct plan {
    const struct content_score *best, *other;
    int (*sum)[SIDE]; /* of likeness, of the pages from i of the best and from j of the other on */
    struct page_join *joins;
    size_t n, shift; /* joins, and those of them that are new */
};

static bool is_same_page(const struct content_score_page *a, const struct content_score_page *b)
{
    return a->inked && b->inked &&
           (a->words ? a->words == b->words && a->text == b->text
                     : !b->words && a->picture && a->picture == b->picture);
}

static int likeness(const struct content_score_page *a, const struct content_score_page *b)
{
    if (is_same_page(a, b))
        return LIKE_ALL;
    if (!content_score_page_may_be(a, b))
        return LIKE_NOT;
    return a->words >= IDENTIFYING_WORDS && b->words >= IDENTIFYING_WORDS ? LIKE_WORDS
                                                                          : LIKE_PERHAPS;
}

static int largest(int a, int b)
{
    return a > b ? a : b;
}

static int at(const struct plan *p, size_t i, size_t j)
{
    int like = likeness(&p->best->page[i], &p->other->page[j]);
    int apart = largest(p->sum[i + 1][j], p->sum[i][j + 1]);

    return like ? largest(apart, like + p->sum[i + 1][j + 1]) : apart;
}

/* Whether a repair has a page, in whatever place. */
static bool has_page(const struct content_score *look, const struct content_score_page *page)
{
    for (size_t i = 0; i < look->seen; i++)
        if (likeness(&look->page[i], page) >= LIKE_WORDS)
            return true;
    return false;
}

static bool is_elsewhere(const struct content_score *look, const struct content_score_page *page,
                         size_t number)
{
    for (size_t i = 0; i < look->seen; i++)
        if (i != number && is_same_page(&look->page[i], page))
            return true;
    return false;
}

static void add_join(struct plan *p, size_t from, size_t place, bool is_new)
{
    p->joins[p->n++] = (struct page_join){ from, place + p->shift, is_new };
    p->shift += is_new;
}

/* What the other one has between two pages that both have. Only where the best has nothing there
 * is it known that it was lost. */
static void insert(struct plan *p, size_t i, size_t n_best, size_t j, size_t n_other)
{
    for (size_t k = j; n_best == 0 && k < j + n_other; k++) {
        const struct content_score_page *page = &p->other->page[k];

        if (page->inked && (page->words >= IDENTIFYING_WORDS || page->picture) &&
            !has_page(p->best, page))
            add_join(p, k, i, true);
    }
}

static void list_joins(struct plan *p)
{
    size_t i = 0, j = 0, from_i = 0, from_j = 0;

    while (i < p->best->seen && j < p->other->seen) {
        const struct content_score_page *a = &p->best->page[i], *b = &p->other->page[j];
        int like = likeness(a, b);

        if (like && p->sum[i][j] == like + p->sum[i + 1][j + 1]) {
            insert(p, from_i, i - from_i, from_j, j - from_j);
            if (content_score_page_is_better(b, a) && !is_elsewhere(p->best, b, i))
                add_join(p, j, i, false);
            from_i = ++i;
            from_j = ++j;
        } else if (p->sum[i][j] == p->sum[i + 1][j]) {
            i++;
        } else {
            j++;
        }
    }
    insert(p, from_i, p->best->seen - from_i, from_j, p->other->seen - from_j);
}

static bool is_seen(const struct content_score *look)
{
    return look->pages > 0 && look->seen == look->pages;
}

size_t page_join_plan(const struct content_score *best, const struct content_score *other,
                      struct page_join joins[static CONTENT_SCORE_PAGES])
{
    AUTO_FREE int(*sum)[SIDE] = calloc(SIDE, sizeof *sum);
    struct plan p = { best, other, sum, joins, 0, 0 };

    if (!sum || !is_seen(best) || !is_seen(other))
        return 0;
    for (size_t i = best->seen; i-- > 0;)
        for (size_t j = other->seen; j-- > 0;)
            sum[i][j] = at(&p, i, j);
    /* Pages whose number differs must be known by something. */
    if (best->pages != other->pages && sum[0][0] < LIKE_WORDS)
        return 0;
    list_joins(&p);
    return p.n;
}
