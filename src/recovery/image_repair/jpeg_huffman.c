#include "recovery/image_repair/jpeg_huffman.h"

#include <string.h>

bool jpeg_huffman_make(struct jpeg_huffman *table, const unsigned char *counts,
                       const unsigned char *values)
{
    int32_t code = 0, n = 0;

    memset(table, 0, sizeof *table);
    for (int length = 1; length <= JPEG_CODE_BITS; length++) {
        int count = counts[length - 1];

        if (code + count > 1 << length || n + count > 256)
            return false;
        table->counts[length] = (unsigned char) count;
        table->offset[length] = n - code;
        for (int i = 0; i < count; i++, code++, n++) {
            unsigned char value = table->values[n] = values[n];

            table->code[value] = (uint16_t) code;
            table->size[value] = (unsigned char) length;
            for (int k = 0; length <= JPEG_SHORT && k < 1 << (JPEG_SHORT - length); k++)
                table->quick[(code << (JPEG_SHORT - length)) + k] =
                    (uint16_t) (value * 16 + length);
        }
        table->last[length] = count ? code - 1 : -1;
        code <<= 1;
    }
    table->there = n > 0;
    return table->there;
}

unsigned jpeg_bits_peek(const struct jpeg_bits *bits)
{
    size_t byte = bits->at / 8, n = (bits->n + 7) / 8;
    uint32_t three = 0;

    if (byte + 3 <= n)
        three = (uint32_t) bits->data[byte] << 16 | (uint32_t) bits->data[byte + 1] << 8 |
                bits->data[byte + 2];
    else
        for (size_t i = 0; i < 3; i++)
            three = three << 8 | (byte + i < n ? bits->data[byte + i] : 0xffU);
    return three >> (8 - bits->at % 8) & 0xffffU;
}

int jpeg_huffman_read(struct jpeg_bits *bits, const struct jpeg_huffman *table)
{
    unsigned next = jpeg_bits_peek(bits);
    unsigned quick = table->quick[next >> (JPEG_CODE_BITS - JPEG_SHORT)];

    if (quick) {
        bits->at += quick & 15U;
        return (int) (quick >> 4);
    }
    for (int length = JPEG_SHORT + 1; length <= JPEG_CODE_BITS; length++) {
        int32_t code = (int32_t) (next >> (JPEG_CODE_BITS - length));

        if (code <= table->last[length]) {
            int32_t index = code + table->offset[length];

            bits->at += (size_t) length;
            return index < 0 || index > 255 ? -1 : table->values[index];
        }
    }
    return -1;
}

int jpeg_bits_signed(struct jpeg_bits *bits, unsigned size)
{
    int value;

    if (size == 0)
        return 0;
    value = (int) (jpeg_bits_peek(bits) >> (16 - size));
    bits->at += size;
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

void jpeg_write_bits(struct jpeg_writer *writer, unsigned value, unsigned n)
{
    writer->bits = writer->bits << n | (value & ((1U << n) - 1U));
    writer->n += n;
    while (writer->n >= 8) {
        unsigned char byte = (unsigned char) (writer->bits >> (writer->n - 8));

        buf_putc(writer->out, (char) byte);
        if (byte == 0xff)
            buf_putc(writer->out, '\0');
        writer->n -= 8;
    }
}

void jpeg_write_range(struct jpeg_writer *writer, const unsigned char *data, size_t from, size_t to)
{
    struct jpeg_bits bits = { data, to, from };

    while (bits.at < to) {
        unsigned n = to - bits.at < 16 ? (unsigned) (to - bits.at) : 16U;

        jpeg_write_bits(writer, jpeg_bits_peek(&bits) >> (16 - n), n);
        bits.at += n;
    }
}

void jpeg_write_padding(struct jpeg_writer *writer)
{
    if (writer->n > 0)
        jpeg_write_bits(writer, 0xff, 8 - writer->n);
}
