#include "image/jbig2/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"
#include "image/jbig2/text.h"

#define RUN_CODES 35 /* lengths of the codes of symbols (7.4.3.1.7) */

/* A dictionary being read (6.5). */
struct reading {
    struct jbig2_dictionary *dictionary;
    const struct jbig2_inputs *inputs;
    bool huffman, refined;
    unsigned template, refine_template;
    int8_t at[8], refine_at[4];
    uint32_t n_exported, n_new;
    struct jbig2_bits bits;
    struct jbig2_numbers numbers;
    const struct jbig2_map **known; /* the symbols of the inputs, then the new ones */
    struct jbig2_table dh, dw, size, count, own[5]; /* own: for refinements by text regions */
    struct jbig2_table ids;
    const struct jbig2_table *use[4]; /* those of dh, dw, size, count or of the inputs */
};

void jbig2_dictionary_free(struct jbig2_dictionary *dictionary)
{
    for (size_t i = 0; i < dictionary->n_maps; i++)
        jbig2_map_free(&dictionary->maps[i]);
    free(dictionary->maps);
    free(dictionary->exported);
    free(dictionary->generic);
    free(dictionary->refine);
    *dictionary = (struct jbig2_dictionary){ 0 };
}

static void free_reading(struct reading *r)
{
    jbig2_numbers_free(&r->numbers);
    free(r->known);
    jbig2_table_free(&r->dh);
    jbig2_table_free(&r->dw);
    jbig2_table_free(&r->size);
    jbig2_table_free(&r->count);
    jbig2_table_free(&r->ids);
    for (size_t i = 0; i < 5; i++)
        jbig2_table_free(&r->own[i]);
}

static unsigned bits_for(size_t n)
{
    unsigned bits = 0;

    while ((size_t) 1 << bits < n)
        bits++;
    return bits;
}

/* Chooses a standard table, or if it is 0 the next one of those that the segment refers to. */
static bool choose_table(const struct jbig2_inputs *inputs, size_t *next, unsigned standard,
                         struct jbig2_table *own, const struct jbig2_table **use)
{
    *use = own;
    if (standard > 0)
        return jbig2_table_standard(own, standard);
    if (*next >= inputs->n_tables)
        return false;
    *use = inputs->tables[(*next)++];
    return true;
}

static enum jbig2_got read_number(struct reading *r, size_t table, enum jbig2_procedure procedure,
                                  int32_t *value)
{
    return r->huffman ? jbig2_table_get(r->use[table], &r->bits, value)
                      : jbig2_numbers_get(&r->numbers, procedure, value);
}

/* Table of the codes of n symbols that all have the same length. */
static bool equal_ids(struct jbig2_table *table, size_t n, unsigned bits)
{
    AUTO_FREE struct jbig2_line *lines = calloc(n + 1, sizeof *lines);

    if (!lines)
        return false;
    for (size_t i = 0; i < n; i++)
        lines[i] = (struct jbig2_line){ .low = (int32_t) i, .prefix = (uint8_t) bits };
    return jbig2_table_new(table, lines, n);
}

/* 6.5.8.2.2: a symbol that is another one with other pixels. */
static bool refine_one(struct reading *r, struct jbig2_map *map, size_t n_known)
{
    struct jbig2_refine how = { .template = r->refine_template };
    int32_t dx = 0, dy = 0, size = 0;
    uint32_t id;

    memcpy(how.at, r->refine_at, sizeof how.at);
    if (r->huffman) {
        size_t at;

        id = jbig2_bits_get(&r->bits, r->numbers.id_bits);
        if (jbig2_table_get(&r->own[0], &r->bits, &dx) != JBIG2_NUMBER ||
            jbig2_table_get(&r->own[0], &r->bits, &dy) != JBIG2_NUMBER ||
            jbig2_table_get(&r->own[1], &r->bits, &size) != JBIG2_NUMBER || size < 0)
            return false;
        jbig2_bits_align(&r->bits);
        at = r->bits.at / 8;
        if (at > r->bits.n || (size_t) size > r->bits.n - at)
            return false;
        arith_read_begin(&r->numbers.reader, r->bits.data + at,
                         size ? (size_t) size : r->bits.n - at);
        r->bits.at += (size_t) size * 8;
    } else {
        id = jbig2_numbers_id(&r->numbers);
        if (jbig2_numbers_get(&r->numbers, JBIG2_IARDX, &dx) != JBIG2_NUMBER ||
            jbig2_numbers_get(&r->numbers, JBIG2_IARDY, &dy) != JBIG2_NUMBER)
            return false;
    }
    if (id >= n_known)
        return false;
    how.reference = r->known[id];
    how.dx = dx;
    how.dy = dy;
    jbig2_refine_read(&how, &r->numbers.reader, r->dictionary->refine, map);
    return true;
}

