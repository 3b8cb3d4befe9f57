#include "image/coverage_edges.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LANES  ((size_t) 4)
#define SHIFTS 8 /* moves for each edge, after which they are not taken for nearly sorted */

typedef int ints __attribute__((vector_size(16)));

/* One that stands right of all others. */
static const struct coverage_active nowhere = { .x = INT_MAX };

void coverage_edges_clear(struct coverage_edges *edges)
{
    edges->n = edges->n_slanted = 0;
    edges->end = INT_MAX;
}

void coverage_edges_free(struct coverage_edges *edges)
{
    free(edges->all);
    free(edges->tracks);
    free(edges->order);
    *edges = (struct coverage_edges){ 0 };
}

/* For LANES more than there are: with the last of them as many others are followed. */
static bool grow(struct coverage_edges *edges)
{
    size_t cap = (edges->cap + edges->cap / 2 + 4 * LANES) / LANES * LANES;
    struct coverage_active *all = realloc(edges->all, cap * sizeof *all);
    unsigned *order = realloc(edges->order, cap * sizeof *order);

    edges->all = all ? all : edges->all;
    edges->order = order ? order : edges->order;
    free(edges->tracks);
    edges->tracks = malloc(cap * (COVERAGE_DOWN + 1) * sizeof *edges->tracks);
    edges->stride = cap;
    edges->cap = all && order && edges->tracks ? cap : 0;
    return edges->cap > 0;
}

static bool is_slanted(const struct coverage_active *edge)
{
    return edge->move != 0 || edge->up != 0;
}

bool coverage_edges_add(struct coverage_edges *edges, const struct coverage_active *edge)
{
    if (edges->n + LANES >= edges->cap && !grow(edges))
        return false;
    edges->all[edges->n++] = *edge;
    edges->sorted = false;
    edges->n_slanted += is_slanted(edge);
    edges->end = edge->end < edges->end ? edge->end : edges->end;
    return true;
}

void coverage_edges_end(struct coverage_edges *edges, int y)
{
    struct coverage_active *all = edges->all;
    size_t n = 0;
    int end = INT_MAX;

    for (size_t i = 0; i < edges->n; i++) {
        if (all[i].end == y) {
            edges->n_slanted -= is_slanted(&all[i]);
            continue;
        }
        end = all[i].end < end ? all[i].end : end;
        if (n++ != i)
            all[n - 1] = all[i];
    }
    edges->n = n;
    edges->end = end;
}

static int next_x(const struct coverage_active *edge)
{
    return edge->move + (edge->error + edge->up > 0 ? edge->across : 0);
}

/* Of two in the same place: as they are one line further down. */
static inline bool is_left(const struct coverage_active *a, const struct coverage_active *b)
{
    return a->x < b->x || (a->x == b->x && next_x(a) < next_x(b));
}

/* Sorts those that are `gap` apart. False: `budget` moves were not enough. */
static bool insert(struct coverage_active *all, size_t n, size_t gap, size_t budget)
{
    for (size_t i = gap; i < n; i++) {
        struct coverage_active one;
        size_t at = i;

        if (!is_left(&all[i], &all[i - gap]))
            continue;
        one = all[i];
        for (; at >= gap && is_left(&one, &all[at - gap]) && budget > 0; at -= gap, budget--)
            all[at] = all[at - gap];
        all[at] = one;
        if (budget == 0)
            return false;
    }
    return true;
}

static bool insert_numbers(unsigned *order, const int *x, size_t n, size_t gap, size_t budget)
{
    for (size_t i = gap; i < n; i++) {
        unsigned one = order[i];
        size_t at = i;

        for (; at >= gap && x[order[at - gap]] > x[one] && budget > 0; at -= gap, budget--)
            order[at] = order[at - gap];
        order[at] = one;
        if (budget == 0)
            return false;
    }
    return true;
}

