#include "engine/redact/redact_width.h"

#include <math.h>
#include <stdlib.h>

#include "base/list.h"

/* In parts of the font's size, but for NEAR. */
#define COLUMN   1.2  /* a gap that is wider divides columns */
#define BASELINE 0.5  /* glyphs that are raised less are on the same line */
#define TOUCHING 0.12 /* a gap that is narrower divides no words */
#define SPACE    0.28 /* the gap between words that are set again */
#define STEP     4.0
#define WIDEST   4.0
#define LEAST    1.0
#define CRAMPED  0.4
#define NEAR     1.5  /* points: edges that are as close stand below one another */
#define WINDOW   3000 /* pieces of lines that are compared with one, at most */

struct ink {
    double from, to, across, size;
    size_t item;
    int turn; /* the direction, in hundredths of a radian */
};

/* A piece of a line: words that belong together. */
struct piece {
    size_t first, n; /* in `inks` */
    double from, to, across, size;
    int turn;
    double low, high; /* edges that are drawn before and after it; or infinite */
    bool holes, row;  /* row: it is on the same line as the piece before */
};

struct word {
    double from, to, at; /* at: where it is set */
    double size;
    bool hole;
};

struct layout {
    struct redact_line *line;
    struct ink *inks;
    size_t n_inks;
    struct piece *pieces;
    size_t n_pieces, cap_pieces;
    struct word *words; /* of a piece */
    size_t n_words, cap_words, n_holes;
    double *edges; /* those that cross the line */
    size_t n_edges;
    bool no_memory;
};

enum anchor {
    ANCHOR_START,
    ANCHOR_BOTH, /* justified */
    ANCHOR_END,
    ANCHOR_MIDDLE,
};

static int compare_lines(const void *a, const void *b)
{
    const struct ink *one = a, *other = b;

    if (one->turn != other->turn)
        return one->turn < other->turn ? -1 : 1;
    if (one->across != other->across)
        return one->across < other->across ? -1 : 1;
    return one->item < other->item ? -1 : 1;
}

static int compare_places(const void *a, const void *b)
{
    const struct ink *one = a, *other = b;

    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    return one->item < other->item ? -1 : 1;
}

static void find_inks(struct layout *l)
{
    for (size_t i = 0; i < l->line->n; i++) {
        const struct redact_placed *item = &l->line->items[i];
        double x = (double) item->x, y = (double) item->y;
        double dx = (double) item->dx, dy = (double) item->dy;
        struct ink *ink = &l->inks[l->n_inks];

        if (!(item->size > 0) || !isfinite(x) || !isfinite(y) || !isfinite(item->length))
            continue;
        *ink = (struct ink){ .from = dx * x + dy * y,
                             .across = dx * y - dy * x,
                             .size = (double) item->size,
                             .item = i,
                             .turn = (int) lround(atan2(dy, dx) * 100) };
        ink->to = ink->from + (double) item->length;
        l->n_inks++;
    }
    qsort(l->inks, l->n_inks, sizeof *l->inks, compare_lines);
}

static int compare_numbers(const void *a, const void *b)
{
    double one = *(const double *) a, other = *(const double *) b;

    return one < other ? -1 : one > other;
}

/* The edges that stand across a line of text, of the glyphs `first` to `end`, in order. */
static void find_edges(struct layout *l, size_t first, size_t end)
{
    const struct redact_placed *item = &l->line->items[l->inks[first].item];
    double dx = (double) item->dx, dy = (double) item->dy, size = 0;

    for (size_t i = first; i < end; i++)
        size = fmax(size, l->inks[i].size);
    l->n_edges = 0;
    for (size_t i = 0; i < l->line->n_edges; i++) {
        const float *at = l->line->edges[i].at;
        double box[4];
        struct redact_quad quad = { { at[0], at[1], at[2], at[3], at[0], at[1], at[2], at[3] } };

        redact_width_project(&quad, dx, dy, box);
        if (box[2] - box[0] < TOUCHING * size && box[1] < l->inks[first].across + 0.2 * size &&
            box[3] > l->inks[first].across + 0.4 * size)
            l->edges[l->n_edges++] = (box[0] + box[2]) / 2;
    }
    qsort(l->edges, l->n_edges, sizeof *l->edges, compare_numbers);
}

