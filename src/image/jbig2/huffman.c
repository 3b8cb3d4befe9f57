#include "image/jbig2/huffman.h"

#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"

#define L(PREFIX, RANGE, LOW)                                                                      \
    {                                                                                              \
        LOW, PREFIX, RANGE, JBIG2_RANGE                                                            \
    }
#define LOWER(PREFIX, LOW)                                                                         \
    {                                                                                              \
        LOW, PREFIX, 32, JBIG2_LOWER                                                               \
    }
#define OOB(PREFIX)                                                                                \
    {                                                                                              \
        0, PREFIX, 0, JBIG2_OUT_OF_BAND                                                            \
    }
#define LONGEST 22 /* lines of a standard table */

/* Tables B.1 to B.15; the line whose prefix is 0 ends one. */
static const struct jbig2_line standard[15][LONGEST + 1] = {
    { L(1, 4, 0), L(2, 8, 16), L(3, 16, 272), L(3, 32, 65808) },
    { L(1, 0, 0), L(2, 0, 1), L(3, 0, 2), L(4, 3, 3), L(5, 6, 11), L(6, 32, 75), OOB(6) },
    { L(8, 8, -256), L(1, 0, 0), L(2, 0, 1), L(3, 0, 2), L(4, 3, 3), L(5, 6, 11), LOWER(8, -257),
      L(7, 32, 75), OOB(6) },
    { L(1, 0, 1), L(2, 0, 2), L(3, 0, 3), L(4, 3, 4), L(5, 6, 12), L(5, 32, 76) },
    { L(7, 8, -255), L(1, 0, 1), L(2, 0, 2), L(3, 0, 3), L(4, 3, 4), L(5, 6, 12), LOWER(7, -256),
      L(6, 32, 76) },
    { L(5, 10, -2048), L(4, 9, -1024), L(4, 8, -512), L(4, 7, -256), L(5, 6, -128), L(5, 5, -64),
      L(4, 5, -32), L(2, 7, 0), L(3, 7, 128), L(3, 8, 256), L(4, 9, 512), L(4, 10, 1024),
      LOWER(6, -2049), L(6, 32, 2048) },
    { L(4, 9, -1024), L(3, 8, -512), L(4, 7, -256), L(5, 6, -128), L(5, 5, -64), L(4, 5, -32),
      L(4, 5, 0), L(5, 5, 32), L(5, 6, 64), L(4, 7, 128), L(3, 8, 256), L(3, 9, 512),
      L(3, 10, 1024), LOWER(5, -1025), L(5, 32, 2048) },
    { L(8, 3, -15),  L(9, 1, -7),    L(8, 1, -5),  L(9, 0, -3),  L(7, 0, -2),  L(4, 0, -1),
      L(2, 1, 0),    L(5, 0, 2),     L(6, 0, 3),   L(3, 4, 4),   L(6, 1, 20),  L(4, 4, 22),
      L(4, 5, 38),   L(5, 6, 70),    L(5, 7, 134), L(6, 7, 262), L(7, 8, 390), L(6, 10, 646),
      LOWER(9, -16), L(9, 32, 1670), OOB(2) },
    { L(8, 4, -31),   L(9, 2, -15),  L(8, 2, -11),   L(9, 1, -7),  L(7, 1, -5),  L(4, 1, -3),
      L(3, 1, -1),    L(3, 1, 1),    L(5, 1, 3),     L(6, 1, 5),   L(3, 5, 7),   L(6, 2, 39),
      L(4, 5, 43),    L(4, 6, 75),   L(5, 7, 139),   L(5, 8, 267), L(6, 8, 523), L(7, 9, 779),
      L(6, 11, 1291), LOWER(9, -32), L(9, 32, 3339), OOB(2) },
    { L(7, 4, -21),  L(8, 0, -5),    L(7, 0, -4),  L(5, 0, -3),  L(2, 2, -2),    L(5, 0, 2),
      L(6, 0, 3),    L(7, 0, 4),     L(8, 0, 5),   L(2, 6, 6),   L(5, 5, 70),    L(6, 5, 102),
      L(6, 6, 134),  L(6, 7, 198),   L(6, 8, 326), L(6, 9, 582), L(6, 10, 1094), L(7, 11, 2118),
      LOWER(8, -22), L(8, 32, 4166), OOB(2) },
    { L(1, 0, 1), L(2, 1, 2), L(4, 0, 4), L(4, 1, 5), L(5, 1, 7), L(5, 2, 9), L(6, 2, 13),
      L(7, 2, 17), L(7, 3, 21), L(7, 4, 29), L(7, 5, 45), L(7, 6, 77), L(7, 32, 141) },
    { L(1, 0, 1), L(2, 0, 2), L(3, 1, 3), L(5, 0, 5), L(5, 1, 6), L(6, 1, 8), L(7, 0, 10),
      L(7, 1, 11), L(7, 2, 13), L(7, 3, 17), L(7, 4, 25), L(8, 5, 41), L(8, 32, 73) },
    { L(1, 0, 1), L(3, 0, 2), L(4, 0, 3), L(5, 0, 4), L(4, 1, 5), L(3, 3, 7), L(6, 1, 15),
      L(6, 2, 17), L(6, 3, 21), L(6, 4, 29), L(6, 5, 45), L(7, 6, 77), L(7, 32, 141) },
    { L(3, 0, -2), L(3, 0, -1), L(1, 0, 0), L(3, 0, 1), L(3, 0, 2) },
    { L(7, 4, -24), L(6, 2, -8), L(5, 1, -4), L(4, 0, -2), L(3, 0, -1), L(1, 0, 0), L(3, 0, 1),
      L(4, 0, 2), L(5, 1, 3), L(6, 2, 5), L(7, 4, 9), LOWER(7, -25), L(7, 32, 25) },
};