/* 6.5.8.2: a symbol that is made of several others. */
static bool refine_symbol(struct reading *r, struct jbig2_map *map, size_t n_known)
{
    struct jbig2_text how = { .huffman = r->huffman,
                              .refined = true,
                              .corner = JBIG2_TOP_LEFT,
                              .id_bits = r->numbers.id_bits,
                              .symbols = r->known,
                              .n_symbols = n_known,
                              .refine_template = r->refine_template,
                              .fs = &r->own[2],
                              .ds = &r->own[3],
                              .dt = &r->own[4],
                              .rdw = &r->own[0],
                              .rdh = &r->own[0],
                              .rdx = &r->own[0],
                              .rdy = &r->own[0],
                              .rsize = &r->own[1],
                              .ids = &r->ids };
    int32_t instances = 0;

    memcpy(how.refine_at, r->refine_at, sizeof how.refine_at);
    if (read_number(r, 3, JBIG2_IAAI, &instances) != JBIG2_NUMBER || instances < 1)
        return false;
    how.instances = (uint32_t) instances;
    return instances == 1 ? refine_one(r, map, n_known)
                          : jbig2_text_draw(&how, &r->bits, &r->numbers, map);
}

static bool read_symbol(struct reading *r, struct jbig2_map *map, size_t n_known)
{
    struct jbig2_generic how = { .template = r->template };

    if (r->refined)
        return refine_symbol(r, map, n_known);
    memcpy(how.at, r->at, sizeof how.at);
    jbig2_generic_read(&how, &r->numbers.reader, r->dictionary->generic, map);
    return true;
}

/* 6.5.9: the symbols of a height class side by side in one bitmap. */
static bool split_class(struct reading *r, const uint32_t *widths, size_t n, uint32_t height,
                        uint32_t total)
{
    AUTO_JBIG2_MAP struct jbig2_map all = { 0 };
    struct jbig2_dictionary *d = r->dictionary;
    int32_t size = 0;
    size_t at, used = 0;
    int64_t x = 0;

    if (jbig2_table_get(r->use[2], &r->bits, &size) != JBIG2_NUMBER || size < 0 ||
        !jbig2_map_new(&all, total, height))
        return false;
    jbig2_bits_align(&r->bits);
    at = r->bits.at / 8;
    if (size == 0) { /* not coded */
        for (uint32_t y = 0; y < height; y++) {
            for (uint32_t i = 0; i < total; i++)
                all.pixels[(size_t) y * total + i] = (uint8_t) jbig2_bits_get(&r->bits, 1);
            jbig2_bits_align(&r->bits);
        }
        if (r->bits.over)
            return false;
    } else {
        if (at > r->bits.n || (size_t) size > r->bits.n - at ||
            !jbig2_fax_read(r->bits.data + at, (size_t) size, &all, &used))
            return false;
        r->bits.at += (size_t) size * 8;
    }
    for (size_t i = 0; i < n; i++) {
        struct jbig2_map *map = &d->maps[d->n_maps];

        if (!jbig2_map_new(map, widths[i], height) ||
            !jbig2_map_draw(map, &all, -x, 0, JBIG2_REPLACE))
            return false;
        r->known[r->inputs->n_symbols + d->n_maps++] = map;
        x += widths[i];
    }
    return true;
}

/* The symbols of one height (6.5.5, 4). */
static bool read_class(struct reading *r, uint32_t height, uint32_t *widths)
{
    struct jbig2_dictionary *d = r->dictionary;
    int64_t width = 0, total = 0;
    size_t n = 0;

    for (;;) {
        int32_t step = 0;
        enum jbig2_got got = read_number(r, 1, JBIG2_IADW, &step);
        struct jbig2_map *map = &d->maps[d->n_maps];

        if (got == JBIG2_OOB)
            break;
        width += step;
        if (got != JBIG2_NUMBER || width < 0 || width > JBIG2_MOST || d->n_maps + n >= r->n_new)
            return false;
        total += width;
        widths[n++] = (uint32_t) width;
        if (r->huffman && !r->refined)
            continue;
        n = 0;
        if (!jbig2_map_new(map, (uint32_t) width, height))
            return false;
        r->known[r->inputs->n_symbols + d->n_maps] = map;
        if (!read_symbol(r, map, r->inputs->n_symbols + d->n_maps++))
            return false;
    }
    if (!r->huffman || r->refined)
        return true;
    return total <= JBIG2_MOST && split_class(r, widths, n, height, (uint32_t) total);
}

