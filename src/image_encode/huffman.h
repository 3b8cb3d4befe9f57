/*
 * huffman: length-limited prefix codes as deflate has them (RFC 1951, 3.2.2): canonical, at most
 * 15 bits, each code word stored with its bits reversed, as the bit stream wants them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HUFFMAN_MAX_SYMBOLS 288

/*
 * The code for n symbols (2 <= n <= HUFFMAN_MAX_SYMBOLS) of these frequencies, whose sum is below
 * 2^24: lengths[i] is 0 where freqs[i] is 0, else 1 to max_bits (2^max_bits >= n). At least two
 * symbols get a length, since some readers refuse a code of one. words[i] is the code word.
 */
void huffman_build(const uint32_t *freqs, size_t n, unsigned max_bits, uint8_t *lengths,
                   uint16_t *words);
/* Only the words, for lengths that are given. */
void huffman_words(const uint8_t *lengths, size_t n, uint16_t *words);
