/* written: what recompress notes of each stream when it is written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* For the figures about what was saved. */
enum stream_class { STREAM_STRUCTURE, STREAM_IMAGE, STREAM_FONT, STREAM_CONTENT };

struct written {
    enum stream_class class;
    size_t bytes; /* in the result */
    bool redrawn; /* it may look different from the original */
};
