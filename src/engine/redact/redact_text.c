#include "engine/redact/redact_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/list.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "syntax/pdf/literal.h"

/* The part of a glyph's height that a region must reach into, in parts of the font's size. */
#define LOW       (-0.15)
#define HIGH      0.7
#define MOST_HITS 16   /* hits in one place that are counted apart */
#define EDGE      0.05 /* of a glyph's width, on each side */

struct show {
    struct redact_frame *f;
    struct buf out, run; /* the items of the array so far; the codes of the string after them */
    double gap;          /* the number after that string */
    bool any, moved;     /* some glyph is removed, or moved */
};

static void put_glyph_text(struct buf *out, const struct redact_glyph *glyph)
{
    for (size_t i = 0; i < glyph->n_text; i++)
        if (glyph->text[i] >= ' ' && glyph->text[i] < 0x110000 &&
            (glyph->text[i] & 0x1ff800) != 0xd800 && glyph->text[i] != 0xfffd)
            utf8_put(glyph->text[i], out);
}

/* The lower and upper edge of what a font draws. */
static void find_height(const struct redact_frame *f, double *low, double *high)
{
    fz_font *font = f->now.font ? f->now.font->font : NULL;

    *low = LOW;
    *high = HIGH;
    if (!font || !fz_font_t3_procs(f->edit->fonts.ctx, font))
        return;
    fz_rect box = fz_font_bbox(f->edit->fonts.ctx, font);
    if (box.y1 > box.y0 && fabsf(box.y0) < 100 && fabsf(box.y1) < 100) {
        *low = box.y0;
        *high = box.y1;
    }
}

static bool is_in(const struct redact_area *area, struct redact_matrix trm,
                  const struct redact_glyph *glyph, double low, double high)
{
    static const double parts[] = { 0.3, 0.5, 0.7 };
    double edge = glyph->width * EDGE;

    if (area->region) {
        struct redact_quad quad = redact_shape_quad(
            trm, edge - glyph->x, low - glyph->y, glyph->width - edge - glyph->x, high - glyph->y);
        if (glyph->width > 0)
            return redact_shape_meet(area, &quad);
    }
    for (size_t i = 0; i < COUNT(parts); i++) {
        double x = glyph->width / 2 - glyph->x, y = low + (high - low) * parts[i] - glyph->y;

        redact_shape_move(trm, &x, &y);
        if (redact_shape_has(area, x, y))
            return true;
    }
    return false;
}

/* Appends the text of the glyph, after a blank if there is a gap before it that is more than the
 * spacing of all characters. */
static void read_glyph(struct redact_frame *f, struct redact_matrix trm,
                       const struct redact_glyph *glyph)
{
    struct redact_edit *edit = f->edit;
    double x = 0, y = 0, size = hypot(trm.at[2], trm.at[3]);
    double by = glyph->advance + (f->now.size != 0 ? f->now.tc / f->now.size : 0);
    double end_x = glyph->vertical ? 0 : by, end_y = glyph->vertical ? by : 0;

    redact_shape_move(trm, &x, &y);
    redact_shape_move(trm, &end_x, &end_y);
    if (hypot(x - edit->last[0], y - edit->last[1]) > fmax(size, edit->last[2]) / 5)
        buf_putc(edit->read, ' ');
    edit->last[0] = end_x;
    edit->last[1] = end_y;
    edit->last[2] = size;
    size_t at = edit->read->len;
    put_glyph_text(edit->read, glyph);
    if (!edit->words || !glyph->n_text)
        return;
    if (LIST_ROOM(edit->owners, edit->n_owners, edit->cap_owners))
        edit->owners[edit->n_owners++] =
            (struct redact_owner){ at, edit->read->len, edit->glyph - 1 };
    else
        edit->no_memory = true;
}

static bool is_blank_glyph(const struct redact_glyph *glyph)
{
    for (size_t i = 0; i < glyph->n_text; i++)
        if (glyph->text[i] != ' ' && glyph->text[i] != 0xa0)
            return false;
    return glyph->n_text || glyph->space;
}