/* 6.5.10: which symbols are exported, as lengths of runs. */
static bool read_exported(struct reading *r)
{
    struct jbig2_dictionary *d = r->dictionary;
    AUTO_JBIG2_TABLE struct jbig2_table table = { 0 };
    size_t at = 0, all = r->inputs->n_symbols + r->n_new, empty = 0;
    bool exported = false;

    if (!jbig2_table_standard(&table, 1))
        return false;
    while (at < all) {
        int32_t run = 0;
        enum jbig2_got got = r->huffman ? jbig2_table_get(&table, &r->bits, &run)
                                        : jbig2_numbers_get(&r->numbers, JBIG2_IAEX, &run);

        empty = run == 0 ? empty + 1 : 0;
        if (got != JBIG2_NUMBER || run < 0 || (size_t) run > all - at || empty > 4)
            return false;
        for (; run > 0; run--, at++) {
            if (!exported)
                continue;
            if (d->n_exported == r->n_exported)
                return false;
            d->exported[d->n_exported++] = r->known[at];
        }
        exported = !exported;
    }
    return d->n_exported == r->n_exported;
}

static bool read_symbols(struct reading *r)
{
    AUTO_FREE uint32_t *widths = calloc((size_t) r->n_new + 1, sizeof *widths);
    int64_t height = 0;

    if (!widths)
        return false;
    while (r->dictionary->n_maps < r->n_new) {
        int32_t step = 0;

        if (read_number(r, 0, JBIG2_IADH, &step) != JBIG2_NUMBER)
            return false;
        height += step;
        if (height < 0 || height > JBIG2_MOST || !read_class(r, (uint32_t) height, widths))
            return false;
    }
    return read_exported(r);
}

/* Contexts that are all 0, or those of the last dictionary that the segment refers to. */
static bool begin_contexts(struct reading *r, bool used)
{
    struct jbig2_dictionary *d = r->dictionary;
    const struct jbig2_dictionary *last = r->inputs->last;

    d->generic = calloc(JBIG2_GENERIC_CONTEXTS, sizeof *d->generic);
    d->refine = calloc(JBIG2_REFINE_CONTEXTS, sizeof *d->refine);
    if (!d->generic || !d->refine || (used && (!last || !last->generic)))
        return false;
    if (used) {
        memcpy(d->generic, last->generic, JBIG2_GENERIC_CONTEXTS * sizeof *d->generic);
        memcpy(d->refine, last->refine, JBIG2_REFINE_CONTEXTS * sizeof *d->refine);
    }
    r->numbers.refine = d->refine;
    return true;
}

/* The tables that the flags name (7.4.2.1.1, 7.4.2.1.6), and those of refinements (6.5.8.2). */
static bool begin_tables(struct reading *r, unsigned flags)
{
    static const unsigned heights[] = { 4, 5, 0, 0 }, widths[] = { 2, 3, 0, 0 };
    size_t next = 0;

    if (!r->huffman)
        return true;
    return choose_table(r->inputs, &next, heights[flags >> 2 & 3], &r->dh, &r->use[0]) &&
           choose_table(r->inputs, &next, widths[flags >> 4 & 3], &r->dw, &r->use[1]) &&
           choose_table(r->inputs, &next, flags >> 6 & 1 ? 0 : 1, &r->size, &r->use[2]) &&
           choose_table(r->inputs, &next, flags >> 7 & 1 ? 0 : 1, &r->count, &r->use[3]) &&
           jbig2_table_standard(&r->own[0], 15) && jbig2_table_standard(&r->own[1], 1) &&
           jbig2_table_standard(&r->own[2], 6) && jbig2_table_standard(&r->own[3], 8) &&
           jbig2_table_standard(&r->own[4], 11);
}

