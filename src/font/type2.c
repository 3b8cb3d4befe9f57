#include "font/type2.h"

#include <math.h>
#include <string.h>

#define ONE 65536 /* 1.0 as 16.16 */

enum op {
    OP_NONE = 0,
    OP_HSTEM = 1,
    OP_VSTEM = 3,
    OP_VMOVE = 4,
    OP_LINE = 5,
    OP_HLINE = 6,
    OP_VLINE = 7,
    OP_CURVE = 8,
    OP_END = 14,
    OP_HSTEM_MASKED = 18,
    OP_HINTMASK = 19,
    OP_MOVE = 21,
    OP_HMOVE = 22,
    OP_VSTEM_MASKED = 23,
    OP_VHCURVE = 30,
    OP_HVCURVE = 31,
};

static bool put_fixed(int64_t value, struct buf *out)
{
    int64_t whole = value / ONE;

    if (value > (int64_t) 32767 * ONE || value < (int64_t) -32768 * ONE)
        return false;
    if (value % ONE) {
        buf_putc(out, (char) 255);
        for (int shift = 24; shift >= 0; shift -= 8)
            buf_putc(out, (char) ((uint64_t) value >> shift));
    } else if (whole >= -107 && whole <= 107) {
        buf_putc(out, (char) (whole + 139));
    } else if (whole >= 108 && whole <= 1131) {
        buf_putc(out, (char) (((whole - 108) >> 8) + 247));
        buf_putc(out, (char) (whole - 108));
    } else if (whole >= -1131 && whole <= -108) {
        buf_putc(out, (char) (((-whole - 108) >> 8) + 251));
        buf_putc(out, (char) (-whole - 108));
    } else {
        buf_putc(out, 28);
        buf_putc(out, (char) ((uint64_t) whole >> 8));
        buf_putc(out, (char) whole);
    }
    return true;
}

static int64_t fixed(double value)
{
    return llround(value * ONE);
}

bool type2_put_number(double value, struct buf *out)
{
    return fabs(value) <= TYPE2_PLACE && put_fixed(fixed(value), out);
}

static void flush_operator(struct type2 *w)
{
    for (size_t i = 0; i < w->n_operands; i++)
        w->wild |= !put_fixed(w->operands[i], w->out);
    if (w->op != OP_NONE)
        buf_putc(w->out, (char) w->op);
    w->op = OP_NONE;
    w->n_operands = 0;
}

/* Writes an operator, or merges it with the one before it where Type 2 has one operator for
 * both. */
static void put_operator(struct type2 *w, unsigned op, bool joins, const int64_t *operands,
                         size_t n)
{
    if (!joins || w->n_operands + n > TYPE2_OPERANDS) {
        flush_operator(w);
        w->op = op;
    }
    memcpy(w->operands + w->n_operands, operands, n * sizeof *operands);
    w->n_operands += n;
}

/* Whether `op` continues a sequence that alternates between `a` and `b`, with `step` operands
 * each. */
static bool alternates(const struct type2 *w, unsigned op, unsigned a, unsigned b, size_t step)
{
    bool even = w->n_operands / step % 2 == 0;

    return (w->op == a || w->op == b) && (even ? w->op == op : w->op != op);
}

static void step_to(struct type2 *w, struct type2_point p, int64_t step[2])
{
    int64_t x = fixed(p.x), y = fixed(p.y);

    step[0] = x - w->x;
    step[1] = y - w->y;
    w->x = x;
    w->y = y;
}

static void put_mask(struct type2 *w)
{
    uint8_t bits[(2 * TYPE2_STEMS + 7) / 8] = { 0 };
    size_t n = w->h.n + w->v.n;

    for (size_t i = 0; i < n; i++)
        if (i < w->h.n ? w->h.active[i] : w->v.active[i - w->h.n])
            bits[i / 8] |= (uint8_t) (0x80 >> i % 8);
    flush_operator(w);
    buf_putc(w->out, OP_HINTMASK);
    buf_put(w->out, bits, (n + 7) / 8);
}

/* Writes what comes before drawing: the active hints and the starting point. */
static void begin_drawing(struct type2 *w)
{
    int64_t step[2];

    if (w->mask_due && w->masks && w->h.n + w->v.n > 0)
        put_mask(w);
    w->mask_due = false;
    if (!w->moved)
        return;
    w->moved = false;
    step_to(w, w->corner, step);
    if (step[1] == 0)
        put_operator(w, OP_HMOVE, false, step, 1);
    else if (step[0] == 0)
        put_operator(w, OP_VMOVE, false, step + 1, 1);
    else
        put_operator(w, OP_MOVE, false, step, 2);
}

