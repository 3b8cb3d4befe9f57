/*
 * object_stream: object streams, and the rows of cross-reference streams that say where objects are
 * (ISO 32000-2, 7.5.7 and 7.5.8), for code that writes files itself.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Objects that are collected for one object stream; a zeroed one is empty. */
struct object_stream {
    struct buf index; /* their numbers and offsets in `texts` */
    struct buf texts;
    size_t n;
};

/* Adds an object, whose value the caller appends to stream->texts, with white space after it. */
void object_stream_add(struct object_stream *stream, uint32_t number);
/* Appends the stream's dictionary, without << and >> and /Length, and its compressed bytes; `level`
 * is that of flate_pack. The stream is empty afterwards. False when out of memory. */
bool object_stream_pack(struct object_stream *stream, int level, struct buf *dict,
                        struct buf *data);
void object_stream_free(struct object_stream *stream);
#define AUTO_OBJECT_STREAM __attribute__((cleanup(object_stream_free)))

enum object_place_kind { OBJECT_FREE, OBJECT_AT_OFFSET, OBJECT_IN_STREAM };

/* Where an object is. */
struct object_place {
    uint64_t where; /* its offset in the file, or the number of its object stream */
    uint16_t index; /* its generation, or its index in the object stream */
    uint8_t kind;   /* enum object_place_kind */
};

/* Appends a row of each place, with fields of 1, `where_bytes` and `index_bytes` bytes (/W).
 * `differences`: each row is the difference to the one above, for /Predictor 12. */
void object_stream_rows(const struct object_place *places, size_t n, size_t where_bytes,
                        size_t index_bytes, bool differences, struct buf *out);
