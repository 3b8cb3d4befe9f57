#include "image/jbig2/text.h"

#include "base/effort.h"

#define INSTANCE_EFFORT 50.0

/* What is read from. */
struct source {
    const struct jbig2_text *how;
    struct jbig2_bits *bits;
    struct jbig2_numbers *numbers;
    bool failed;
};

/* A number by its table or procedure; OOB and damage are a failure. */
static int32_t coded_number(struct source *s, const struct jbig2_table *table,
                            enum jbig2_procedure procedure)
{
    int32_t value = 0;
    enum jbig2_got got = s->how->huffman ? jbig2_table_get(table, s->bits, &value)
                                         : jbig2_numbers_get(s->numbers, procedure, &value);

    s->failed = s->failed || got != JBIG2_NUMBER;
    return value;
}

static const struct jbig2_map *symbol(struct source *s)
{
    int32_t id = 0;

    if (s->how->huffman)
        s->failed = s->failed || jbig2_table_get(s->how->ids, s->bits, &id) != JBIG2_NUMBER;
    else
        id = (int32_t) jbig2_numbers_id(s->numbers);
    s->failed = s->failed || id < 0 || (size_t) id >= s->how->n_symbols;
    return s->failed ? NULL : s->how->symbols[id];
}

/* 6.4.11: the symbol with other pixels; `map` becomes it. */
static bool refine(struct source *s, const struct jbig2_map *from, struct jbig2_map *map)
{
    const struct jbig2_text *how = s->how;
    struct jbig2_refine refinement = { .template = how->refine_template, .reference = from };
    int64_t dw = coded_number(s, how->rdw, JBIG2_IARDW),
            dh = coded_number(s, how->rdh, JBIG2_IARDH);
    int64_t dx = coded_number(s, how->rdx, JBIG2_IARDX),
            dy = coded_number(s, how->rdy, JBIG2_IARDY);
    int64_t width = from->width + dw, height = from->height + dh;
    int64_t size = how->huffman ? coded_number(s, how->rsize, JBIG2_PROCEDURES) : 0;

    if (s->failed || width < 0 || height < 0 || width > UINT32_MAX || height > UINT32_MAX ||
        !jbig2_map_new(map, (uint32_t) width, (uint32_t) height))
        return false;
    for (size_t i = 0; i < 4; i++)
        refinement.at[i] = how->refine_at[i];
    refinement.dx = (dw >> 1) + dx;
    refinement.dy = (dh >> 1) + dy;
    if (how->huffman) {
        size_t at;

        jbig2_bits_align(s->bits);
        at = s->bits->at / 8;
        if (at > s->bits->n || size < 0 || (uint64_t) size > s->bits->n - at)
            return false;
        arith_read_begin(&s->numbers->reader, s->bits->data + at,
                         size ? (size_t) size : s->bits->n - at);
        s->bits->at += (size_t) size * 8;
    }
    jbig2_refine_read(&refinement, &s->numbers->reader, s->numbers->refine, map);
    return true;
}

/* Draws a symbol at (S, T), and returns how far S moves on (6.4.5, 3c vi to x). */
static int64_t draw_symbol(const struct jbig2_text *how, struct jbig2_map *map,
                           const struct jbig2_map *with, int64_t s, int64_t t, bool *good)
{
    int64_t w = with->width, h = with->height, x, y;
    bool right = how->corner == JBIG2_BOTTOM_RIGHT || how->corner == JBIG2_TOP_RIGHT;
    bool bottom = how->corner == JBIG2_BOTTOM_LEFT || how->corner == JBIG2_BOTTOM_RIGHT;

    if (!how->transposed && right)
        s += w - 1;
    if (how->transposed && bottom)
        s += h - 1;
    x = how->transposed ? t : s;
    y = how->transposed ? s : t;
    *good = jbig2_map_draw(map, with, right ? x - w + 1 : x, bottom ? y - h + 1 : y, how->combine);
    return how->transposed ? h - 1 : w - 1;
}

static int64_t instance_t(struct source *s)
{
    int64_t t = 0;

    if (s->how->log_strips == 0)
        return 0;
    if (s->how->huffman)
        t = jbig2_bits_get(s->bits, s->how->log_strips);
    else
        t = coded_number(s, NULL, JBIG2_IAIT);
    return t;
}

static bool draw_instance(struct source *s, struct jbig2_map *map, int64_t *at, int64_t strip)
{
    const struct jbig2_text *how = s->how;
    AUTO_JBIG2_MAP struct jbig2_map refined = { 0 };
    int64_t t = strip + instance_t(s);
    const struct jbig2_map *with = symbol(s);
    bool is_refined = false, good = true;

    if (s->failed || !effort_spend(INSTANCE_EFFORT))
        return false;
    if (how->refined)
        is_refined =
            how->huffman ? jbig2_bits_get(s->bits, 1) : coded_number(s, NULL, JBIG2_IARI) != 0;
    if (is_refined && !refine(s, with, &refined))
        return false;
    *at += draw_symbol(how, map, is_refined ? &refined : with, *at, t, &good);
    return good && !s->failed;
}

/* The first S of a strip, then the instances up to the end of the strip. */
static bool draw_strip(struct source *s, struct jbig2_map *map, int64_t first, int64_t strip,
                       uint32_t *drawn)
{
    int64_t at = first;

    for (;;) {
        int32_t step = 0;
        enum jbig2_got got;

        if (*drawn >= s->how->instances)
            return true;
        if (!draw_instance(s, map, &at, strip))
            return false;
        ++*drawn;
        got = s->how->huffman ? jbig2_table_get(s->how->ds, s->bits, &step)
                              : jbig2_numbers_get(s->numbers, JBIG2_IADS, &step);
        if (got != JBIG2_NUMBER)
            return got == JBIG2_OOB;
        at += (int64_t) step + s->how->ds_offset;
    }
}

bool jbig2_text_draw(const struct jbig2_text *how, struct jbig2_bits *bits,
                     struct jbig2_numbers *numbers, struct jbig2_map *map)
{
    struct source s = { .how = how, .bits = bits, .numbers = numbers };
    int64_t strips = (int64_t) 1 << how->log_strips, first = 0;
    int64_t strip = -(int64_t) coded_number(&s, how->dt, JBIG2_IADT) * strips;
    uint32_t drawn = 0;

    while (drawn < how->instances) {
        strip += (int64_t) coded_number(&s, how->dt, JBIG2_IADT) * strips;
        first += coded_number(&s, how->fs, JBIG2_IAFS);
        if (s.failed || strip > INT32_MAX || strip < INT32_MIN || first > INT32_MAX ||
            first < INT32_MIN || !draw_strip(&s, map, first, strip, &drawn))
            return false;
    }
    return true;
}
