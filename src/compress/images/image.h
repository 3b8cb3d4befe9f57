/* image: makes images smaller. */
#pragma once

#include "compress/images/profile.h"
#include "compress/object_graph/equal_objects.h"
#include "compress/recolour/recolour.h"
#include "compress/streams/new_stream.h"
#include "compress/usage/usage.h"

/* What decides how images are made. */
struct image_setting {
    const struct equal_objects *objects;
    const struct usage *usage;
    const struct profile *profile;
    const struct recolour *gray; /* or NULL: colours stay */
    size_t *colours_kept;        /* counts images that could not lose theirs */
};

/* Replaces `out`, the original image with this id, by a smaller version, if it finds one. */
void image_recode(const struct image_setting *setting, int64_t id, struct obj image,
                  struct new_stream *out);