/* For Shell's way to sort, by ever smaller steps: for what is not nearly sorted, as most is. */
static size_t first_gap(size_t n)
{
    size_t gap = 1;

    while (gap < n / 9)
        gap = 3 * gap + 1;
    return gap;
}

void coverage_edges_sort(struct coverage_edges *edges)
{
    if (edges->sorted || insert(edges->all, edges->n, 1, SHIFTS * edges->n + SHIFTS))
        return;
    for (size_t gap = first_gap(edges->n); gap > 0; gap /= 3)
        insert(edges->all, edges->n, gap, SIZE_MAX);
}

static void order_all(struct coverage_edges *edges, const int *x)
{
    if (insert_numbers(edges->order, x, edges->n, 1, SHIFTS * edges->n + SHIFTS))
        return;
    for (size_t gap = first_gap(edges->n); gap > 0; gap /= 3)
        insert_numbers(edges->order, x, edges->n, gap, SIZE_MAX);
}

static bool is_ordered(const unsigned *order, const int *x, size_t n)
{
    bool wrong = false;

    for (size_t i = 1; i < n; i++)
        wrong |= x[order[i - 1]] > x[order[i]];
    return !wrong;
}

int coverage_edges_order(struct coverage_edges *edges, int line, int lines)
{
    const int *x = edges->tracks + (size_t) line * edges->stride;
    int last = line + 1;

    order_all(edges, x);
    for (x += edges->stride; last < lines && is_ordered(edges->order, x, edges->n); last++)
        x += edges->stride;
    return last - line;
}

static inline ints load(const int *from)
{
    ints all;

    memcpy(&all, from, sizeof all);
    return all;
}

/* What four rows of four have in common: columns. */
static inline void turn(const ints rows[LANES], ints columns[LANES])
{
    ints a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    ints b = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    ints c = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    ints d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);

    columns[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    columns[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    columns[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    columns[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

static void follow_four(struct coverage_active *four, int *tracks, size_t stride, int lines)
{
    ints places[LANES], ways[LANES], from[LANES], by[LANES], x, error;

    for (size_t i = 0; i < LANES; i++) {
        from[i] = load(&four[i].x);
        by[i] = load(&four[i].move);
    }
    turn(from, places);
    turn(by, ways);
    x = places[0];
    error = places[1];
    for (int i = 0; i < lines; i++, tracks += stride) {
        ints over;

        memcpy(tracks, &x, sizeof x);
        error += places[2];
        over = error > 0;
        x += ways[0] + (ways[1] & over);
        error -= places[3] & over;
    }
    memcpy(tracks, &x, sizeof x);
    /* Whole, as they are loaded: shorter stores would have to arrive in memory first. */
    places[0] = x;
    places[1] = error;
    turn(places, from);
    for (size_t i = 0; i < LANES; i++)
        memcpy(&four[i].x, &from[i], sizeof from[i]);
}

void coverage_edges_follow(struct coverage_edges *edges, int lines)
{
    size_t n = edges->n;

    edges->sorted = false;
    for (size_t i = n; i < n / LANES * LANES + LANES; i++)
        edges->all[i] = nowhere;
    for (size_t i = 0; i <= n; i += LANES)
        follow_four(edges->all + i, edges->tracks + i, edges->stride, lines);
}

static inline bool is_any(ints all)
{
    long long halves[2];

    memcpy(halves, &all, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

bool coverage_edges_in_order(struct coverage_edges *edges, int lines)
{
    const ints lanes = { 0, 1, 2, 3 };
    ints wrong = { 0 }, after = { 0 };

    for (size_t k = 0; k + 1 < edges->n; k += LANES) {
        const ints has_next = lanes < (int) (edges->n - 1 - k);
        const int *x = edges->tracks + k;

        for (int i = 0; i < lines; i++, x += edges->stride)
            wrong |= (load(x) > load(x + 1)) & has_next;
        after |= (load(x) > load(x + 1)) & has_next;
    }
    edges->sorted = !is_any(after);
    return !is_any(wrong);
}
