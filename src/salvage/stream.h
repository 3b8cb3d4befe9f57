/* stream: the data of a stream object, unpacked where its filter is Flate or none. */
#pragma once

#include "salvage/objects.h"

/* The filter that is undone first: "/FlateDecode" for its short name too; at is NULL for none. */
struct text stream_filter(const struct objects *objects, struct text dict);
/* Whether Flate is the only filter, or there is none. */
bool stream_is_plain(const struct objects *objects, struct text dict);
const unsigned char *stream_data(const struct objects *objects, const struct object *object,
                                 size_t *n);
/*
 * What a stream unpacks to, PNG predictors undone; damaged data as far as it goes. Counts against
 * OBJECTS_BYTES. False if that is spent or it has a filter other than Flate.
 */
bool stream_unpack(struct objects *objects, const struct object *object, struct buf *out);

/* Everything a page shows, or a form, one stream after the other, as far as they can be unpacked.
 */
void stream_contents(struct objects *objects, const struct object *owner, struct buf *out);
