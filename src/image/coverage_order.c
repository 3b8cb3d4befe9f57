#include "image/coverage_order.h"

#define FEW 48 /* fewer are sorted by inserting each */

static void insert(uint64_t *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t key = keys[i];
        size_t k = i;

        for (; k > 0 && keys[k - 1] > key; k--)
            keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

/* By eight bits after the other. */
uint64_t *coverage_order(uint64_t *keys, uint64_t *spare, size_t n, unsigned most)
{
    if (n <= FEW) {
        insert(keys, n);
        return keys;
    }
    for (unsigned shift = 0; most >> shift > 0 && shift < 32; shift += 8) {
        size_t places[256] = { 0 }, at = 0;
        uint64_t *sorted = spare;

        for (size_t i = 0; i < n; i++)
            places[keys[i] >> (32 + shift) & 255]++;
        for (size_t i = 0; i < 256; i++) {
            size_t many = places[i];

            places[i] = at;
            at += many;
        }
        for (size_t i = 0; i < n; i++)
            sorted[places[keys[i] >> (32 + shift) & 255]++] = keys[i];
        spare = keys;
        keys = sorted;
    }
    return keys;
}
