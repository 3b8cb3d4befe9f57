#include "image/coverage.h"

#include <limits.h>
#include <stdlib.h>

#include "image/coverage_order.h"

#define SHIFTS 8 /* moves for each edge, after which they are not taken for nearly sorted */

/* An edge on the line that is looked at. */
struct active {
    int x, error, left; /* left: lines to come, with this one */
    int up, down, move;
    int across, turn;
};

/* Where an edge is on each of some lines. */
struct track {
    int x[COVERAGE_DOWN];
    int turn;
};

struct coverage {
    uint64_t *order; /* room for two: of edges by their first line, y << 32 | number */
    size_t order_cap;
    struct active *active;
    struct track *tracks;        /* one for each active edge */
    const struct track **sorted; /* by x */
    size_t active_cap, tracks_cap, sorted_cap;
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
    size_t n;    /* active; by x */
    size_t n_slanted;
    int left; /* where the row begins, in steps */
    int row;  /* whose lines are added, of pixels */
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
    free(coverage->active);
    free(coverage->tracks);
    free((void *) coverage->sorted);
    coverage_row_free(&coverage->row);
    free(coverage);
}

static bool grow(void **room, size_t *cap, size_t n, size_t size)
{
    void *grown;

    if (n <= *cap)
        return true;
    n += n / 2;
    grown = realloc(*room, n * size);
    if (!grown)
        return false;
    *room = grown;
    *cap = n;
    return true;
}

/* For so many active edges. */
static bool make_room(struct coverage *memory, size_t n)
{
    void *active = memory->active, *tracks = memory->tracks, *sorted = memory->sorted;
    bool done = grow(&active, &memory->active_cap, n, sizeof *memory->active) &&
                grow(&tracks, &memory->tracks_cap, n, sizeof *memory->tracks) &&
                grow(&sorted, &memory->sorted_cap, n, sizeof *memory->sorted);

    memory->active = active;
    memory->tracks = tracks;
    memory->sorted = sorted;
    return done;
}

