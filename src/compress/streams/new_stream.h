/* new_stream: the new version of one stream: its data, and the changes of its dictionary. */
#pragma once

#include "compress/content/compact.h"

#define NEW_STREAM_EDITS 12 /* limit of the keys that are changed in one dictionary */

struct new_stream {
    struct buf data;
    struct compact_edit edits[NEW_STREAM_EDITS]; /* changes of its dictionary, without /Length */
    size_t n_edits;
};

void new_stream_free(struct new_stream *stream);
#define AUTO_NEW_STREAM __attribute__((cleanup(new_stream_free)))
/* Copies data and edits. False when out of memory. */
bool new_stream_copy(const struct new_stream *from, struct new_stream *to);
/* Sets a key, whose name must outlive the stream. False when out of memory. */
__attribute__((format(printf, 3, 4))) bool new_stream_set(struct new_stream *stream,
                                                          const char *key, const char *fmt, ...);
/* Sets the object that COMPACT_REF means in the value of a key that was set. */
void new_stream_target(struct new_stream *stream, const char *key, uint32_t target);
/* Removes a key. */
void new_stream_remove(struct new_stream *stream, const char *key);
/* Makes `data` the data, which is then empty. */
void new_stream_move(struct new_stream *stream, struct buf *data);
/* The same with `data` encoded by one filter. False when out of memory. */
bool new_stream_replace(struct new_stream *stream, struct buf *data, const char *filter);