/* Lists the glyph, under its number. */
static void place_glyph(struct redact_edit *edit, struct redact_matrix trm,
                        const struct redact_glyph *glyph, struct redact_placed placed)
{
    struct redact_line *line = edit->line;
    double x = 0, y = 0, end_x = glyph->vertical ? 0 : 1, end_y = glyph->vertical ? -1 : 0;
    double long_;

    if (!LIST_ROOM(line->items, line->n, line->cap)) {
        edit->no_memory = true;
        return;
    }
    if (glyph->shown) {
        redact_shape_move(trm, &x, &y);
        redact_shape_move(trm, &end_x, &end_y);
        long_ = hypot(end_x - x, end_y - y);
        placed.x = (float) x;
        placed.y = (float) y;
        placed.dx = (float) ((end_x - x) / long_);
        placed.dy = (float) ((end_y - y) / long_);
        placed.length = (float) (fabs(glyph->advance) * long_);
        placed.size = isnormal(long_) ? (float) hypot(trm.at[2], trm.at[3]) : 0;
        placed.space = is_blank_glyph(glyph);
    }
    line->items[line->n++] = placed;
}

static void note_spot(struct redact_edit *edit, struct redact_quad quad)
{
    if (LIST_ROOM(edit->spots, edit->n_spots, edit->cap_spots))
        edit->spots[edit->n_spots++] = quad;
    else
        edit->no_memory = true;
}

/* Notes that a glyph goes in whose way a removed text is. */
static void note_overlap(struct redact_frame *f, struct redact_matrix trm,
                         const struct redact_glyph *glyph, bool found)
{
    struct redact_edit *edit = f->edit;
    struct redact_overlap_glyph lost = {
        .text = glyph->text, .n_text = glyph->n_text, .found = found, .faint = f->now.unseen
    };
    size_t in[MOST_HITS];
    double low, high;

    if (!edit->overlap || edit->measuring || edit->read)
        return;
    find_height(f, &low, &high);
    for (size_t i = 0; i < edit->n_areas && lost.n_in < MOST_HITS; i++)
        if (is_in(&edit->areas[i], trm, glyph, low, high) &&
            (lost.n_in == 0 || in[lost.n_in - 1] != edit->areas[i].hit))
            in[lost.n_in++] = edit->areas[i].hit;
    lost.in = in;
    for (size_t i = 0; i < f->n_marks; i++)
        lost.faint |= f->marks[i].replaced;
    redact_overlap_note(edit->overlap, &lost);
}

static bool is_removed(struct redact_frame *f, const struct redact_glyph *glyph)
{
    struct redact_edit *edit = f->edit;
    struct redact_state *s = &f->now;
    struct redact_matrix trm = { { s->size * s->tz, 0, 0, s->size, 0, s->ts } };
    double low, high;
    uint64_t number = edit->glyph++;
    bool found = number < edit->n_gone && bits_has(edit->gone, (size_t) number), in = found;
    uint32_t area = REDACT_NO_AREA;

    trm = redact_shape_multiply(redact_shape_multiply(trm, f->tm), s->ctm);
    if (!glyph->shown) {
        if (edit->measuring)
            place_glyph(edit, trm, glyph, (struct redact_placed){ .area = REDACT_NO_AREA });
        return false;
    }
    find_height(f, &low, &high);
    if (edit->read)
        read_glyph(f, trm, glyph);
    for (size_t i = 0; i < edit->n_areas; i++)
        if (is_in(&edit->areas[i], trm, glyph, low, high)) {
            area = (uint32_t) i;
            in = true;
        }
    if (area != REDACT_NO_AREA)
        note_overlap(f, trm, glyph, found);
    /* A mark without a width of its own belongs to the letter before it. */
    in |= glyph->width == 0 && f->last_removed;
    f->last_removed = in;
    if (in && edit->spotting && !edit->measuring)
        note_spot(edit, redact_shape_quad(trm, -glyph->x, low - glyph->y - 0.1,
                                          glyph->width - glyph->x, high - glyph->y + 0.2));
    if (edit->measuring)
        place_glyph(edit, trm, glyph, (struct redact_placed){ .area = area, .removed = in });
    return in;
}

static void flush_run(struct show *show)
{
    if (show->run.len)
        literal_put(&show->out, show->run.data, show->run.len);
    show->run.len = 0;
}

static void flush_gap(struct show *show)
{
    if (fabs(show->gap) < 0.0005)
        return;
    flush_run(show);
    buf_putc(&show->out, ' ');
    redact_frame_put(&show->out, show->gap);
    buf_putc(&show->out, ' ');
    show->gap = 0;
}

static void advance(struct redact_frame *f, double by, bool vertical)
{
    struct redact_matrix move = REDACT_IDENTITY;

    move.at[vertical ? 5 : 4] = vertical ? by : by * f->now.tz;
    f->tm = redact_shape_multiply(move, f->tm);
}