/* Whether adaptive pixels are before the one that is coded. */
static bool are_before(const int8_t *at, size_t n)
{
    for (size_t i = 0; i < n; i += 2)
        if (at[i + 1] > 0 || (at[i + 1] == 0 && at[i] >= 0))
            return false;
    return true;
}

static bool read_head(struct reading *r, const uint8_t *data, size_t n)
{
    unsigned flags;
    size_t at = 2, room;

    if (n < 10)
        return false;
    flags = octets_be16(data);
    r->huffman = flags & 1;
    r->refined = flags >> 1 & 1;
    r->template = flags >> 10 & 3;
    r->refine_template = flags >> 12 & 1;
    room = r->huffman ? 0 : jbig2_generic_at(r->template);
    if (n - at < room + (r->refined && !r->refine_template ? 12U : 8U))
        return false;
    memcpy(r->at, data + at, room);
    at += room;
    if (r->refined && !r->refine_template) {
        memcpy(r->refine_at, data + at, 4);
        at += 4;
    }
    if (!are_before(r->at, room))
        return false;
    r->n_exported = octets_be32(data + at);
    r->n_new = octets_be32(data + at + 4);
    at += 8;
    r->bits = (struct jbig2_bits){ .data = data + at, .n = n - at };
    arith_read_begin(&r->numbers.reader, data + at, n - at);
    return r->n_new <= JBIG2_SYMBOLS && r->n_exported <= r->n_new + r->inputs->n_symbols &&
           begin_contexts(r, flags >> 8 & 1) && begin_tables(r, flags);
}

static bool read_all(struct reading *r, const uint8_t *data, size_t n)
{
    struct jbig2_dictionary *d = r->dictionary;
    unsigned id_bits;
    size_t all;

    if (!read_head(r, data, n))
        return false;
    all = r->inputs->n_symbols + r->n_new;
    d->maps = calloc((size_t) r->n_new + 1, sizeof *d->maps);
    d->exported = calloc((size_t) r->n_exported + 1, sizeof *d->exported);
    r->known = calloc(all + 1, sizeof *r->known);
    if (!d->maps || !d->exported || !r->known)
        return false;
    if (r->inputs->n_symbols)
        memcpy(r->known, r->inputs->symbols, r->inputs->n_symbols * sizeof *r->known);
    id_bits = bits_for(all);
    if (r->huffman && id_bits == 0)
        id_bits = 1;
    return jbig2_numbers_new(&r->numbers, id_bits) &&
           (!r->huffman || !r->refined || equal_ids(&r->ids, all, id_bits)) && read_symbols(r);
}

bool jbig2_dictionary_read(struct jbig2_dictionary *dictionary, const uint8_t *data, size_t n,
                           const struct jbig2_inputs *inputs)
{
    struct reading *r = calloc(1, sizeof *r);
    bool good;

    *dictionary = (struct jbig2_dictionary){ 0 };
    if (!r)
        return false;
    r->dictionary = dictionary;
    r->inputs = inputs;
    good = read_all(r, data, n);
    free_reading(r);
    free(r);
    if (!good)
        jbig2_dictionary_free(dictionary);
    return good;
}

/* The codes of the symbols' numbers, as lengths of codes (7.4.3.1.7). */
static bool read_ids(struct jbig2_table *table, struct jbig2_bits *bits, size_t n)
{
    AUTO_FREE struct jbig2_line *lines = calloc(n + 1, sizeof *lines);
    AUTO_JBIG2_TABLE struct jbig2_table runs = { 0 };
    struct jbig2_line codes[RUN_CODES] = { 0 };
    size_t at = 0;

    for (int i = 0; i < RUN_CODES; i++)
        codes[i] = (struct jbig2_line){ .low = i, .prefix = (uint8_t) jbig2_bits_get(bits, 4) };
    if (!lines || !jbig2_table_new(&runs, codes, RUN_CODES))
        return false;
    while (at < n) {
        int32_t code = 0;
        uint32_t repeat = 1;
        uint8_t length = 0;

        if (jbig2_table_get(&runs, bits, &code) != JBIG2_NUMBER)
            return false;
        if (code == 32) {
            repeat = jbig2_bits_get(bits, 2) + 3;
            if (at == 0)
                return false;
            length = lines[at - 1].prefix;
        } else if (code == 33) {
            repeat = jbig2_bits_get(bits, 3) + 3;
        } else if (code == 34) {
            repeat = jbig2_bits_get(bits, 7) + 11;
        } else {
            length = (uint8_t) code;
        }
        if (bits->over || repeat > n - at)
            return false;
        for (; repeat > 0; repeat--, at++)
            lines[at] = (struct jbig2_line){ .low = (int32_t) at, .prefix = length };
    }
    jbig2_bits_align(bits);
    return jbig2_table_new(table, lines, n);
}

