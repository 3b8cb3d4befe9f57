#include "image/encode/deflate_block.h"

#include <endian.h>
#include <string.h>

#include "image/encode/huffman.h"

#define END_OF_BLOCK 256
#define MAX_BITS     15
#define TOKEN_BYTES  6  /* 48 bits: two codes with 5 and 13 extra bits */
#define CODE_SYMBOLS 19 /* symbols of the code that encodes the lengths of the other codes */

/* clang-format off */
const uint8_t deflate_length_code[256] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13, 14, 14,
    14, 14, 15, 15, 15, 15, 16, 16, 16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 17, 17, 17, 18,
    18, 18, 18, 18, 18, 18, 18, 19, 19, 19, 19, 19, 19, 19, 19, 20, 20, 20, 20, 20, 20, 20, 20,
    20, 20, 20, 20, 20, 20, 20, 20, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21,
    21, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 23, 23, 23, 23, 23, 23,
    23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24,
    24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 25, 25, 25, 25,
    25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25,
    25, 25, 25, 25, 25, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
    26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 27, 27, 27, 27, 27, 27, 27, 27, 27,
    27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 28,
};
const uint8_t deflate_dist_code[512] = {
    0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9,
    9, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 11, 11,
    11, 11, 11, 11, 11, 11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,
    12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13,
    13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13,
    13, 13, 13, 13, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14,
    14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14,
    14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 15,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 0, 14, 16, 17, 18, 18, 19,
    19, 20, 20, 20, 20, 21, 21, 21, 21, 22, 22, 22, 22, 22, 22, 22, 22, 23, 23, 23, 23, 23, 23,
    23, 23, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 25, 25, 25, 25, 25,
    25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
    26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 27, 27, 27,
    27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27,
    27, 27, 27, 27, 27, 27, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    28, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29,
    29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29,
    29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29, 29,
};
static const uint16_t length_base[] = {
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
};
static const uint8_t length_extra[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
};
static const uint16_t dist_base[] = {
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
    2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
};
static const uint8_t dist_extra[] = {
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
};
static const uint8_t code_order[CODE_SYMBOLS] = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
};
/* clang-format on */

struct code {
    uint8_t lengths[HUFFMAN_MAX_SYMBOLS];
    uint16_t words[HUFFMAN_MAX_SYMBOLS];
};

/* Collects bits in a few bytes before they are appended to a buffer. */
struct bit_writer {
    uint64_t bits;
    unsigned n_bits;
    size_t n;
    uint8_t bytes[4096];
    struct buf *out;
};

/* Writes at most 32 bits; bits above n are 0. */
static inline void put_bits(struct bit_writer *writer, uint64_t bits, unsigned n)
{
    writer->bits |= bits << writer->n_bits;
    writer->n_bits += n;
    if (writer->n_bits >= 32) {
        uint32_t word = (uint32_t) writer->bits; /* little endian, like the bit stream */

        for (int i = 0; i < 4; i++)
            writer->bytes[writer->n + (size_t) i] = (uint8_t) (word >> 8 * i);
        writer->n += 4;
        writer->bits >>= 32;
        writer->n_bits -= 32;
        if (writer->n == sizeof writer->bytes) {
            buf_put(writer->out, writer->bytes, writer->n);
            writer->n = 0;
        }
    }
}

void deflate_block_begin(struct deflate_block *block)
{
    block->bits = 0;
    block->n_bits = 0;
    block->n = 0;
    memset(block->litlen, 0, sizeof block->litlen);
    memset(block->dist, 0, sizeof block->dist);
}

/* Run-length encodes the code lengths (3.2.7): each item is symbol | repeats << 5. */
static size_t pack_lengths(const uint8_t *lengths, size_t n, uint16_t *items)
{
    size_t n_items = 0;

    for (size_t i = 0, run; i < n; i += run) {
        size_t most = lengths[i] ? 6 : 138;

        for (run = 1; i + run < n && lengths[i + run] == lengths[i] && run < most + 1;)
            run++;
        if (lengths[i] == 0 && run >= 3) {
            run = run < 138 ? run : 138;
            items[n_items++] = (uint16_t) (run < 11 ? 17 | (run - 3) << 5 : 18 | (run - 11) << 5);
        } else if (run >= 4) { /* the length, and 3 to 6 repetitions */
            items[n_items++] = lengths[i];
            items[n_items++] = (uint16_t) (16 | (run - 4) << 5);
        } else {
            run = 1;
            items[n_items++] = lengths[i];
        }
    }
    return n_items;
}

