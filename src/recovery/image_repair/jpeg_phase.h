/*
 * jpeg_phase: puts blocks back in step where codes do not tell components from each other.
 *
 * Components of CMYK and RGB images have the same Huffman tables and one block each in an MCU:
 * where damage took a block, those after it are read on without an error, as blocks of other
 * components. How many blocks are left after the last whole MCU tells by how many they are out of
 * step.
 */
#pragma once

#include "recovery/image_repair/jpeg_place.h"

/* Returns how many blocks, without those of whole MCUs, can be read from bits->at to the end of the
 * data, which must be near. 0: no block can be read, or the components have different tables. */
size_t jpeg_phase_rest(const struct jpeg_head *head, const struct jpeg_bits *bits);
/* Moves `bits` past this number of blocks. False: one of them cannot be read. */
bool jpeg_phase_skip(const struct jpeg_head *head, struct jpeg_bits *bits, size_t blocks);
/* Finds the damage in n consecutive MCUs of an image. Up to it they are the entries of plane->list
 * from `before` on, of which there are n_before; after it the n_after entries that end before the
 * entry `end`; `gap` MCUs between the two are lost. Returns how many MCUs are before the damage, by
 * comparing each with the row above; 0: not found. */
size_t jpeg_phase_split(const struct jpeg_plane *plane, size_t before, size_t n_before, size_t end,
                        size_t n_after, size_t n, size_t gap);
