#include "font/type1_glyph.h"

#include <math.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"
#include "font/glyph_names.h"
#include "font/type2.h"

#define MAX_STACK     24
#define MAX_DEPTH     10
#define MAX_OPERATORS 20000 /* limit of operators in one glyph */
enum end { FAILED, RETURNED, ENDED };

struct run {
    const struct type1 *font;
    struct type2 *to;
    double stack[MAX_STACK], results[2];
    size_t n, n_results;
    int left; /* operators that may still follow */
    struct type2_point origin, bearing, now;
    double width;
    bool component, accent; /* parts of a composite glyph */
    bool flex, open;        /* flex: in a flex sequence; open: a path has begun */
    struct type2_point bends[7];
    size_t n_bends;
};

static bool move_point(struct run *r, double dx, double dy)
{
    r->now.x += dx;
    r->now.y += dy;
    return fabs(r->now.x) < TYPE2_PLACE && fabs(r->now.y) < TYPE2_PLACE;
}

static bool move(struct run *r, double dx, double dy)
{
    if (!move_point(r, dx, dy))
        return false;
    if (!r->flex) {
        r->open = true;
        type2_move(r->to, r->now);
    }
    return true;
}

static bool line(struct run *r, double dx, double dy)
{
    if (!r->open || r->flex || !move_point(r, dx, dy))
        return false;
    type2_line(r->to, r->now);
    return true;
}

static bool curve(struct run *r, double x1, double y1, double x2, double y2, double x3, double y3)
{
    struct type2_point points[3];
    const double steps[3][2] = { { x1, y1 }, { x2, y2 }, { x3, y3 } };

    if (!r->open || r->flex)
        return false;
    for (size_t i = 0; i < COUNT(points); i++) {
        if (!move_point(r, steps[i][0], steps[i][1]))
            return false;
        points[i] = r->now;
    }
    type2_curve(r->to, points);
    return true;
}

/* Reads `n` pairs of hints, relative to the side bearing. */
static bool hint(struct run *r, bool vertical, size_t n)
{
    double base = vertical ? r->bearing.x : r->bearing.y;

    if (r->n != 2 * n)
        return false;
    for (size_t i = 0; i < n && !r->accent; i++)
        if (!type2_stem(r->to, vertical, base + r->stack[2 * i], r->stack[2 * i + 1]))
            return false;
    return true;
}

static bool end_flex(struct run *r)
{
    if (!r->flex || !r->open || r->n_bends != COUNT(r->bends))
        return false;
    r->flex = false;
    /* The first point is only a reference point. */
    type2_curve(r->to, r->bends + 1);
    type2_curve(r->to, r->bends + 4);
    return true;
}

/* OtherSubrs, which Type 1 calls by number: 0 to 2 are flex, 3 replaces hints. */
static bool other(struct run *r)
{
    double which = r->n >= 2 ? r->stack[r->n - 1] : -1, count = which < 0 ? 0 : r->stack[r->n - 2];
    const double *top;

    if (which < 0 || (which == 0 ? count != 3 : count != (which == 3)) ||
        (double) (r->n - 2) < count)
        return false;
    r->n -= 2 + (size_t) count;
    top = r->stack + r->n;
    r->n_results = 0;
    if (which == 0) {
        r->results[0] = top[2];
        r->results[1] = top[1];
        r->n_results = 2;
        return end_flex(r);
    }
    if (which == 1) {
        r->n_bends = 0;
        return !r->flex && (r->flex = true);
    }
    if (which == 2) {
        if (!r->flex || r->n_bends == COUNT(r->bends))
            return false;
        r->bends[r->n_bends++] = r->now;
        return true;
    }
    if (which != 3)
        return false;
    r->results[r->n_results++] = top[0];
    if (!r->accent)
        type2_new_hints(r->to);
    return true;
}

static bool set_width(struct run *r, double x, double y, double width)
{
    if (!r->component) {
        if (!(fabs(x) <= TYPE2_PLACE && fabs(width) <= TYPE2_PLACE))
            return false;
        r->width = width;
    }
    r->bearing = (struct type2_point){ x + r->origin.x, y + r->origin.y };
    r->now = r->bearing;
    r->open = false;
    return move_point(r, 0, 0);
}

static enum end run_charstring(struct run *r, const struct type1_text *code, int depth);

static enum end run_component(struct run *r, double code, double x, double y)
{
    const struct glyph_name *name;
    size_t glyph = 0;

    for (unsigned i = 0; code > 0 && (name = glyph_name_at(i)); i++)
        if (name->standard == code)
            glyph = type1_find(r->font, name->name, strlen(name->name));
    r->origin = (struct type2_point){ x, y };
    r->n = r->n_results = 0;
    r->component = true;
    return glyph ? run_charstring(r, &r->font->glyphs[glyph].code, 0) : FAILED;
}

/* Composes two glyphs of the standard encoding, one as the accent of the other. */
static enum end compose(struct run *r)
{
    double x = r->bearing.x - r->stack[0] + r->stack[1], y = r->stack[2], accent = r->stack[4];

    if (r->n != 5 || r->component || r->flex || run_component(r, r->stack[3], 0, 0) != ENDED)
        return FAILED;
    r->accent = true;
    return run_component(r, accent, x, y);
}

