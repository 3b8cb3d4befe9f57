/*
 * read: decodes JBIG2 (ITU-T T.88) as PDF has it (ISO 32000-2, 7.4.7): with generic,
 * refinement, text and halftone regions, arithmetic, Huffman and fax codes. Strict: the result is
 * the whole page or none. Work and memory are bounded, and charged to the job (base/effort.h).
 */
#pragma once

#include "image/codec/raster.h"

/* Whether the stream uses forms that scanners and most programs do not write, and other decoders
 * lack: refinement, Huffman codes, regions that are not drawn, lengths that are not known. */
bool jbig2_is_rare(const uint8_t *globals, size_t n_globals, const uint8_t *data, size_t n);

/* Decodes the page of a stream, with the segments of its JBIG2Globals (none: n_globals is 0).
 * Black is 1. False if the data is damaged, has parts that are not known, or is too large. */
bool jbig2_read(const uint8_t *globals, size_t n_globals, const uint8_t *data, size_t n,
                struct bitmap *out);
