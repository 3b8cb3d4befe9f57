#include "image/coverage.h"

#include <limits.h>
#include <stdlib.h>

#include "image/coverage_edges.h"
#include "image/coverage_order.h"

struct coverage {
    uint64_t *order; /* room for two: of edges by their first line, y << 32 | number */
    size_t order_cap;
    struct coverage_edges edges;
    struct coverage_row row;
};

/* The work on one shape. */
struct scan {
    struct coverage *memory;
    const struct coverage_shape *shape;
    const struct coverage_area *clip;
    coverage_put *put;
    void *cls;
    const uint64_t *order;
    size_t next; /* edge in that order */
    int left;    /* where the row begins, in steps */
    int row;     /* whose lines are added, of pixels */
};

struct coverage *coverage_new(void)
{
    return calloc(1, sizeof(struct coverage));
}

void coverage_free(struct coverage *coverage)
{
    if (!coverage)
        return;
    free(coverage->order);
    coverage_edges_free(&coverage->edges);
    coverage_row_free(&coverage->row);
    free(coverage);
}

static bool make_order_room(struct coverage *memory, size_t n_edges)
{
    size_t n = 2 * n_edges;
    uint64_t *order;

    if (n <= memory->order_cap)
        return true;
    n += n / 2;
    order = realloc(memory->order, n * sizeof *order);
    if (!order)
        return false;
    memory->order = order;
    memory->order_cap = n;
    return true;
}

static void order_edges(struct scan *scan)
{
    const struct coverage_shape *shape = scan->shape;
    uint64_t *keys = scan->memory->order;
    int first = INT_MAX, last = INT_MIN;

    for (size_t i = 0; i < shape->n_edges; i++) {
        int y = shape->edges[i].y;

        first = y < first ? y : first;
        last = y > last ? y : last;
    }
    for (size_t i = 0; i < shape->n_edges; i++)
        keys[i] = (uint64_t) (uint32_t) (shape->edges[i].y - first) << 32 | i;
    scan->order =
        coverage_order(keys, keys + shape->n_edges, shape->n_edges, (unsigned) (last - first));
}

static const struct coverage_edge *peek(const struct scan *scan)
{
    return scan->next < scan->shape->n_edges
               ? &scan->shape->edges[(uint32_t) scan->order[scan->next]]
               : NULL;
}

/* The edges that begin on this line. False: there is no memory. */
static bool begin_edges(struct scan *scan, int y)
{
    const struct coverage_edge *edge;

    while ((edge = peek(scan)) && edge->y == y) {
        const struct coverage_active active = { .x = edge->x - scan->left,
                                                .error = edge->error,
                                                .up = edge->up,
                                                .down = edge->down,
                                                .move = edge->move,
                                                .across = edge->across,
                                                .turn = edge->turn,
                                                .end = y + edge->height };

        if (!coverage_edges_add(&scan->memory->edges, &active))
            return false;
        scan->next++;
    }
    return true;
}

/* Lines from `line` on, where the edges are in this order (NULL: as they are). An outline that is
 * not closed bounds nothing. */
static inline __attribute__((always_inline)) void
bound_all(struct scan *scan, const unsigned *order, int line, int lines)
{
    const struct coverage_edges *edges = &scan->memory->edges;
    const int *x = edges->tracks + (size_t) line * edges->stride;
    struct coverage_row *row = &scan->memory->row;
    struct coverage_bound from = { x, edges->stride, lines }, to = from, leftmost = from;
    bool even_odd = scan->shape->even_odd, any = false;
    int turns = 0;

    for (size_t i = 0; i < edges->n; i++) {
        size_t k = order ? order[i] : i;
        int turned = even_odd ? !turns : turns + edges->all[k].turn;

        if (turns == 0) {
            from.x = x + k;
        } else if (turned == 0) {
            to.x = x + k;
            coverage_row_bound(row, &from, 1);
            coverage_row_bound(row, &to, -1);
            if (!any)
                leftmost = from;
            any = true;
        }
        turns = turned;
    }
    if (any)
        coverage_row_reach(row, &leftmost, &to);
}

