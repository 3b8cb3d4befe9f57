/* jpeg_head: the segments of a JPEG image before its data (ITU-T T.81, annex B), those that are
 * damaged or missing replaced by what they most likely were. */
#pragma once

#include "recovery/image_repair/jpeg_huffman.h"

#define JPEG_COMPONENTS 4  /* limit of the components of an image */
#define JPEG_TABLES     4  /* number of places for tables of each kind (B.2.4) */
#define JPEG_BLOCKS     10 /* in an MCU (B.2.3) */

/* Properties of the image that are known from elsewhere, such as its dictionary in a PDF; 0:
 * unknown. */
struct jpeg_hint {
    unsigned width, height, components;
    bool suspect; /* bytes of it were lost, added or changed, as its length shows */
    int missing;  /* bytes by which it is shorter than it should be; below 0: longer */
};

struct jpeg_component {
    unsigned char id, h, v, quantiser, dc, ac;
};

struct jpeg_head {
    unsigned width, height;
    int n; /* components */
    struct jpeg_component component[JPEG_COMPONENTS];
    struct jpeg_huffman dc[JPEG_TABLES], ac[JPEG_TABLES];
    uint16_t step[JPEG_TABLES]; /* of the quantisation of DC, 0: no table */
    unsigned restart;           /* MCUs between restart markers; 0: no markers */
    size_t data;                /* where the entropy-coded data begins */
    bool sound;                 /* nothing was replaced: all segments are valid */
    bool other;                 /* of a process other than baseline (4.11): not read here */
    bool progressive;           /* as `other`, but the frame and the tables before it were read */
    /* the MCUs, and the component of each block of one */
    size_t mcus_across, mcus;
    int blocks, of_block[JPEG_BLOCKS];
    unsigned char quantisers[JPEG_TABLES][64]; /* in zigzag order */
    bool adobe;
    unsigned char adobe_transform;
};

/* Reads the segments of the n bytes at `data`. False if no entropy-coded data is found, or the size
 * of the image is not known; or if it is of another process. Of a progressive image `data` is
 * then where the segments after its frame begin. */
bool jpeg_head_read(struct jpeg_head *head, const unsigned char *data, size_t n,
                    const struct jpeg_hint *hint);
/* Reads a segment of tables, n bytes at d after its length. False: it is damaged. */
bool jpeg_head_add_segment(struct jpeg_head *head, unsigned marker, const unsigned char *d,
                           size_t n);
/* Gives all components the code tables of K.3.3, which have a code for every coefficient. */
void jpeg_head_usual_codes(struct jpeg_head *head);
/* Lays out the MCUs by the sampling factors. False if they are not those of a baseline image. */
bool jpeg_head_layout(struct jpeg_head *head);
/* Appends the segments in clean form, up to where the data begins. */
void jpeg_head_write(const struct jpeg_head *head, struct buf *out);
