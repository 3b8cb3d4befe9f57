/* stream: decodes the data of a stream object if its filter is Flate or none. */
#pragma once

#include "recovery/objects/objects.h"

/* The first filter to be decoded: "/FlateDecode" for its short name too; at is NULL for none. */
struct text stream_filter(const struct objects *objects, struct text dict);
/* Whether Flate is the only filter, or there is none. */
bool stream_is_plain(const struct objects *objects, struct text dict);
/* Whether CCITTFaxDecode is the only filter. */
bool stream_is_fax(const struct objects *objects, struct text dict);
/* The data of a stream as stored: the repaired data if there is some, else that of the file; *n
 * bytes. Borrowed from `objects`. */
const unsigned char *stream_data(const struct objects *objects, const struct object *object,
                                 size_t *n);
/*
 * Decodes a stream, with PNG predictors, into the empty buffer `out`; damaged data as far as
 * possible. Counts against OBJECTS_BYTES. False if that is used up, the stream has another filter
 * or `out` is not empty.
 */
bool stream_unpack(struct objects *objects, const struct object *object, struct buf *out);

/* Writes the content of a page or form XObject, one stream after the other, as far as they can be
 * decoded, to the empty buffer `out`. */
void stream_contents(struct objects *objects, const struct object *owner, struct buf *out);