/* Moves on to where the glyph that was read last is set now. */
static void shift_glyph(struct show *show)
{
    struct redact_frame *f = show->f;
    struct redact_edit *edit = f->edit;
    const struct redact_state *s = &f->now;
    bool vertical = s->font && s->font->wmode == 1;
    struct redact_matrix m = redact_shape_multiply(f->tm, s->ctm);
    const struct redact_placed *placed;
    double step, by;

    if (!edit->line || edit->measuring || edit->glyph > edit->line->n)
        return;
    placed = &edit->line->items[edit->glyph - 1];
    by = (double) placed->shift - f->moved;
    step = vertical ? -hypot(m.at[2], m.at[3]) * fabs(s->size)
                    : hypot(m.at[0], m.at[1]) * fabs(s->size * s->tz);
    if (!(placed->size > 0) || fabs(by) < 1e-4 || !isnormal(step))
        return;
    show->moved = true;
    show->gap -= by * 1000 / step;
    f->moved += by;
}

static void show_string(struct show *show, const char *bytes, size_t n)
{
    struct redact_frame *f = show->f;
    struct redact_state *s = &f->now;

    for (size_t at = 0; at < n;) {
        struct redact_glyph glyph;
        double extra, by;

        redact_font_glyph(&f->edit->fonts, s->font, bytes + at, n - at, &glyph);
        extra = (glyph.shown ? s->tc : 0) + (glyph.space ? s->tw : 0);
        by = glyph.advance * s->size + extra;
        if (is_removed(f, &glyph)) {
            show->any = true;
            f->edit->glyphs += !f->edit->measuring;
            if (s->size != 0)
                show->gap -= by * 1000 / s->size;
        } else {
            shift_glyph(show);
            flush_gap(show);
            buf_put(&show->run, bytes + at, glyph.bytes);
        }
        advance(f, by, glyph.vertical);
        at += glyph.bytes;
        f->edit->steps++;
    }
}

static void show_operands(struct show *show, size_t from)
{
    struct redact_frame *f = show->f;

    for (size_t i = from; i < f->n; i++) {
        const struct lex_token *token = &f->operands[i];

        if (token->kind == LEX_NUMBER) {
            double number = lex_number(token, NULL);

            show->gap += number;
            advance(f, -number / 1000 * f->now.size, f->now.font && f->now.font->wmode == 1);
        } else if (token->kind == LEX_STRING || token->kind == LEX_HEX) {
            AUTO_FREE char *bytes = malloc(token->n + 1);

            if (bytes)
                show_string(show, bytes, lex_string(token, bytes));
            f->edit->no_memory |= !bytes;
        }
    }
    flush_gap(show);
    flush_run(show);
}

static void note_marks(struct redact_frame *f)
{
    struct redact_edit *edit = f->edit;

    for (size_t i = 0; i < f->n_marks; i++) {
        struct redact_mark *mark = &f->marks[i];

        if (mark->removed)
            continue;
        mark->removed = true;
        if (mark->mcid < 0 || f->parents < 0)
            continue;
        if (LIST_ROOM(edit->marked, edit->n_marked, edit->cap_marked))
            edit->marked[edit->n_marked++] = f->parents << 32 | mark->mcid;
        else
            edit->no_memory = true;
    }
}

void redact_text_show(struct redact_frame *f, const char *op)
{
    struct show show = { .f = f };
    bool quote = *op == '\'' || *op == '"', spaced = *op == '"';

    if (spaced && f->n >= 3) {
        f->now.tw = redact_frame_number(f, 0);
        f->now.tc = redact_frame_number(f, 1);
    }
    if (quote) {
        f->tlm =
            redact_shape_multiply((struct redact_matrix){ { 1, 0, 0, 1, 0, -f->now.tl } }, f->tlm);
        f->tm = f->tlm;
        f->moved = 0;
    }
    show_operands(&show, spaced && f->n >= 3 ? 2 : 0);
    if ((show.any || show.moved) && !f->edit->measuring) {
        redact_frame_replace(f);
        if (show.any)
            redact_font_note(&f->edit->fonts, f->now.font);
        if (spaced) {
            redact_frame_put(&f->out, f->now.tw);
            buf_puts(&f->out, " Tw ");
            redact_frame_put(&f->out, f->now.tc);
            buf_puts(&f->out, " Tc ");
        }
        buf_puts(&f->out, quote ? "T* [" : "[");
        buf_put(&f->out, show.out.data, show.out.len);
        buf_puts(&f->out, "] TJ");
        if (show.any)
            note_marks(f);
    }
    f->edit->no_memory |= show.out.failed || show.run.failed;
    buf_free(&show.out);
    buf_free(&show.run);
}
