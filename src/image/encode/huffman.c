#include "image/encode/huffman.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BITS 15

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

    return (x > y) - (x < y);
}

/*
 * Code lengths of n >= 2 ascending weights, in place (Moffat and Katajainen, "In-Place Calculation
 * of Minimum-Redundancy Codes", 1995): w[i] becomes the length of the i-th weight, descending.
 */
static void minimum_redundancy(uint32_t *w, size_t n)
{
    size_t leaf = 2, root = 0, next, avail = 1, used = 0, depth = 0;

    /* Left to right: w[next] becomes the weight of a pair, then the index of its parent. */
    w[0] += w[1];
    for (next = 1; next < n - 1; next++) {
        for (int side = 0; side < 2; side++) {
            uint32_t least;

            if (leaf >= n || (root < next && w[root] < w[leaf])) {
                least = w[root];
                w[root++] = (uint32_t) next;
            } else {
                least = w[leaf++];
            }
            w[next] = side ? w[next] + least : least;
        }
    }
    /* Right to left: parents become depths. */
    w[n - 2] = 0;
    for (size_t i = n - 2; i-- > 0;)
        w[i] = w[w[i]] + 1;
    /* Right to left: depths of inner nodes become depths of leaves. */
    root = n - 1; /* one more than the inner node in question */
    next = n;
    while (avail > 0) {
        while (root > 0 && w[root - 1] == depth) {
            used++;
            root--;
        }
        for (; avail > used; avail--)
            w[--next] = (uint32_t) depth;
        avail = 2 * used;
        depth++;
        used = 0;
    }
}

/* Counts the codes of each length, none longer than max_bits, so that the code stays complete. */
static void count_lengths(const uint32_t *lengths, size_t n, unsigned max_bits, uint32_t *counts)
{
    uint32_t excess = 0;

    memset(counts, 0, (MAX_BITS + 1) * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        counts[lengths[i] < max_bits ? lengths[i] : max_bits]++;
    for (unsigned bits = 1; bits <= max_bits; bits++)
        excess += counts[bits] << (max_bits - bits);
    /* There are too many codes of the longest length: one of them is moved next to a shorter
     * code, which gets one bit more; each time one code of the longest length becomes free. */
    for (; excess > 1U << max_bits; excess--) {
        unsigned bits = max_bits - 1;

        while (counts[bits] == 0)
            bits--;
        counts[bits]--;
        counts[bits + 1] += 2;
        counts[max_bits]--;
    }
}

void huffman_words(const uint8_t *lengths, size_t n, uint16_t *words)
{
    uint32_t counts[MAX_BITS + 1] = { 0 }, next[MAX_BITS + 2] = { 0 };

    for (size_t i = 0; i < n; i++)
        counts[lengths[i]]++;
    counts[0] = 0;
    for (unsigned bits = 1; bits <= MAX_BITS; bits++)
        next[bits + 1] = (next[bits] + counts[bits]) << 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t word = lengths[i] ? next[lengths[i]]++ : 0, reversed = 0;

        for (unsigned bit = 0; bit < lengths[i]; bit++)
            reversed |= (word >> bit & 1) << (lengths[i] - 1U - bit);
        words[i] = (uint16_t) reversed;
    }
}

void huffman_build(const uint32_t *freqs, size_t n, unsigned max_bits, uint8_t *lengths,
                   uint16_t *words)
{
    uint32_t sorted[HUFFMAN_MAX_SYMBOLS], weights[HUFFMAN_MAX_SYMBOLS], counts[MAX_BITS + 1];
    size_t used = 0, at = 0;

    for (size_t i = 0; i < n; i++) { /* a symbol fits in the low 9 bits */
        if (freqs[i])
            sorted[used++] = (freqs[i] < 1U << 23 ? freqs[i] : (1U << 23) - 1) << 9 | (uint32_t) i;
    }
    for (uint32_t i = 0; used < 2; i++) { /* adds an unused symbol, so that there are two */
        if (!freqs[i])
            sorted[used++] = 1U << 9 | i;
    }
    qsort(sorted, used, sizeof *sorted, ascending);
    for (size_t i = 0; i < used; i++)
        weights[i] = sorted[i] >> 9;
    minimum_redundancy(weights, used);
    count_lengths(weights, used, max_bits, counts);
    memset(lengths, 0, n);
    /* the rarest symbols get the longest codes */
    for (unsigned bits = max_bits; bits > 0; bits--) {
        for (uint32_t k = 0; k < counts[bits]; k++)
            lengths[sorted[at++] & 511] = (uint8_t) bits;
    }
    huffman_words(lengths, n, words);
}
