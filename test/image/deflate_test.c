#include "image/encode/deflate.h"

#include <stdlib.h>
#include <zlib.h>

#include "image/encode/huffman.h"
#include "image/picture.h"
#include "tap.h"

static struct err err;

/* What zlib makes of it is what was put in, in pieces of `piece` bytes. */
static bool round_trip(struct deflate *deflate, const uint8_t *data, size_t n, size_t stride,
                       size_t pixel, size_t piece)
{
    struct buf out = BUF_EMPTY;
    uLongf got = (uLongf) n;
    uint8_t *back = malloc(n + 1);
    bool good;

    deflate_begin(deflate, stride, pixel, &out);
    for (size_t at = 0; at < n; at += piece)
        deflate_put(deflate, data + at, n - at < piece ? n - at : piece);
    deflate_end(deflate);
    good = uncompress(back, &got, (const Bytef *) out.data, (uLong) out.len) == Z_OK && got == n &&
           memcmp(back, data, n) == 0;
    free(back);
    buf_free(&out);
    return good;
}

/* Bytes that repeat at all kinds of distances and for all kinds of lengths. */
static void fill(uint8_t *data, size_t n, uint32_t seed)
{
    for (size_t at = 0; at < n;) {
        size_t run = picture_random(&seed) % 600 + 1, back = picture_random(&seed) % 40000 + 1;
        bool fresh = picture_random(&seed) % 3 == 0 || back > at;

        for (; run > 0 && at < n; run--, at++)
            data[at] = fresh ? (uint8_t) (picture_random(&seed) & seed >> 28) : data[at - back];
    }
}

static void test_streams(void)
{
    static uint8_t data[700000];
    struct deflate *deflate = deflate_new(&err);
    size_t bad = 0;

    for (uint32_t i = 0; i < 200 && !bad; i++) {
        uint32_t seed = i;
        size_t n = i < 60 ? i : i < 190 ? picture_random(&seed) % 20000 : sizeof data;
        size_t stride = picture_random(&seed) % (i % 3 ? 900 : 50000) + 2;

        fill(data, n, i);
        if (!round_trip(deflate, data, n, stride, i % 4 + 1, i % 7 * 997 + 1))
            bad = i + 1;
    }
    is_int(bad, 0, "200 streams of any size, stride and pieces come back");
    memset(data, 7, sizeof data);
    ok(round_trip(deflate, data, sizeof data, 1001, 1, 1001), "a stream of equal bytes comes back");
    deflate_free(deflate);
}

/* Complete: every bit string is the beginning of a code word or has one in it. */
static bool complete(const uint8_t *lengths, size_t n, unsigned max_bits)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        if (lengths[i] > max_bits)
            return false;
        sum += lengths[i] ? 1U << (max_bits - lengths[i]) : 0;
    }
    return sum == 1U << max_bits;
}

static void test_codes(void)
{
    uint32_t freqs[HUFFMAN_MAX_SYMBOLS] = { 0 }, seed = 1;
    uint8_t lengths[HUFFMAN_MAX_SYMBOLS];
    uint16_t words[HUFFMAN_MAX_SYMBOLS];
    size_t bad = 0;

    huffman_build(freqs, 30, 15, lengths, words);
    ok(complete(lengths, 30, 15), "a code of no symbols is complete");
    freqs[29] = 5;
    huffman_build(freqs, 30, 15, lengths, words);
    ok(complete(lengths, 30, 15) && lengths[29] == 1, "a code of one symbol is complete");
    for (size_t i = 0; i < 30; i++) /* Fibonacci's numbers have the longest codes there are */
        freqs[i] = i < 2 ? 1 : freqs[i - 1] + freqs[i - 2];
    huffman_build(freqs, 30, 15, lengths, words);
    ok(complete(lengths, 30, 15) && lengths[29] == 1, "a code that needs 29 bits is limited to 15");
    huffman_build(freqs, 19, 7, lengths, words);
    ok(complete(lengths, 19, 7), "a code that needs 18 bits is limited to 7");
    for (size_t round = 0; round < 2000 && !bad; round++) {
        size_t n = round % 2 ? 286 : 19;

        for (size_t i = 0; i < n; i++)
            freqs[i] = picture_random(&seed) >> picture_random(&seed) % 26;
        huffman_build(freqs, n, n == 19 ? 7 : 15, lengths, words);
        if (!complete(lengths, n, n == 19 ? 7 : 15))
            bad = round + 1;
    }
    is_int(bad, 0, "2000 codes of any frequencies are complete and short enough");
}

int main(void)
{
    test_streams();
    test_codes();
    return done_testing();
}