uint32_t jbig2_bits_get(struct jbig2_bits *bits, unsigned n)
{
    uint32_t value = 0;

    for (; n > 0; n--, bits->at++) {
        if (bits->at / 8 >= bits->n) {
            bits->over = true;
            return 0;
        }
        value = value << 1 | (bits->data[bits->at / 8] >> (7 - bits->at % 8) & 1U);
    }
    return value;
}

void jbig2_bits_align(struct jbig2_bits *bits)
{
    bits->at = (bits->at + 7) / 8 * 8;
}

bool jbig2_table_new(struct jbig2_table *table, const struct jbig2_line *lines, size_t n)
{
    uint32_t at = 0;

    *table = (struct jbig2_table){ 0 };
    table->lines = calloc(n + 1, sizeof *lines);
    if (!table->lines)
        return false;
    for (unsigned length = 1; length <= 32; length++) {
        table->first[length] = (table->first[length - 1] + table->count[length - 1]) << 1;
        table->offset[length] = at;
        for (size_t i = 0; i < n; i++)
            if (lines[i].prefix == length)
                table->lines[at++] = lines[i];
        table->count[length] = at - table->offset[length];
    }
    return true;
}

bool jbig2_table_standard(struct jbig2_table *table, unsigned number)
{
    size_t n = 0;

    while (standard[number - 1][n].prefix > 0)
        n++;
    return jbig2_table_new(table, standard[number - 1], n);
}

bool jbig2_table_read(struct jbig2_table *table, const uint8_t *data, size_t n)
{
    struct jbig2_bits bits = { .data = data, .n = n, .at = 72 };
    AUTO_FREE struct jbig2_line *lines = NULL;
    unsigned flags, prefix_bits, range_bits;
    int64_t low, high;
    size_t count = 0;

    if (n < 9)
        return false;
    flags = data[0];
    prefix_bits = (flags >> 1 & 7) + 1;
    range_bits = (flags >> 4 & 7) + 1;
    low = (int32_t) octets_be32(data + 1);
    high = (int32_t) octets_be32(data + 5);
    lines = calloc(JBIG2_LINES + 3, sizeof *lines);
    if (!lines)
        return false;
    for (int64_t at = low; at < high && count < JBIG2_LINES; count++) {
        lines[count] = (struct jbig2_line){ .low = (int32_t) at };
        lines[count].prefix = (uint8_t) jbig2_bits_get(&bits, prefix_bits);
        lines[count].range = (uint8_t) jbig2_bits_get(&bits, range_bits);
        if (bits.over || lines[count].range > 32 || lines[count].prefix > 32)
            return false;
        at += (int64_t) 1 << lines[count].range;
    }
    lines[count++] =
        (struct jbig2_line){ (int32_t) (low - 1), (uint8_t) jbig2_bits_get(&bits, prefix_bits), 32,
                             JBIG2_LOWER };
    lines[count++] =
        (struct jbig2_line){ (int32_t) high, (uint8_t) jbig2_bits_get(&bits, prefix_bits), 32,
                             JBIG2_RANGE };
    if (flags & 1)
        lines[count++] = (struct jbig2_line){ 0, (uint8_t) jbig2_bits_get(&bits, prefix_bits), 0,
                                              JBIG2_OUT_OF_BAND };
    return !bits.over && jbig2_table_new(table, lines, count);
}

void jbig2_table_free(struct jbig2_table *table)
{
    free(table->lines);
    *table = (struct jbig2_table){ 0 };
}

enum jbig2_got jbig2_table_get(const struct jbig2_table *table, struct jbig2_bits *bits,
                               int32_t *value)
{
    uint32_t code = 0;

    for (unsigned length = 1; length <= 32 && !bits->over; length++) {
        const struct jbig2_line *line;
        uint32_t more;

        code = code << 1 | jbig2_bits_get(bits, 1);
        if (code < table->first[length] || code - table->first[length] >= table->count[length])
            continue;
        line = &table->lines[table->offset[length] + code - table->first[length]];
        more = jbig2_bits_get(bits, line->range);
        if (bits->over)
            return JBIG2_DAMAGED;
        if (line->kind == JBIG2_OUT_OF_BAND)
            return JBIG2_OOB;
        *value = (int32_t) (line->kind == JBIG2_LOWER ? (uint32_t) line->low - more
                                                      : (uint32_t) line->low + more);
        return JBIG2_NUMBER;
    }
    return JBIG2_DAMAGED;
}
