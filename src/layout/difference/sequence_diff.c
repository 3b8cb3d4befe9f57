#include "layout/difference/sequence_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"

#define EFFORT  400000000 /* comparisons of a call */
#define DEEPEST 40        /* how often anchors are looked for between anchors */
#define MOST_D  1000      /* edits that Myers' algorithm follows before it keeps the best path */

struct side {
    const uint32_t *ids;
    uint32_t *count; /* of each id, in the range that is looked at; else 0 */
};

struct search {
    struct side a, b;
    uint32_t *at; /* of each id that is in the range of b once */
    struct matched_runs *runs;
    int64_t effort;
};

struct range {
    uint32_t a0, a1, b0, b1;
};

struct anchor {
    uint32_t a, b;
};

static bool add_run(struct search *s, uint32_t a, uint32_t b, uint32_t n)
{
    struct matched_runs *runs = s->runs;
    struct matched_run *last = runs->n ? &runs->items[runs->n - 1] : NULL;

    if (n == 0)
        return true;
    if (last && last->a + last->n == a && last->b + last->n == b) {
        last->n += n;
        return true;
    }
    if (!LIST_ROOM(runs->items, runs->n, runs->cap))
        return false;
    runs->items[runs->n++] = (struct matched_run){ a, b, n };
    return true;
}

static void count_range(struct search *s, const struct range *r, bool back)
{
    for (uint32_t i = r->a0; i < r->a1; i++)
        s->a.count[s->a.ids[i]] = back ? 0 : s->a.count[s->a.ids[i]] + 1;
    for (uint32_t i = r->b0; i < r->b1; i++) {
        s->b.count[s->b.ids[i]] = back ? 0 : s->b.count[s->b.ids[i]] + 1;
        s->at[s->b.ids[i]] = i;
    }
    s->effort += r->a1 - r->a0 + r->b1 - r->b0;
}

/* Keeps the longest subsequence of the anchors, which are in the order of a, whose places in b
 * increase. Returns their number; SIZE_MAX without memory. */
static size_t keep_increasing(struct anchor *anchors, size_t n)
{
    AUTO_FREE uint32_t *tails = calloc(n + 1, sizeof *tails);
    AUTO_FREE uint32_t *before = calloc(n + 1, sizeof *before);
    size_t longest = 0, at;

    if (!tails || !before)
        return SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        size_t low = 0, high = longest;

        while (low < high) {
            size_t middle = (low + high) / 2;

            if (anchors[tails[middle]].b < anchors[i].b)
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low ? tails[low - 1] : UINT32_MAX;
        tails[low] = (uint32_t) i;
        longest += low == longest;
    }
    at = longest ? tails[longest - 1] : 0;
    for (size_t k = longest; k > 0; k--) {
        tails[k - 1] = (uint32_t) at;
        at = before[at];
    }
    for (size_t k = 0; k < longest; k++)
        anchors[k] = anchors[tails[k]];
    return longest;
}

/* The elements that are in both ranges once, in an order that both have. NULL with *n SIZE_MAX
 * without memory. *shared: whether any element is in both. */
static struct anchor *find_anchors(struct search *s, const struct range *r, size_t *n, bool *shared)
{
    struct anchor *anchors = NULL;
    size_t cap = 0, found = 0;

    *n = SIZE_MAX;
    *shared = false;
    count_range(s, r, false);
    for (uint32_t i = r->a0; i < r->a1; i++) {
        uint32_t id = s->a.ids[i];

        *shared |= s->b.count[id] > 0;
        if (s->a.count[id] != 1 || s->b.count[id] != 1)
            continue;
        if (!LIST_ROOM(anchors, found, cap)) {
            free(anchors);
            count_range(s, r, true);
            return NULL;
        }
        anchors[found++] = (struct anchor){ i, s->at[id] };
    }
    count_range(s, r, true);
    *n = keep_increasing(anchors, found);
    return anchors;
}

/* Myers' algorithm on a range, from its beginning. `rows` has what was reached on each diagonal
 * after each number of edits. */
struct paths {
    int32_t *rows; /* MOST_D + 1 rows; row d begins at d * d and has 2 d + 1 numbers */
    const struct range *range;
    int32_t n, m;
};

static int32_t *row_of(const struct paths *p, int32_t d)
{
    return p->rows + (size_t) d * (size_t) d + (size_t) d; /* its diagonal 0 */
}

/* Whether the best path with d edits to diagonal k came by an element of b: from diagonal k + 1. */
static bool came_down(const struct paths *p, int32_t d, int32_t k)
{
    const int32_t *last = row_of(p, d - 1);

    return k == -d || (k != d && last[k - 1] < last[k + 1]);
}

/* How far that path is before it follows matches. */
static int32_t start_of(const struct paths *p, int32_t d, int32_t k)
{
    if (d == 0)
        return 0;
    return came_down(p, d, k) ? row_of(p, d - 1)[k + 1] : row_of(p, d - 1)[k - 1] + 1;
}

/* Adds what is the same on the path that ends on diagonal k after d edits, from its beginning. */
static bool trace(struct search *s, const struct paths *p, int32_t d, int32_t k)
{
    AUTO_FREE struct matched_run *found = calloc((size_t) d + 1, sizeof *found);

    if (!found)
        return false;
    for (int32_t e = d; e >= 0; e--) {
        int32_t x = start_of(p, e, k);

        found[e] =
            (struct matched_run){ p->range->a0 + (uint32_t) x, p->range->b0 + (uint32_t) (x - k),
                                  (uint32_t) (row_of(p, e)[k] - x) };
        if (e > 0)
            k += came_down(p, e, k) ? 1 : -1;
    }
    for (int32_t e = 0; e <= d; e++)
        if (!add_run(s, found[e].a, found[e].b, found[e].n))
            return false;
    return true;
}