/* The number of edges before a place. */
static size_t edges_before(const struct layout *l, double at)
{
    size_t low = 0, high = l->n_edges;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (l->edges[middle] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_divided(const struct layout *l, const struct piece *piece, const struct ink *ink)
{
    double size = fmax(ink->size, piece->size);

    if (piece->to == -INFINITY)
        return false;
    return ink->from - piece->to > COLUMN * size ||
           edges_before(l, ink->from + TOUCHING / 2 * size) >
               edges_before(l, piece->to - TOUCHING / 2 * size);
}

/* Cuts the glyphs of a line, which are in the order of their places, into pieces. Spaces belong to
 * the piece before them and make it no longer. */
static void cut_line(struct layout *l, size_t first, size_t end)
{
    struct piece *piece = NULL;

    for (size_t i = first; i < end; i++) {
        const struct ink *ink = &l->inks[i];
        const struct redact_placed *item = &l->line->items[ink->item];

        if (!piece || (!item->space && is_divided(l, piece, ink))) {
            if (!LIST_ROOM(l->pieces, l->n_pieces, l->cap_pieces)) {
                l->no_memory = true;
                return;
            }
            piece = &l->pieces[l->n_pieces++];
            *piece = (struct piece){ .first = i,
                                     .from = INFINITY,
                                     .to = -INFINITY,
                                     .across = ink->across,
                                     .turn = ink->turn,
                                     .row = i > first };
        }
        piece->n = i + 1 - piece->first;
        if (item->space)
            continue;
        piece->from = fmin(piece->from, ink->from);
        piece->to = fmax(piece->to, ink->to);
        piece->size = fmax(piece->size, ink->size);
        piece->holes |= item->removed;
    }
}

static void bound_pieces(struct layout *l, size_t first)
{
    for (size_t i = first; i < l->n_pieces; i++) {
        struct piece *piece = &l->pieces[i];
        size_t before = edges_before(l, piece->from + TOUCHING / 2 * piece->size);
        size_t after = edges_before(l, piece->to - TOUCHING / 2 * piece->size);

        piece->low = before ? l->edges[before - 1] : -INFINITY;
        piece->high = after < l->n_edges ? l->edges[after] : INFINITY;
    }
}

static bool has_holes(const struct layout *l, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (l->line->items[l->inks[i].item].removed)
            return true;
    return false;
}

static void find_pieces(struct layout *l)
{
    size_t first = 0;

    for (size_t i = 1; i <= l->n_inks; i++) {
        const struct ink *a = &l->inks[first], *b = &l->inks[i];

        if (i < l->n_inks && a->turn == b->turn &&
            b->across - a->across <= BASELINE * fmax(a->size, b->size))
            continue;
        size_t n_pieces = l->n_pieces;
        qsort(l->inks + first, i - first, sizeof *l->inks, compare_places);
        l->n_edges = 0;
        if (has_holes(l, first, i))
            find_edges(l, first, i);
        cut_line(l, first, i);
        bound_pieces(l, n_pieces);
        first = i;
    }
}

/* The words and holes of a piece. What touches is one word; a hole reaches over spaces. */
static void find_words(struct layout *l, const struct piece *piece)
{
    struct word *word = NULL;

    l->n_words = l->n_holes = 0;
    for (size_t i = piece->first; i < piece->first + piece->n; i++) {
        const struct ink *ink = &l->inks[i];
        const struct redact_placed *item = &l->line->items[ink->item];

        if (item->space)
            continue;
        if (word && word->hole == item->removed &&
            (word->hole || ink->from - word->to < TOUCHING * fmax(word->size, ink->size))) {
            word->to = fmax(word->to, ink->to);
            word->size = fmax(word->size, ink->size);
            continue;
        }
        if (!LIST_ROOM(l->words, l->n_words, l->cap_words)) {
            l->no_memory = true;
            return;
        }
        word = &l->words[l->n_words++];
        *word = (struct word){
            .from = ink->from, .to = ink->to, .size = ink->size, .hole = item->removed
        };
        l->n_holes += word->hole;
    }
}

static void direction_of(const struct layout *l, const struct piece *piece, double *dx, double *dy)
{
    const struct redact_placed *item = &l->line->items[l->inks[piece->first].item];

    *dx = (double) item->dx;
    *dy = (double) item->dy;
}

/* Whether the piece has to stay where it is: an area that a client drew, or a picture that was cut,
 * shows the width anyway, and text must not move into it. */
static bool is_held(const struct layout *l, const struct piece *piece)
{
    double dx, dy;

    direction_of(l, piece, &dx, &dy);
    for (size_t i = 0; i < l->line->n_areas; i++) {
        const struct redact_area *area = &l->line->areas[i];
        double box[4];

        if (!area->region && !area->picture)
            continue;
        redact_width_project(&area->quad, dx, dy, box);
        if (box[0] < piece->to && box[2] > piece->from &&
            box[1] < piece->across + 0.8 * piece->size &&
            box[3] > piece->across - 0.3 * piece->size)
            return true;
    }
    return false;
}

/* What holds the piece in its place, by the edges that it has in common with others. */
static enum anchor find_anchor(const struct layout *l, size_t index, double middle)
{
    const struct piece *piece = &l->pieces[index];
    size_t first = index > WINDOW ? index - WINDOW : 0;
    bool start = false, end = false, centre = fabs((piece->from + piece->to) / 2 - middle) < NEAR;

    for (size_t i = first; i < l->n_pieces && i < index + WINDOW; i++) {
        const struct piece *other = &l->pieces[i];

        if (i == index || other->turn != piece->turn || other->to < other->from)
            continue;
        start |= fabs(other->from - piece->from) < NEAR;
        end |= fabs(other->to - piece->to) < NEAR;
        centre |= fabs(other->from + other->to - piece->from - piece->to) < 2 * NEAR;
    }
    if (start)
        return end ? ANCHOR_BOTH : ANCHOR_START;
    return end ? ANCHOR_END : centre ? ANCHOR_MIDDLE : ANCHOR_START;
}

/* Between which edges the piece may be set, whatever it was: those of its neighbours and of the
 * text of the page that has no holes. */
static void find_room(const struct layout *l, size_t index, double *low, double *high,
                      double *middle)
{
    const struct piece *piece = &l->pieces[index];
    const double *b = l->line->box;
    struct redact_quad quad = redact_hits_box(b[0], b[1], b[2], b[3]);
    double dx, dy, page[4], left = INFINITY, right = -INFINITY;
    size_t first = index > WINDOW ? index - WINDOW : 0;

    direction_of(l, piece, &dx, &dy);
    redact_width_project(&quad, dx, dy, page);
    *middle = (page[0] + page[2]) / 2;
    for (size_t i = first; i < l->n_pieces && i < index + WINDOW; i++) {
        const struct piece *other = &l->pieces[i];

        if (other->turn != piece->turn || other->to < other->from)
            continue;
        left = fmin(left, other->from);
        if (!other->holes)
            right = fmax(right, other->to);
    }
    left = fmax(left, page[0]);
    *low = left;
    *high = fmin(fmax(right, page[2] - (left - page[0])), page[2]);
    if (piece->row)
        *low = l->pieces[index - 1].to + LEAST * piece->size;
    if (index + 1 < l->n_pieces && l->pieces[index + 1].row)
        *high = l->pieces[index + 1].from - LEAST * piece->size;
    *low = fmax(*low, piece->low + TOUCHING * piece->size);
    *high = fmin(*high, piece->high - TOUCHING * piece->size);
}

static double gap_before(const struct layout *l, size_t i, bool respace)
{
    const struct word *before = &l->words[i - 1], *word = &l->words[i];
    double gap = word->from - before->to, size = fmax(before->size, word->size);

    if (!respace && !before->hole && !word->hole)
        return gap;
    return gap < TOUCHING * size ? 0 : SPACE * size;
}

/* Of all but the holes. */
static double rest_of(const struct layout *l, bool respace)
{
    double rest = 0;

    for (size_t i = 0; i < l->n_words; i++) {
        if (!l->words[i].hole)
            rest += l->words[i].to - l->words[i].from;
        if (i)
            rest += gap_before(l, i, respace);
    }
    return rest;
}

static double hole_width(const struct layout *l, const struct word *hole, double room)
{
    double width = hole->to - hole->from, em = hole->size;

    double least = fmax(LEAST, l->line->least) * em;

    if (l->line->width == REDACT_WIDTH_ROUNDED && width < STEP * em)
        return room < least ? LEAST * em : least;
    if (l->line->width == REDACT_WIDTH_ROUNDED)
        return fmax(floor(width / (STEP * em) + 1e-6) * STEP * em, room < least ? 0 : least);
    if (room < LEAST * em)
        return CRAMPED * em;
    return fmin(room, fmax(WIDEST * em, least));
}

/* Sets the words one after the other from 0; returns how far they reach. */
static double set_words(struct layout *l, bool respace, double room)
{
    double at = 0;

    for (size_t i = 0; i < l->n_words; i++) {
        struct word *word = &l->words[i];

        if (i)
            at += gap_before(l, i, respace);
        word->at = at;
        at += word->hole ? hole_width(l, word, room) : word->to - word->from;
    }
    return at;
}

/* The glyphs of a piece follow their words; a space follows the word before it, or, after a hole,
 * the next one. */
static void shift_glyphs(struct layout *l, const struct piece *piece)
{
    size_t k = 0;

    for (size_t i = piece->first; i < piece->first + piece->n; i++) {
        const struct ink *ink = &l->inks[i];
        struct redact_placed *item = &l->line->items[ink->item];
        size_t of;

        while (k + 1 < l->n_words && ink->from >= l->words[k + 1].from)
            k++;
        if (item->removed)
            continue;
        of = l->words[k].hole && item->space && k + 1 < l->n_words ? k + 1 : k;
        if (l->words[of].hole && !item->space && of > 0 && ink->from < l->words[of].to)
            of--;
        item->shift = (float) (l->words[of].at - l->words[of].from);
    }
}

/* The areas that a hole replaces: all those in its place, of which `low` to `high` is the height. A
 * text may have been found more than once. */
static void replace_areas(struct layout *l, const struct word *hole, double dx, double dy,
                          double low, double high)
{
    double near = TOUCHING * hole->size;

    for (size_t i = 0; i < l->line->n_areas; i++) {
        double box[4];

        redact_width_project(&l->line->areas[i].quad, dx, dy, box);
        l->line->areas[i].moved |=
            box[0] > hole->from - near && box[2] < hole->to + near && box[1] < high && box[3] > low;
    }
}

/* The height of a hole is that of the areas that it replaces. */
static void add_hole(struct layout *l, const struct piece *piece, const struct word *hole,
                     double end)
{
    double dx, dy, low = INFINITY, high = -INFINITY;
    size_t hit = 0;

    direction_of(l, piece, &dx, &dy);
    for (size_t i = piece->first; i < piece->first + piece->n; i++) {
        const struct redact_placed *item = &l->line->items[l->inks[i].item];
        double box[4];

        if (!item->removed || item->area == REDACT_NO_AREA || l->inks[i].from < hole->from - 1e-9 ||
            l->inks[i].from > hole->to)
            continue;
        l->line->areas[item->area].moved = true;
        hit = l->line->areas[item->area].hit;
        redact_width_project(&l->line->areas[item->area].quad, dx, dy, box);
        low = fmin(low, box[1]);
        high = fmax(high, box[3]);
    }
    if (!(low < high))
        return;
    replace_areas(l, hole, dx, dy, low, high);
    if (!LIST_ROOM(l->line->holes, l->line->n_holes, l->line->cap_holes)) {
        l->no_memory = true;
        return;
    }
    struct redact_matrix turn = { { dx, dy, -dy, dx, 0, 0 } };
    l->line->holes[l->line->n_holes++] = (struct redact_hole){
        .quad = redact_shape_quad(turn, hole->at, low, end, high),
        .hit = hit,
    };
}

/* The holes of a piece that stay as they are; what an area took tells nothing of its width. */
static size_t count_texts(const struct layout *l, const struct piece *piece)
{
    size_t n = 0, i = piece->first;

    for (size_t k = 0; k < l->n_words; k++) {
        bool text = false;

        for (; i < piece->first + piece->n && l->inks[i].from <= l->words[k].to; i++) {
            const struct redact_placed *item = &l->line->items[l->inks[i].item];

            text |= item->removed && !item->space &&
                    (item->area == REDACT_NO_AREA || !l->line->areas[item->area].region);
        }
        n += text && l->words[k].hole;
    }
    return n;
}

/* Keeps how the piece was moved. */
static void keep_moves(struct layout *l, const struct piece *piece, double room)
{
    struct redact_line *line = l->line;
    struct redact_moved moved = { .across = piece->across,
                                  .size = piece->size,
                                  .from = piece->from,
                                  .to = piece->to,
                                  .first = line->n_spans,
                                  .n = l->n_words };

    direction_of(l, piece, &moved.dx, &moved.dy);
    for (size_t i = 0; i < l->n_words; i++) {
        const struct word *word = &l->words[i];
        double width = word->hole ? hole_width(l, word, room) : word->to - word->from;

        if (!LIST_ROOM(line->spans, line->n_spans, line->cap_spans)) {
            l->no_memory = true;
            return;
        }
        line->spans[line->n_spans++] =
            (struct redact_span){ word->from, word->to, word->at, word->at + width };
        if (word->hole)
            add_hole(l, piece, word, word->at + width);
    }
    if (LIST_ROOM(line->moved, line->n_moved, line->cap_moved))
        line->moved[line->n_moved++] = moved;
    else
        l->no_memory = true;
}

static void set_piece(struct layout *l, size_t index)
{
    const struct piece *piece = &l->pieces[index];
    double low, high, middle, room, rest, width, start;
    double was = piece->to - piece->from;

    find_words(l, piece);
    if (is_held(l, piece)) {
        l->line->measurable += count_texts(l, piece);
        return;
    }
    find_room(l, index, &low, &high, &middle);
    enum anchor anchor = find_anchor(l, index, middle);
    bool respace = l->line->width == REDACT_WIDTH_LINE || anchor == ANCHOR_BOTH;
    double centre = (piece->from + piece->to) / 2;
    double most = anchor == ANCHOR_END      ? piece->to - low
                  : anchor == ANCHOR_MIDDLE ? 2 * fmin(centre - low, high - centre)
                                            : high - piece->from;

    rest = rest_of(l, respace);
    room = l->n_holes ? (most - rest) / (double) l->n_holes : 0;
    width = set_words(l, respace, room);
    if (l->line->width == REDACT_WIDTH_ROUNDED && width > was && width > most) {
        l->line->measurable += count_texts(l, piece);
        return;
    }
    start = anchor == ANCHOR_END      ? piece->to - width
            : anchor == ANCHOR_MIDDLE ? centre - width / 2
                                      : piece->from;
    for (size_t i = 0; i < l->n_words; i++)
        l->words[i].at += start;
    shift_glyphs(l, piece);
    keep_moves(l, piece, room);
}

bool redact_width_find(struct redact_line *line)
{
    struct layout l = { .line = line };

    line->n_holes = line->measurable = line->n_moved = line->n_spans = 0;
    l.edges = malloc((line->n_edges + 1) * sizeof *l.edges);
    l.inks = malloc((line->n + 1) * sizeof *l.inks);
    l.no_memory = !l.inks || !l.edges;
    if (!l.no_memory) {
        find_inks(&l);
        find_pieces(&l);
    }
    for (size_t i = 0; i < l.n_pieces && !l.no_memory; i++)
        if (l.pieces[i].holes)
            set_piece(&l, i);
    free(l.inks);
    free(l.edges);
    free(l.pieces);
    free(l.words);
    return !l.no_memory;
}

void redact_width_free(struct redact_line *line)
{
    free(line->items);
    free(line->edges);
    free(line->moved);
    free(line->spans);
    free(line->holes);
    *line = (struct redact_line){ 0 };
}
