#include "recovery/image_repair/jpeg_scan.h"

#include <stdlib.h>
#include <string.h>

#define DC_SIZE_MAX 11U /* bits of a difference, and of a coefficient, of 8 bit samples (F.1.2) */
#define AC_SIZE_MAX 10U
#define DC_MAX      30000 /* what a damaged run may add up to, */
#define LEVEL_MAX   16000 /* and its samples */

/* The coefficients of a block after the first one; `sums` may be NULL. */
static bool read_ac(const struct jpeg_huffman *table, struct jpeg_bits *bits,
                    const unsigned char *steps, struct jpeg_edge_sums *sums)
{
    for (int k = 1; k < 64; k++) {
        int code = jpeg_huffman_read(bits, table);
        unsigned size = (unsigned) code & 15U;

        if (code < 0 || size > AC_SIZE_MAX)
            return false;
        if (size == 0 && code != 0xf0)
            return code == 0; /* the end of the block */
        k += code >> 4;
        if (k > 63)
            return false;
        if (sums)
            jpeg_edge_add(sums, k, jpeg_bits_signed(bits, size) * steps[k]);
        else
            bits->at += size;
    }
    return true;
}

static bool read_dc(const struct jpeg_huffman *table, struct jpeg_bits *bits, int *dc)
{
    int size = jpeg_huffman_read(bits, table);

    if (size < 0 || size > (int) DC_SIZE_MAX)
        return false;
    *dc += jpeg_bits_signed(bits, (unsigned) size);
    return abs(*dc) < DC_MAX;
}

/* The part of the edge of an MCU, `across` blocks wide, that is the block's in a column. */
static void put_edge(const float sums[JPEG_EDGE], int across, int column, int16_t *edge)
{
    float samples[JPEG_EDGE];
    int n = JPEG_EDGE / across, wide = across == 3 ? 3 : JPEG_EDGE / n;

    jpeg_edge_samples(sums, samples);
    for (int x = 0; x < n; x++) {
        float sum = 0;

        for (int k = 0; k < wide && x * wide + k < JPEG_EDGE; k++)
            sum += samples[x * wide + k];
        sum /= (float) wide;
        edge[column * n + x] = (int16_t) (sum < -LEVEL_MAX  ? -LEVEL_MAX
                                          : sum > LEVEL_MAX ? LEVEL_MAX
                                                            : sum);
    }
}

/* The i-th block of a component. */
static void put_edges(const struct jpeg_head *head, struct jpeg_edge_sums *sums, int of, int i,
                      int dc, struct jpeg_mcu *mcu)
{
    const struct jpeg_component *c = &head->component[of];

    jpeg_edge_add(sums, 0, dc * head->step[c->quantiser]);
    if (i / c->h == 0)
        put_edge(sums->top, c->h, i % c->h, of ? mcu->ink_top[of - 1] : mcu->top);
    if (i / c->h == c->v - 1)
        put_edge(sums->bottom, c->h, i % c->h, of ? mcu->ink_bottom[of - 1] : mcu->bottom);
}

bool jpeg_scan_mcu(const struct jpeg_head *head, struct jpeg_bits *bits, int dc[JPEG_COMPONENTS],
                   bool with_edges, struct jpeg_mcu *mcu)
{
    int sum[JPEG_COMPONENTS] = { 0 }, before = -1, nth = 0;

    mcu->at = (uint32_t) bits->at;
    for (int i = 0; i < head->blocks; i++) {
        int of = head->of_block[i];
        const struct jpeg_component *c = &head->component[of];
        struct jpeg_edge_sums sums = { 0 };
        bool edges = with_edges && (of == 0 || head->n == JPEG_COMPONENTS);

        if (!read_dc(&head->dc[c->dc], bits, &dc[of]) ||
            !read_ac(&head->ac[c->ac], bits, head->quantisers[c->quantiser],
                     edges ? &sums : NULL) ||
            bits->at > bits->n)
            return false;
        if (edges)
            put_edges(head, &sums, of, of == before ? ++nth : (nth = 0), dc[of], mcu);
        before = of;
        sum[of] += dc[of];
    }
    for (int i = 0; i < head->n; i++) {
        mcu->mean[i] = (int16_t) (sum[i] / (head->component[i].h * head->component[i].v));
        mcu->last[i] = (int16_t) dc[i];
    }
    return true;
}

bool jpeg_scan_at_end(const struct jpeg_bits *bits)
{
    return bits->at <= bits->n && bits->n - bits->at < 8 &&
           jpeg_bits_peek(bits) >> (16 - (bits->n - bits->at)) == (1U << (bits->n - bits->at)) - 1U;
}