/* Writes the header of a block with dynamic codes. */
static void put_codes(struct bit_writer *writer, const struct code *litlen, const struct code *dist)
{
    uint16_t items[DEFLATE_LITLEN + DEFLATE_DISTS];
    uint8_t lengths[DEFLATE_LITLEN + DEFLATE_DISTS];
    uint32_t freqs[CODE_SYMBOLS] = { 0 };
    struct code code;
    size_t n_litlen = DEFLATE_LITLEN, n_dist = DEFLATE_DISTS, n_code = CODE_SYMBOLS, n;

    while (litlen->lengths[n_litlen - 1] == 0)
        n_litlen--;
    while (dist->lengths[n_dist - 1] == 0)
        n_dist--;
    memcpy(lengths, litlen->lengths, n_litlen);
    memcpy(lengths + n_litlen, dist->lengths, n_dist);
    n = pack_lengths(lengths, n_litlen + n_dist, items);
    for (size_t i = 0; i < n; i++)
        freqs[items[i] & 31]++;
    huffman_build(freqs, CODE_SYMBOLS, 7, code.lengths, code.words);
    while (n_code > 4 && code.lengths[code_order[n_code - 1]] == 0)
        n_code--;
    put_bits(writer, n_litlen - 257, 5);
    put_bits(writer, n_dist - 1, 5);
    put_bits(writer, n_code - 4, 4);
    for (size_t i = 0; i < n_code; i++)
        put_bits(writer, code.lengths[code_order[i]], 3);
    for (size_t i = 0; i < n; i++) {
        unsigned symbol = items[i] & 31;

        put_bits(writer, code.words[symbol], code.lengths[symbol]);
        if (symbol >= 16)
            put_bits(writer, items[i] >> 5, symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
    }
}

/* Both codes of a block, ready for its tokens: word | bits << 16. */
struct ready {
    uint32_t litlen[DEFLATE_LITLEN], dist[DEFLATE_DISTS];
};

static void make_ready(const struct code *code, size_t n, uint32_t *ready)
{
    for (size_t i = 0; i < n; i++)
        ready[i] = code->words[i] | (uint32_t) code->lengths[i] << 16;
}

/* Bits that are not written yet: fewer than 8 after each flush. */
struct tail {
    uint64_t bits;
    unsigned n;
    uint8_t *at;
};

/* At most 56 bits between two flushes: those of three literals or of a match. */
static inline void add_bits(struct tail *tail, uint64_t bits, unsigned n)
{
    tail->bits |= bits << tail->n;
    tail->n += n;
}

/* Has no branch, because it would be mispredicted most of the time. */
static inline void flush_bits(struct tail *tail)
{
    uint64_t bits = htole64(tail->bits);

    memcpy(tail->at, &bits, sizeof bits);
    tail->at += tail->n / 8;
    tail->bits >>= tail->n & 56U;
    tail->n %= 8;
}

static inline void add_literal(struct tail *tail, const struct ready *ready, uint32_t token)
{
    uint32_t code = ready->litlen[token];

    add_bits(tail, code & 0xffff, code >> 16);
}

static inline void add_match(struct tail *tail, const struct ready *ready, uint32_t token)
{
    uint32_t length = token >> 16, far = token & 0xffff;
    uint32_t l = deflate_length_code[length - 3], d = deflate_dist_symbol(far);
    uint32_t code = ready->litlen[257 + l];

    add_bits(tail, code & 0xffff, code >> 16);
    add_bits(tail, length - length_base[l], length_extra[l]);
    code = ready->dist[d];
    add_bits(tail, code & 0xffff, code >> 16);
    add_bits(tail, far - dist_base[d], dist_extra[d]);
}

/* Writes all tokens of the block; the caller has made room for them. */
static void add_tokens(struct tail *tail, const struct ready *ready,
                       const struct deflate_block *block)
{
    const uint32_t *tokens = block->tokens, *end = tokens + block->n;

    while (end - tokens >= 3) {
        if ((tokens[0] | tokens[1] | tokens[2]) < 256) {
            add_literal(tail, ready, tokens[0]);
            add_literal(tail, ready, tokens[1]);
            add_literal(tail, ready, tokens[2]);
            tokens += 3;
        } else if (*tokens < 256) {
            add_literal(tail, ready, *tokens++);
        } else {
            add_match(tail, ready, *tokens++);
        }
        flush_bits(tail);
    }
    for (; tokens < end; tokens++) {
        if (*tokens < 256)
            add_literal(tail, ready, *tokens);
        else
            add_match(tail, ready, *tokens);
        flush_bits(tail);
    }
}

/* Appends the tokens to the writer's bits. Without memory they are missing, and the buffer is
 * marked as failed. */
static void put_tokens(struct bit_writer *writer, const struct deflate_block *block,
                       const struct ready *ready)
{
    struct tail tail = { .bits = writer->bits, .n = writer->n_bits };
    size_t most = (size_t) block->n * TOKEN_BYTES + 2 * sizeof tail.bits;
    uint8_t *room;

    buf_put(writer->out, writer->bytes, writer->n);
    writer->n = 0;
    room = buf_room(writer->out, most);
    if (!room)
        return;
    tail.at = room;
    flush_bits(&tail);
    add_tokens(&tail, ready, block);
    buf_added(writer->out, (size_t) (tail.at - room));
    writer->bits = tail.bits;
    writer->n_bits = tail.n;
}

/* The fixed codes (3.2.6), without the two symbols of each that are never used. */
static void fixed_codes(struct code *litlen, struct code *dist)
{
    for (size_t i = 0; i < HUFFMAN_MAX_SYMBOLS; i++)
        litlen->lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    memset(dist->lengths, 5, 32);
    huffman_words(litlen->lengths, HUFFMAN_MAX_SYMBOLS, litlen->words);
    huffman_words(dist->lengths, 32, dist->words);
}

void deflate_block_write(struct deflate_block *block, bool last, struct buf *out)
{
    struct bit_writer writer = { .bits = block->bits, .n_bits = block->n_bits, .out = out };
    struct code litlen, dist;
    struct ready ready;

    block->litlen[END_OF_BLOCK]++;
    put_bits(&writer, last, 1);
    if (block->n < 64) { /* dynamic codes would cost more than they save */
        fixed_codes(&litlen, &dist);
        put_bits(&writer, 1, 2);
    } else {
        huffman_build(block->litlen, DEFLATE_LITLEN, MAX_BITS, litlen.lengths, litlen.words);
        huffman_build(block->dist, DEFLATE_DISTS, MAX_BITS, dist.lengths, dist.words);
        put_bits(&writer, 2, 2);
        put_codes(&writer, &litlen, &dist);
    }
    make_ready(&litlen, DEFLATE_LITLEN, ready.litlen);
    make_ready(&dist, DEFLATE_DISTS, ready.dist);
    put_tokens(&writer, block, &ready);
    put_bits(&writer, litlen.words[END_OF_BLOCK], litlen.lengths[END_OF_BLOCK]);
    if (last)
        put_bits(&writer, 0, -writer.n_bits & 7);
    for (; writer.n_bits >= 8; writer.n_bits -= 8, writer.bits >>= 8)
        writer.bytes[writer.n++] = (uint8_t) writer.bits;
    buf_put(out, writer.bytes, writer.n);
    deflate_block_begin(block);
    block->bits = writer.bits;
    block->n_bits = writer.n_bits;
}

/* Writes an empty stored block (RFC 1951, 3.2.4). */
void deflate_block_align(struct deflate_block *block, struct buf *out)
{
    static const uint8_t nothing[] = { 0, 0, 0xff, 0xff };

    for (unsigned n_bits = block->n_bits + 3; n_bits > 0; n_bits -= n_bits < 8 ? n_bits : 8) {
        buf_putc(out, (char) block->bits);
        block->bits >>= 8;
    }
    block->bits = 0;
    block->n_bits = 0;
    buf_put(out, (const char *) nothing, sizeof nothing);
}