static bool make_order_room(struct coverage *memory, size_t n_edges)
{
    void *order = memory->order;
    bool done = grow(&order, &memory->order_cap, 2 * n_edges, sizeof *memory->order);

    memory->order = order;
    return done;
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

/* Sorts those that are `gap` apart. False: `budget` moves were not enough. */
static bool insert_active(struct active *all, size_t n, size_t gap, size_t budget)
{
    for (size_t i = gap; i < n; i++) {
        struct active one;
        size_t at = i;

        if (all[i - gap].x <= all[i].x)
            continue;
        one = all[i];
        for (; at >= gap && all[at - gap].x > one.x && budget > 0; at -= gap, budget--)
            all[at] = all[at - gap];
        all[at] = one;
        if (budget == 0)
            return false;
    }
    return true;
}

static bool insert_tracks(const struct track **all, size_t n, int line, size_t gap, size_t budget)
{
    for (size_t i = gap; i < n; i++) {
        const struct track *one = all[i];
        size_t at = i;

        for (; at >= gap && all[at - gap]->x[line] > one->x[line] && budget > 0;
             at -= gap, budget--)
            all[at] = all[at - gap];
        all[at] = one;
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

static void sort_active(struct scan *scan)
{
    struct active *all = scan->memory->active;

    if (insert_active(all, scan->n, 1, SHIFTS * scan->n + SHIFTS))
        return;
    for (size_t gap = first_gap(scan->n); gap > 0; gap /= 3)
        insert_active(all, scan->n, gap, SIZE_MAX);
}

static void sort_tracks(struct scan *scan, int line)
{
    const struct track **all = scan->memory->sorted;

    if (insert_tracks(all, scan->n, line, 1, SHIFTS * scan->n + SHIFTS))
        return;
    for (size_t gap = first_gap(scan->n); gap > 0; gap /= 3)
        insert_tracks(all, scan->n, line, gap, SIZE_MAX);
}

static bool is_slanted(int move, int up)
{
    return move != 0 || up != 0;
}

/* The edges that begin on this line. False: there is no memory. */
static bool begin_edges(struct scan *scan, int y)
{
    const struct coverage_edge *edge;

    while ((edge = peek(scan)) && edge->y == y) {
        /* `sorted` is the last that grows. */
        if (scan->n == scan->memory->sorted_cap && !make_room(scan->memory, scan->n + 1))
            return false;
        scan->memory->active[scan->n++] = (struct active){ .x = edge->x,
                                                           .error = edge->error,
                                                           .left = edge->height,
                                                           .up = edge->up,
                                                           .down = edge->down,
                                                           .move = edge->move,
                                                           .across = edge->across,
                                                           .turn = edge->turn };
        scan->n_slanted += is_slanted(edge->move, edge->up);
        scan->next++;
    }
    return true;
}

/* On to the line `lines` further down. Edges that end do so there. */
static void step(struct scan *scan, int lines)
{
    struct active *all = scan->memory->active;
    size_t n = 0;

    for (size_t i = 0; i < scan->n; i++) {
        all[i].left -= lines;
        if (all[i].left == 0)
            scan->n_slanted -= is_slanted(all[i].move, all[i].up);
        else if (n++ != i)
            all[n - 1] = all[i];
    }
    scan->n = n;
}

/* Notes where the edge is on so many lines, and moves it to the one after. */
static inline void follow(struct active *edge, struct track *track, int lines)
{
    int x = edge->x, error = edge->error;

    for (int i = 0; i < lines; i++) {
        int over;

        track->x[i] = x;
        error += edge->up;
        over = -(error > 0);
        x += edge->move + (edge->across & over);
        error -= edge->down & over;
    }
    track->turn = edge->turn;
    edge->x = x;
    edge->error = error;
}

/* Lines from `line` on, where the tracks are in that order. An outline that is not closed bounds
 * nothing. */
static void bound_all(struct scan *scan, int line, int lines)
{
    const struct track *const *tracks = scan->memory->sorted;
    struct coverage_row *row = &scan->memory->row;
    bool even_odd = scan->shape->even_odd;
    const int *from = NULL;
    int turns = 0;

    for (size_t i = 0; i < scan->n; i++) {
        int turned = even_odd ? !turns : turns + tracks[i]->turn;

        if (turns == 0) {
            from = tracks[i]->x + line;
        } else if (turned == 0) {
            coverage_row_bound(row, from, scan->left, lines, 1);
            coverage_row_bound(row, tracks[i]->x + line, scan->left, lines, -1);
        }
        turns = turned;
    }
}

/* Whether two of the tracks, which are in order on the first line, may change places. They are
 * rounded lines: that they keep a step apart at both ends says that they do in between. */
static bool may_cross(const struct scan *scan, int lines)
{
    const struct track *all = scan->memory->tracks;

    if (scan->n_slanted == 0 || lines == 1)
        return false;
    for (size_t i = 1; i < scan->n; i++)
        if (all[i - 1].x[0] >= all[i].x[0] || all[i - 1].x[lines - 1] >= all[i].x[lines - 1])
            return true;
    return false;
}

/* Adds what the active edges cover on so many lines, and moves them on. */
static void cover(struct scan *scan, int lines, bool wanted)
{
    struct coverage *memory = scan->memory;

    for (size_t i = 0; i < scan->n; i++) {
        follow(&memory->active[i], &memory->tracks[i], lines);
        memory->sorted[i] = &memory->tracks[i];
    }
    if (!wanted)
        return;
    if (!may_cross(scan, lines)) {
        bound_all(scan, 0, lines);
        return;
    }
    for (int i = 0; i < lines; i++) {
        sort_tracks(scan, i);
        bound_all(scan, i, 1);
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

/* Until an edge begins or ends. */
static int count_lines(const struct scan *scan, int y)
{
    const struct active *all = scan->memory->active;
    const struct coverage_edge *edge = peek(scan);
    int lines = edge ? edge->y - y : INT_MAX;

    for (size_t i = 0; i < scan->n; i++)
        lines = all[i].left < lines ? all[i].left : lines;
    return lines;
}

/* Two begin in the same place: which is left of the other is seen one line further down. */
static bool is_tied(const struct scan *scan)
{
    const struct active *all = scan->memory->active;

    for (size_t i = 1; i < scan->n; i++)
        if (all[i - 1].x == all[i].x)
            return scan->n_slanted > 0;
    return false;
}

/* Lines from y on, up to `lines`; how many it were. */
static int cover_some(struct scan *scan, int y, int lines)
{
    int row = row_of(y), rest = (row + 1) * COVERAGE_DOWN - y;

    if (row != scan->row)
        put_rows(scan, scan->row, 1);
    scan->row = row;
    if (scan->n_slanted == 0 && rest == COVERAGE_DOWN && lines >= COVERAGE_DOWN) {
        cover(scan, COVERAGE_DOWN, true);
        put_rows(scan, row, lines / COVERAGE_DOWN);
        return lines - lines % COVERAGE_DOWN;
    }
    lines = is_tied(scan) ? 1 : lines < rest ? lines : rest;
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
    int y;

    if (shape->n_edges == 0)
        return true;
    if (!make_order_room(coverage, shape->n_edges) ||
        !coverage_row_begin(&coverage->row, (size_t) (shape->bounds.x1 - shape->bounds.x0)))
        return false;
    order_edges(&scan);
    y = peek(&scan)->y;
    scan.row = row_of(y);
    while ((scan.n > 0 || peek(&scan)) && row_of(y) < clip->y1) {
        int lines;

        if (!begin_edges(&scan, y))
            return false;
        sort_active(&scan);
        lines = count_lines(&scan, y);
        if (scan.n > 0)
            lines = cover_some(&scan, y, lines);
        step(&scan, lines);
        y += lines;
    }
    put_rows(&scan, scan.row, 1);
    return true;
}