void type2_move(struct type2 *w, struct type2_point to)
{
    w->moved = true;
    w->corner = to;
}

void type2_line(struct type2 *w, struct type2_point to)
{
    int64_t step[2];

    if (!w->out)
        return;
    begin_drawing(w);
    step_to(w, to, step);
    if (step[1] == 0)
        put_operator(w, OP_HLINE, alternates(w, OP_HLINE, OP_HLINE, OP_VLINE, 1), step, 1);
    else if (step[0] == 0)
        put_operator(w, OP_VLINE, alternates(w, OP_VLINE, OP_HLINE, OP_VLINE, 1), step + 1, 1);
    else
        put_operator(w, OP_LINE, w->op == OP_LINE, step, 2);
}

void type2_curve(struct type2 *w, const struct type2_point points[3])
{
    int64_t d[6];

    if (!w->out)
        return;
    begin_drawing(w);
    for (size_t i = 0; i < 3; i++)
        step_to(w, points[i], d + 2 * i);
    if (d[1] == 0 && d[4] == 0)
        put_operator(w, OP_HVCURVE, alternates(w, OP_HVCURVE, OP_HVCURVE, OP_VHCURVE, 4),
                     (int64_t[]){ d[0], d[2], d[3], d[5] }, 4);
    else if (d[0] == 0 && d[5] == 0)
        put_operator(w, OP_VHCURVE, alternates(w, OP_VHCURVE, OP_HVCURVE, OP_VHCURVE, 4), d + 1, 4);
    else
        put_operator(w, OP_CURVE, w->op == OP_CURVE, d, 6);
}

static void note_stem(struct type2 *w, struct type2_stems *stems, struct type2_stem stem)
{
    size_t i = 0;

    while (i < stems->n && (stems->list[i].at < stem.at ||
                            (stems->list[i].at == stem.at && stems->list[i].size < stem.size)))
        i++;
    if (i < stems->n && stems->list[i].at == stem.at && stems->list[i].size == stem.size) {
        stems->active[i] = true;
        return;
    }
    if (w->out)
        return; /* all hints were seen before */
    if (stems->n == TYPE2_STEMS) {
        w->crowded = true;
        return;
    }
    memmove(stems->list + i + 1, stems->list + i, (stems->n - i) * sizeof stem);
    stems->list[i] = stem;
    stems->n++;
}

/* A width of -20 or -21 marks a single edge, as in Type 1. */
bool type2_stem(struct type2 *w, bool vertical, double at, double size)
{
    struct type2_stem stem = { at, size };

    if (size < 0 && size != -20 && size != -21)
        stem = (struct type2_stem){ at + size, -size };
    if (!(fabs(stem.at) <= TYPE2_PLACE && stem.size <= TYPE2_PLACE))
        return false;
    w->mask_due = true;
    note_stem(w, vertical ? &w->v : &w->h, stem);
    return true;
}

void type2_new_hints(struct type2 *w)
{
    w->masks = w->mask_due = true;
    memset(w->h.active, 0, sizeof w->h.active);
    memset(w->v.active, 0, sizeof w->v.active);
}

static void put_stems(struct type2 *w, const struct type2_stems *stems, enum op op)
{
    double edge = 0;

    for (size_t i = 0; i < stems->n; i++) {
        w->wild |= !put_fixed(fixed(stems->list[i].at - edge), w->out);
        w->wild |= !put_fixed(fixed(stems->list[i].size), w->out);
        edge = stems->list[i].at + stems->list[i].size;
    }
    if (stems->n > 0)
        buf_putc(w->out, (char) op);
}

void type2_start(struct type2 *w, const struct type2 *first, struct buf *out)
{
    *w = (struct type2){ .out = out };
    if (first->crowded)
        return;
    w->h = first->h;
    w->v = first->v;
    type2_new_hints(w);
    w->masks = first->masks;
    put_stems(w, &w->h, w->masks ? OP_HSTEM_MASKED : OP_HSTEM);
    put_stems(w, &w->v, w->masks ? OP_VSTEM_MASKED : OP_VSTEM);
}

bool type2_end(struct type2 *w)
{
    flush_operator(w);
    buf_putc(w->out, OP_END);
    return !w->wild && !w->out->failed;
}