static bool divide(struct run *r)
{
    if (r->n < 2 || r->stack[r->n - 1] == 0)
        return false;
    r->n--;
    r->stack[r->n - 1] /= r->stack[r->n];
    return true;
}

static bool pop(struct run *r)
{
    if (r->n_results == 0 || r->n == MAX_STACK)
        return false;
    r->stack[r->n++] = r->results[--r->n_results];
    return true;
}

static bool escaped(struct run *r, unsigned op)
{
    const double *s = r->stack;
    bool good;

    switch (op) {
    case 12:
        return divide(r);
    case 16:
        return other(r);
    case 17:
        return pop(r);
    case 0: /* dotsection is obsolete */
        good = r->n == 0;
        break;
    case 1:
        good = hint(r, true, 3);
        break;
    case 2:
        good = hint(r, false, 3);
        break;
    case 7:
        good = r->n == 4 && s[3] == 0 && set_width(r, s[0], s[1], s[2]);
        break;
    case 33: /* setcurrentpoint after flex: the point is known */
        good = r->n == 2 && r->n_bends == COUNT(r->bends);
        break;
    default:
        return false;
    }
    r->n = 0;
    return good;
}

static bool draw_operator(struct run *r, unsigned op)
{
    static const uint8_t wanted[32] = { [4] = 1,  [5] = 2,  [6] = 1,  [7] = 1,  [8] = 6,
                                        [13] = 2, [21] = 2, [22] = 1, [30] = 4, [31] = 4 };
    const double *s = r->stack;
    bool good;

    if (op == 1 || op == 3) {
        good = hint(r, op == 3, 1);
        r->n = 0;
        return good;
    }
    if (r->n != wanted[op])
        return false;
    r->n = 0;
    switch (op) {
    case 4:
        return move(r, 0, s[0]);
    case 5:
        return line(r, s[0], s[1]);
    case 6:
        return line(r, s[0], 0);
    case 7:
        return line(r, 0, s[0]);
    case 8:
        return curve(r, s[0], s[1], s[2], s[3], s[4], s[5]);
    case 9:
        r->open = false; /* the next move closes the path */
        return !r->flex;
    case 13:
        return set_width(r, s[0], 0, s[1]);
    case 21:
        return move(r, s[0], s[1]);
    case 22:
        return move(r, s[0], 0);
    case 30:
        return curve(r, 0, s[0], s[1], s[2], s[3], 0);
    case 31:
        return curve(r, s[0], 0, s[1], s[2], 0, s[3]);
    default:
        return false;
    }
}

/* Reads a number of 1, 2 or 5 bytes and returns its length, or 0. */
static size_t charstring_number(const uint8_t *p, size_t n, double *value)
{
    if (*p <= 246) {
        *value = *p - 139;
        return 1;
    }
    if (*p <= 254 && n >= 2) {
        *value = *p <= 250 ? (*p - 247) * 256 + p[1] + 108 : -(*p - 251) * 256 - p[1] - 108;
        return 2;
    }
    if (*p < 255 || n < 5)
        return 0;
    *value = (int32_t) octets_be32(p + 1);
    return 5;
}

static enum end call(struct run *r, int depth)
{
    double which = r->n > 0 ? r->stack[--r->n] : -1;

    if (!(which >= 0 && which < (double) r->font->n_subrs) || depth == MAX_DEPTH)
        return FAILED;
    return run_charstring(r, &r->font->subrs[(size_t) which],
                          depth + 1); /* NOLINT(misc-no-recursion) */
}

/* NOLINTNEXTLINE(misc-no-recursion): bounded by MAX_DEPTH, twice */
static enum end run_charstring(struct run *r, const struct type1_text *code, int depth)
{
    const uint8_t *p = (const uint8_t *) code->data;
    size_t at = 0;

    while (at < code->n && r->left-- > 0) {
        unsigned op = p[at];
        enum end end = RETURNED;

        if (op >= 32) {
            size_t n =
                r->n < MAX_STACK ? charstring_number(p + at, code->n - at, &r->stack[r->n++]) : 0;

            if (n == 0)
                return FAILED;
            at += n;
            continue;
        }
        at++;
        if (op == 14)
            return r->n == 0 && !r->flex ? ENDED : FAILED;
        if (op == 11)
            return depth > 0 ? RETURNED : FAILED;
        if (op == 10) {
            end = call(r, depth);
        } else if (op == 12) {
            op = at < code->n ? p[at++] : 255;
            if (op == 6)
                return compose(r);
            end = escaped(r, op) ? RETURNED : FAILED;
        } else if (!draw_operator(r, op)) {
            end = FAILED;
        }
        if (end != RETURNED)
            return end;
    }
    return at == code->n && depth > 0 ? RETURNED : FAILED;
}

bool type1_glyph(const struct type1 *font, size_t i, double *width, struct buf *out)
{
    struct type2 hints = { 0 }, to;
    struct run first = { .font = font, .to = &hints, .left = MAX_OPERATORS };
    struct run second = { .font = font, .to = &to, .left = MAX_OPERATORS };

    if (run_charstring(&first, &font->glyphs[i].code, 0) != ENDED)
        return false;
    type2_start(&to, &hints, out);
    if (run_charstring(&second, &font->glyphs[i].code, 0) != ENDED)
        return false;
    *width = second.width;
    return type2_end(&to);
}
