/* image_info: the properties of an image XObject (ISO 32000-2, 8.9.5). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pdf/object/obj.h"

enum image_filter {
    IMAGE_LOSSLESS, /* lossless filters, or none */
    IMAGE_DCT,
    IMAGE_JPX,
    IMAGE_CCITT,
    IMAGE_JBIG2,
    IMAGE_UNKNOWN,
};

enum image_space {
    SPACE_GRAY,
    SPACE_RGB,
    SPACE_CMYK,
    SPACE_OTHER, /* Separation, DeviceN, Lab: samples that cannot be converted */
    SPACE_NONE,  /* not given, as JPX allows, or not supported */
};

struct image_info {
    size_t width, height, channels;
    unsigned bits;
    enum image_filter filter;
    enum image_space space; /* of an indexed image: of its palette */
    bool device;            /* the space has no profile */
    /* The space, or the palette's, as PDF syntax with COMPACT_REF for the object base_id; "" if
     * that is not possible. */
    char base[64];
    int64_t base_id;
    bool indexed;
    size_t n_colours;      /* of the palette */
    uint8_t palette[1024]; /* components of the space, one colour after another */
    bool stencil;          /* an image mask */
    bool decode;           /* it has a Decode array other than the default */
    bool keyed;            /* a colour key mask (8.9.6.4) applies: no sample may change */
    bool overruled;        /* it has a colour key mask, which its soft mask replaces (11.6.5.3) */
    bool matted;           /* its soft mask has a Matte (11.6.5.3): neither may change */
    bool packed;           /* `filter` is not the only one: others are applied first to decode */
    int transform;         /* DCT: its ColorTransform (table 13); -1: not given */
    /* CCITT (table 11). */
    long long k, columns, rows;
    bool byte_aligned, black_is_1;
};

/* Reads the properties of an image. False if the image must not be changed at all. */
bool image_info_read(struct obj image, struct image_info *info);
/* The same with another colour space than its own. */
bool image_info_read_as(struct obj image, struct obj space, struct image_info *info);