/* The tables that the Huffman flags name (7.4.3.1.2). */
static bool text_tables(struct jbig2_text *how, struct jbig2_table *own, unsigned flags,
                        const struct jbig2_inputs *inputs)
{
    static const unsigned firsts[] = { 6, 7, 0, 0 }, steps[] = { 8, 9, 10, 0 };
    static const unsigned strips[] = { 11, 12, 13, 0 }, refined[] = { 14, 15, 0, 0 };
    size_t next = 0;

    return choose_table(inputs, &next, firsts[flags & 3], &own[0], &how->fs) &&
           choose_table(inputs, &next, steps[flags >> 2 & 3], &own[1], &how->ds) &&
           choose_table(inputs, &next, strips[flags >> 4 & 3], &own[2], &how->dt) &&
           choose_table(inputs, &next, refined[flags >> 6 & 3], &own[3], &how->rdw) &&
           choose_table(inputs, &next, refined[flags >> 8 & 3], &own[4], &how->rdh) &&
           choose_table(inputs, &next, refined[flags >> 10 & 3], &own[5], &how->rdx) &&
           choose_table(inputs, &next, refined[flags >> 12 & 3], &own[6], &how->rdy) &&
           choose_table(inputs, &next, flags >> 14 & 1 ? 0 : 1, &own[7], &how->rsize);
}

static void text_flags(struct jbig2_text *how, unsigned flags)
{
    int offset = (int) (flags >> 10 & 31);

    how->huffman = flags & 1;
    how->refined = flags >> 1 & 1;
    how->log_strips = flags >> 2 & 3;
    how->corner = (enum jbig2_corner)(flags >> 4 & 3);
    how->transposed = flags >> 6 & 1;
    how->combine = (enum jbig2_combine)(flags >> 7 & 3);
    how->ds_offset = offset > 15 ? offset - 32 : offset;
    how->refine_template = flags >> 15 & 1;
}

static bool read_instances(struct jbig2_text *how, struct jbig2_map *map, const uint8_t *data,
                           size_t n, const struct jbig2_inputs *inputs, struct jbig2_table *own,
                           struct jbig2_numbers *numbers)
{
    struct jbig2_bits bits = { .data = data, .n = n };
    unsigned id_bits = bits_for(how->n_symbols), flags = jbig2_bits_get(&bits, 16);

    text_flags(how, flags);
    if (flags >> 9 & 1)
        memset(map->pixels, 1, (size_t) map->width * map->height);
    if (how->huffman && !text_tables(how, own, jbig2_bits_get(&bits, 16), inputs))
        return false;
    for (size_t i = 0; i < 4 && how->refined && !how->refine_template; i++)
        how->refine_at[i] = (int8_t) jbig2_bits_get(&bits, 8);
    how->instances = jbig2_bits_get(&bits, 32);
    if (bits.over || !jbig2_numbers_new(numbers, id_bits))
        return false;
    how->ids = &own[8];
    if (how->huffman && !read_ids(&own[8], &bits, how->n_symbols))
        return false;
    if (!how->huffman)
        arith_read_begin(&numbers->reader, data + bits.at / 8, n - bits.at / 8);
    return jbig2_text_draw(how, &bits, numbers, map);
}

bool jbig2_text_read(struct jbig2_map *map, const uint8_t *data, size_t n,
                     const struct jbig2_inputs *inputs)
{
    struct jbig2_text how = { .symbols = inputs->symbols, .n_symbols = inputs->n_symbols };
    struct jbig2_table own[9] = { 0 };
    AUTO_FREE struct jbig2_numbers *numbers = calloc(1, sizeof *numbers);
    AUTO_FREE arith_cx *refine = calloc(JBIG2_REFINE_CONTEXTS, sizeof *refine);
    bool good = false;

    if (numbers && refine) {
        numbers->refine = refine;
        good = read_instances(&how, map, data, n, inputs, own, numbers);
        jbig2_numbers_free(numbers);
    }
    for (size_t i = 0; i < 9; i++)
        jbig2_table_free(&own[i]);
    return good;
}
