#include "image/jpeg_code.h"

#include <string.h>

#define ZEROS_16 0xf0
#define NO_MORE  0

#define ONES    UINT64_C(0x0101010101010101)
#define HIGHEST UINT64_C(0x8080808080808080)

void jpeg_bits_end(struct jpeg_bits *bits)
{
    unsigned fill = (8 - bits->n) % 8;

    if (fill > 0)
        jpeg_bits_put(bits, (1U << fill) - 1, fill);
}

static inline unsigned value_of(const struct jpeg_tables *tables, int value)
{
    return tables->values[(unsigned) (value + JPEG_VALUES / 2) % JPEG_VALUES];
}

static inline void put(struct jpeg_bits *bits, uint32_t code, unsigned value)
{
    jpeg_bits_put(bits, code >> 5 | value, code & 31);
}

void jpeg_code_dc(struct jpeg_bits *bits, const struct jpeg_tables *tables, int table,
                  int difference)
{
    unsigned value = value_of(tables, difference);

    put(bits, tables->codes[table].dc[value & 15], value >> 4);
}

void jpeg_code_ac(struct jpeg_bits *bits, const struct jpeg_tables *tables, int table,
                  const int coefficients[JPEG_BLOCK], uint64_t present)
{
    const uint32_t *codes = tables->codes[table].ac;
    struct jpeg_bits local = *bits; /* for the registers: what is written might be anything's */
    unsigned next = 1;              /* in the zigzag */

    for (present &= ~UINT64_C(1); present; present &= present - 1) {
        unsigned at = (unsigned) __builtin_ctzll(present), zeros = at - next;
        unsigned value = value_of(tables, coefficients[tables->place[at]]);

        for (; zeros >= 16; zeros -= 16)
            put(&local, codes[ZEROS_16], 0);
        put(&local, codes[zeros << 4 | (value & 15)], value >> 4);
        next = at + 1;
    }
    if (next < JPEG_BLOCK)
        put(&local, codes[NO_MORE], 0);
    *bits = local;
}

uint8_t *jpeg_code_stuff(uint8_t *restrict to, const uint8_t *restrict from, size_t n)
{
    size_t i = 0;

    while (i < n) {
        uint64_t some;

        if (n - i >= sizeof some) {
            memcpy(&some, from + i, sizeof some);
            if (((some & ~(some + ONES)) & HIGHEST) == 0) { /* no byte of it is 255 */
                memcpy(to, &some, sizeof some);
                to += sizeof some;
                i += sizeof some;
                continue;
            }
        }
        *to++ = from[i];
        if (from[i++] == 0xff)
            *to++ = 0;
    }
    return to;
}
