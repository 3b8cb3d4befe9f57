#include "recovery/image_repair/jpeg_blocks.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS_MAX (1U << 19) /* 64 MB of coefficients: 33 megapixels of gray */
#define AC_MAX     1023       /* limit of what baseline images can have (F.1.2) */
#define DC_MAX     1023

bool jpeg_blocks_make(struct jpeg_blocks *blocks, const struct jpeg_head *head)
{
    size_t down = head->mcus / head->mcus_across;
    unsigned h = 1, v = 1;

    *blocks = (struct jpeg_blocks){ .head = head };
    if (head->mcus * (size_t) head->blocks > BLOCKS_MAX)
        return false;
    for (int c = 0; c < head->n; c++) {
        h = head->component[c].h > h ? head->component[c].h : h;
        v = head->component[c].v > v ? head->component[c].v : v;
    }
    for (int c = 0; c < head->n; c++) {
        const struct jpeg_component *component = &head->component[c];
        struct jpeg_plane_blocks *of = &blocks->of[c];
        size_t n = head->mcus * component->h * component->v;

        of->stride = head->mcus_across * component->h;
        of->across = ((head->width * component->h + h - 1) / h + 7) / 8;
        of->down = ((head->height * component->v + v - 1) / v + 7) / 8;
        of->list = calloc(n, sizeof *of->list);
        of->low = calloc(n, 1);
        of->doubt = calloc(n, 1);
        blocks->n += n;
        if (!of->list || !of->low || !of->doubt || of->across > of->stride ||
            of->down > down * component->v)
            return false;
    }
    return true;
}

void jpeg_blocks_free(struct jpeg_blocks *blocks)
{
    for (int c = 0; c < JPEG_COMPONENTS; c++) {
        free(blocks->of[c].list);
        free(blocks->of[c].low);
        free(blocks->of[c].doubt);
    }
}

size_t jpeg_blocks_index(const struct jpeg_plane_blocks *of, size_t i)
{
    return i / of->across * of->stride + i % of->across;
}

static int clamp(int value, int most)
{
    return value < -most ? -most : value > most ? most : value;
}

static void put_coefficient(struct jpeg_writer *writer, const struct jpeg_huffman *table,
                            unsigned zeros, int value)
{
    unsigned size = 0;

    while (abs(value) >> size)
        size++;
    jpeg_write_bits(writer, table->code[zeros << 4 | size], table->size[zeros << 4 | size]);
    if (size > 0)
        jpeg_write_bits(writer, (unsigned) (value < 0 ? value + (1 << size) - 1 : value), size);
}

/* F.1.2. */
static void put_block(const struct jpeg_head *head, const struct jpeg_component *component,
                      const int16_t block[JPEG_BLOCK], unsigned low, int *before,
                      struct jpeg_writer *writer)
{
    const struct jpeg_huffman *ac = &head->ac[component->ac];
    int dc = clamp(block[0], DC_MAX), half = low ? 1 << (low - 1) : 0;
    unsigned zeros = 0;

    put_coefficient(writer, &head->dc[component->dc], 0, dc - *before);
    *before = dc;
    for (int k = 1; k < JPEG_BLOCK; k++) {
        if (!block[k]) {
            zeros++;
            continue;
        }
        for (; zeros > 15; zeros -= 16)
            jpeg_write_bits(writer, ac->code[0xf0], ac->size[0xf0]);
        put_coefficient(writer, ac, zeros, clamp(block[k] + (block[k] < 0 ? -half : half), AC_MAX));
        zeros = 0;
    }
    if (zeros > 0)
        jpeg_write_bits(writer, ac->code[0], ac->size[0]);
}

static void put_mcu(const struct jpeg_blocks *blocks, const struct jpeg_head *head, size_t mcu,
                    int before[JPEG_COMPONENTS], struct jpeg_writer *writer)
{
    size_t x = mcu % head->mcus_across, y = mcu / head->mcus_across;

    for (int c = 0; c < head->n; c++) {
        const struct jpeg_component *component = &head->component[c];
        const struct jpeg_plane_blocks *of = &blocks->of[c];

        for (size_t k = 0; k < (size_t) component->h * component->v; k++) {
            size_t i = (y * component->v + k / component->h) * of->stride + x * component->h +
                       k % component->h;

            put_block(head, component, of->list[i], of->low[i], &before[c], writer);
        }
    }
}

bool jpeg_blocks_write(const struct jpeg_blocks *blocks, struct buf *out)
{
    struct jpeg_writer writer = { .out = out };
    struct jpeg_head *head = malloc(sizeof *head); /* large for the stack */
    int before[JPEG_COMPONENTS] = { 0 };

    if (!head)
        return false;
    *head = *blocks->head;
    head->restart = 0;
    jpeg_head_usual_codes(head);
    jpeg_head_write(head, out);
    for (size_t i = 0; i < head->mcus; i++)
        put_mcu(blocks, head, i, before, &writer);
    jpeg_write_padding(&writer);
    buf_puts(out, "\xff\xd9");
    free(head);
    return !out->failed;
}