static bool make_mcu_room(struct jpeg_mcus *mcus)
{
    size_t cap = mcus->cap ? mcus->cap * 2 : 1024;
    struct jpeg_mcu *list;

    if (mcus->n < mcus->cap)
        return true;
    list = realloc(mcus->list, cap * sizeof *list);
    if (!list)
        return false;
    mcus->list = list;
    mcus->cap = cap;
    return true;
}

enum jpeg_stop jpeg_scan_run(const struct jpeg_head *head, struct jpeg_bits *bits, size_t most,
                             struct jpeg_mcus *mcus)
{
    int dc[JPEG_COMPONENTS] = { 0 };

    for (size_t i = 0; i < most; i++) {
        struct jpeg_bits look = *bits;
        struct jpeg_mcu mcu = { 0 };

        if (jpeg_scan_at_end(bits))
            return JPEG_STOP_END;
        if (!jpeg_scan_mcu(head, &look, dc, mcus->with_edges, &mcu))
            return JPEG_STOP_ERROR;
        if (!make_mcu_room(mcus))
            return JPEG_STOP_MEMORY;
        mcus->list[mcus->n++] = mcu;
        *bits = look;
    }
    return JPEG_STOP_LIMIT;
}

static bool reads_well(const struct jpeg_head *head, struct jpeg_bits bits, size_t proof,
                       size_t *effort)
{
    int dc[JPEG_COMPONENTS] = { 0 };
    size_t from = bits.at, i;
    struct jpeg_mcu mcu;
    bool well = true;

    for (i = 0; i < proof && well && !(i > 0 && jpeg_scan_at_end(&bits)); i++)
        well = jpeg_scan_mcu(head, &bits, dc, false, &mcu);
    from = bits.at - from + 64;
    *effort -= from < *effort ? from : *effort;
    return well;
}

bool jpeg_scan_find(const struct jpeg_head *head, struct jpeg_bits *bits, size_t proof,
                    size_t *effort)
{
    for (size_t at = bits->at + 1; *effort > 0 && at < bits->n; at++) {
        struct jpeg_bits look = { bits->data, bits->n, at };

        if (reads_well(head, look, proof, effort)) {
            bits->at = at;
            return true;
        }
    }
    return false;
}

/* The difference to `want`, or to what comes nearest of what the table has a code for. */
static bool write_dc(const struct jpeg_huffman *table, int want, int *before,
                     struct jpeg_writer *writer)
{
    int difference = want - *before, magnitude = abs(difference), size = 0;

    while (magnitude >> size)
        size++;
    while (size > 0 && (size > (int) DC_SIZE_MAX || !table->size[size])) {
        size--; /* the greatest of this size */
        magnitude = (1 << size) - 1;
        difference = difference < 0 ? -magnitude : magnitude;
    }
    if (!table->size[size])
        return false;
    jpeg_write_bits(writer, table->code[size], table->size[size]);
    if (size > 0)
        jpeg_write_bits(writer,
                        (unsigned) (difference < 0 ? difference + (1 << size) - 1 : difference),
                        (unsigned) size);
    *before += difference;
    return true;
}

bool jpeg_scan_rewrite(const struct jpeg_head *head, struct jpeg_bits *bits,
                       int dc[JPEG_COMPONENTS], const int add[JPEG_COMPONENTS],
                       int before[JPEG_COMPONENTS], struct jpeg_writer *writer)
{
    for (int i = 0; i < head->blocks; i++) {
        int of = head->of_block[i];
        const struct jpeg_component *c = &head->component[of];
        size_t from;

        if (!read_dc(&head->dc[c->dc], bits, &dc[of]) ||
            !write_dc(&head->dc[c->dc], dc[of] + add[of], &before[of], writer))
            return false;
        from = bits->at;
        if (!read_ac(&head->ac[c->ac], bits, NULL, NULL) || bits->at > bits->n)
            return false;
        jpeg_write_range(writer, bits->data, from, bits->at);
    }
    return true;
}

bool jpeg_scan_write_flat(const struct jpeg_head *head, const int16_t dc[JPEG_COMPONENTS],
                          int before[JPEG_COMPONENTS], struct jpeg_writer *writer)
{
    for (int i = 0; i < head->blocks; i++) {
        int of = head->of_block[i];
        const struct jpeg_component *c = &head->component[of];
        const struct jpeg_huffman *ac = &head->ac[c->ac];

        if (!ac->size[0] || !write_dc(&head->dc[c->dc], dc[of], &before[of], writer))
            return false;
        jpeg_write_bits(writer, ac->code[0], ac->size[0]);
    }
    return true;
}