/* Fills the row of d edits. Returns the diagonal of the path that got farthest. */
static int32_t fill_row(struct search *s, const struct paths *p, int32_t d)
{
    int32_t best = 0, farthest = -1, *row = row_of(p, d);

    for (int32_t k = -d; k <= d; k += 2) {
        int32_t x = start_of(p, d, k), from = x;

        while (x < p->n && x - k < p->m &&
               s->a.ids[p->range->a0 + (uint32_t) x] == s->b.ids[p->range->b0 + (uint32_t) (x - k)])
            x++;
        row[k] = x;
        s->effort += x - from + 1;
        if (x <= p->n && x - k <= p->m && 2 * x - k > farthest) {
            farthest = 2 * x - k;
            best = k;
        }
    }
    return best;
}

/* Follows paths until one is at the end of the range, or MOST_D edits were followed; adds what is
 * the same on the best path, and moves the beginning of the range to its end. */
static bool follow_paths(struct search *s, struct paths *p, struct range *r)
{
    int32_t d = 0, k;

    p->n = (int32_t) (r->a1 - r->a0);
    p->m = (int32_t) (r->b1 - r->b0);
    p->range = r;
    for (;; d++) {
        k = fill_row(s, p, d);
        if (d == MOST_D || (row_of(p, d)[k] == p->n && row_of(p, d)[k] - k == p->m))
            break;
    }
    if (!trace(s, p, d, k))
        return false;
    r->b0 += (uint32_t) (row_of(p, d)[k] - k);
    r->a0 += (uint32_t) row_of(p, d)[k];
    return true;
}

static bool match_by_paths(struct search *s, struct range r)
{
    struct paths p = { .rows = NULL };
    bool done = true;

    p.rows = malloc((size_t) (MOST_D + 1) * (MOST_D + 1) * sizeof *p.rows);
    if (!p.rows)
        return false;
    while (done && r.a0 < r.a1 && r.b0 < r.b1) {
        if (s->effort > EFFORT) {
            s->runs->coarse = true;
            break;
        }
        done = follow_paths(s, &p, &r);
    }
    free(p.rows);
    return done;
}

static bool match_range(struct search *s, struct range r, int depth);

/* What is between anchors is compared in the same way. */
static bool match_between(struct search *s, const struct range *r, const struct anchor *anchors,
                          size_t n, int depth)
{
    struct range gap = *r;

    for (size_t i = 0; i < n; i++) {
        gap.a1 = anchors[i].a;
        gap.b1 = anchors[i].b;
        if (!match_range(s, gap, depth + 1) || !add_run(s, anchors[i].a, anchors[i].b, 1))
            return false;
        gap.a0 = anchors[i].a + 1;
        gap.b0 = anchors[i].b + 1;
    }
    gap.a1 = r->a1;
    gap.b1 = r->b1;
    return match_range(s, gap, depth + 1);
}

static bool match_middle(struct search *s, const struct range *r, int depth)
{
    struct anchor *anchors;
    bool shared, done = true;
    size_t n;

    if (s->effort > EFFORT) {
        s->runs->coarse = true;
        return true;
    }
    anchors = find_anchors(s, r, &n, &shared);
    if (n == SIZE_MAX)
        done = false;
    else if (n > 0 && depth < DEEPEST)
        done = match_between(s, r, anchors, n, depth);
    else if (shared)
        done = match_by_paths(s, *r);
    free(anchors);
    return done;
}

static bool match_range(struct search *s, struct range r, int depth)
{
    uint32_t head = 0, tail = 0;

    while (r.a0 + head < r.a1 && r.b0 + head < r.b1 &&
           s->a.ids[r.a0 + head] == s->b.ids[r.b0 + head])
        head++;
    if (!add_run(s, r.a0, r.b0, head))
        return false;
    r.a0 += head;
    r.b0 += head;
    while (r.a0 < r.a1 - tail && r.b0 < r.b1 - tail &&
           s->a.ids[r.a1 - tail - 1] == s->b.ids[r.b1 - tail - 1])
        tail++;
    r.a1 -= tail;
    r.b1 -= tail;
    s->effort += (int64_t) head + tail + 1;
    if (r.a0 < r.a1 && r.b0 < r.b1 && !match_middle(s, &r, depth))
        return false;
    return add_run(s, r.a1, r.b1, tail);
}

int sequence_diff(const uint32_t *a, size_t n, const uint32_t *b, size_t m, size_t n_ids,
                  struct matched_runs *runs, struct err *err)
{
    AUTO_FREE uint32_t *in_a = calloc(n_ids + 1, sizeof *in_a);
    AUTO_FREE uint32_t *in_b = calloc(n_ids + 1, sizeof *in_b);
    AUTO_FREE uint32_t *at = calloc(n_ids + 1, sizeof *at);
    struct search s = { .a = { a, in_a }, .b = { b, in_b }, .at = at, .runs = runs };
    struct range all = { 0, (uint32_t) n, 0, (uint32_t) m };

    if (!in_a || !in_b || !at || !match_range(&s, all, 0))
        return err_set(err, ERR_LIMIT_EXCEEDED, "the comparison needs more memory than a job has");
    return 0;
}