/* Adds what the active edges cover on so many lines, and moves them on. */
static void cover(struct scan *scan, int lines, bool wanted)
{
    struct coverage_edges *edges = &scan->memory->edges;

    coverage_edges_follow(edges, lines);
    if (!wanted)
        return;
    if (coverage_edges_in_order(edges, lines)) {
        bound_all(scan, NULL, 0, lines);
        return;
    }
    for (unsigned i = 0; i < edges->n; i++)
        edges->order[i] = i;
    for (int i = 0, n; i < lines; i += n) {
        n = coverage_edges_order(edges, i, lines);
        bound_all(scan, edges->order, i, n);
    }
}

/* So many rows from this one on, which look as what was added. */
static void put_rows(struct scan *scan, int row, int rows)
{
    const struct coverage_area *clip = scan->clip;
    struct coverage_row *sum = &scan->memory->row;
    int end = clip->y1 - row < rows ? clip->y1 : row + rows;
    int left = scan->shape->bounds.x0, from, to;

    if (coverage_row_is_empty(sum))
        return;
    coverage_row_sum(sum);
    from = left + sum->low < clip->x0 ? clip->x0 : left + sum->low;
    to = left + sum->high > clip->x1 ? clip->x1 : left + sum->high;
    for (int y = row < clip->y0 ? clip->y0 : row; from < to && y < end; y++)
        scan->put(scan->cls, from, y, sum->covered + (from - left), to - from);
    coverage_row_clear(sum);
}

static int row_of(int line)
{
    return line < 0 ? (line - COVERAGE_DOWN + 1) / COVERAGE_DOWN : line / COVERAGE_DOWN;
}

/* Lines from y on, up to `lines`; how many it were. */
static int cover_some(struct scan *scan, int y, int lines)
{
    int row = row_of(y), rest = (row + 1) * COVERAGE_DOWN - y;

    if (row != scan->row)
        put_rows(scan, scan->row, 1);
    scan->row = row;
    if (scan->memory->edges.n_slanted == 0 && rest == COVERAGE_DOWN && lines >= COVERAGE_DOWN) {
        cover(scan, COVERAGE_DOWN, true);
        put_rows(scan, row, lines / COVERAGE_DOWN);
        return lines - lines % COVERAGE_DOWN;
    }
    lines = lines < rest ? lines : rest;
    cover(scan, lines, row >= scan->clip->y0);
    return lines;
}

bool coverage_find(struct coverage *coverage, const struct coverage_shape *shape,
                   const struct coverage_area *clip, coverage_put *put, void *cls)
{
    struct scan scan = { .memory = coverage,
                         .shape = shape,
                         .clip = clip,
                         .put = put,
                         .cls = cls,
                         .left = shape->bounds.x0 * COVERAGE_ACROSS };
    struct coverage_edges *edges = &coverage->edges;
    int y;

    if (shape->n_edges == 0)
        return true;
    if (!make_order_room(coverage, shape->n_edges) ||
        !coverage_row_begin(&coverage->row, (size_t) (shape->bounds.x1 - shape->bounds.x0)))
        return false;
    order_edges(&scan);
    coverage_edges_clear(edges);
    y = peek(&scan)->y;
    scan.row = row_of(y);
    while ((edges->n > 0 || peek(&scan)) && row_of(y) < clip->y1) {
        const struct coverage_edge *next;
        int end;

        if (!begin_edges(&scan, y))
            return false;
        coverage_edges_sort(edges);
        next = peek(&scan);
        end = next && next->y < edges->end ? next->y : edges->end;
        y += edges->n > 0 ? cover_some(&scan, y, end - y) : end - y;
        if (y == edges->end)
            coverage_edges_end(edges, y);
    }
    put_rows(&scan, scan.row, 1);
    return true;
}
