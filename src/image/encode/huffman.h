/*
 * huffman: length-limited prefix codes of deflate (RFC 1951, 3.2.2): canonical, at most 15 bits,
 * each code word stored with its bits reversed, as the bit stream needs them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HUFFMAN_MAX_SYMBOLS 288 /* number of literal and length symbols of a fixed block */

/*
 * Makes the code of n symbols (2 <= n <= HUFFMAN_MAX_SYMBOLS) with these frequencies, whose sum is
 * below 2^24: lengths[i] is 0 where freqs[i] is 0, else 1 to max_bits (2^max_bits >= n). At least
 * two symbols get a length, because some readers refuse a code of one. words[i] is the code word.
 */
void huffman_build(const uint32_t *freqs, size_t n, unsigned max_bits, uint8_t *lengths,
                   uint16_t *words);
/* Makes the code words of given lengths. */
void huffman_words(const uint8_t *lengths, size_t n, uint16_t *words);
