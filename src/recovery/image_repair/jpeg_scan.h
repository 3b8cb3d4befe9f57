/* jpeg_scan: reads the entropy-coded data of a baseline JPEG image (ITU-T T.81, F.2) MCU by MCU,
 * from any bit on. */
#pragma once

#include "recovery/image_repair/jpeg_edge.h"
#include "recovery/image_repair/jpeg_head.h"

#define JPEG_INKS (JPEG_COMPONENTS - 1) /* components after the first */

struct jpeg_mcu {
    uint32_t at; /* bit where it begins */
    /* Mean of the DC coefficients of each component's blocks, and that of its last block; reading
     * began with 0 as the coefficient before the first. */
    int16_t mean[JPEG_COMPONENTS];
    int16_t last[JPEG_COMPONENTS];
    /* With edges: the edges of the first component as samples, at the same level. */
    int16_t top[JPEG_EDGE], bottom[JPEG_EDGE];
    /* With edges, in images of four components: the edges of the others, which are inks. */
    int16_t ink_top[JPEG_INKS][JPEG_EDGE], ink_bottom[JPEG_INKS][JPEG_EDGE];
};

/* MCUs that follow each other in the data; `at` of an entry after the last one is its end. */
struct jpeg_mcus {
    bool with_edges;
    struct jpeg_mcu *list; /* owned */
    size_t n, cap;
};

/* The data between two restart markers. */
struct jpeg_chunk {
    size_t from, to; /* offsets in the data without the zero bytes after 0xff */
    size_t first, n; /* the MCUs of the image that it should have */
};

enum jpeg_stop {
    JPEG_STOP_ERROR, /* the next bits are not an MCU */
    JPEG_STOP_END,   /* the data ends with the padding after an MCU */
    JPEG_STOP_LIMIT, /* as many MCUs were read as were asked for */
    JPEG_STOP_MEMORY,
};

/* Reads one MCU; `dc` are the DC coefficients of the blocks before it. False at an error. */
bool jpeg_scan_mcu(const struct jpeg_head *head, struct jpeg_bits *bits, int dc[JPEG_COMPONENTS],
                   bool with_edges, struct jpeg_mcu *mcu);
/* Appends MCUs, at most `most` of them, from bits->at on, which is then where reading stopped: the
 * beginning of what could not be read. */
enum jpeg_stop jpeg_scan_run(const struct jpeg_head *head, struct jpeg_bits *bits, size_t most,
                             struct jpeg_mcus *mcus);
/* Moves bits->at to the next place after it from where `proof` MCUs can be read, or some up to the
 * end of the data. False if there is none, and bits->at is unchanged. *effort: bits that may be
 * examined; those that were are subtracted. */
bool jpeg_scan_find(const struct jpeg_head *head, struct jpeg_bits *bits, size_t proof,
                    size_t *effort);
/* Whether what is left after the last MCU is padding: fewer than 8 bits. */
bool jpeg_scan_at_end(const struct jpeg_bits *bits);

/* Reads the MCU at bits->at and writes it with other DC coefficients: those of component c become
 * higher by add[c]. `dc`: the DC coefficients of the blocks read before; `before`: of the blocks
 * written before. Both are updated. False if the MCU is damaged, or the code tables have no code
 * for a difference. */
bool jpeg_scan_rewrite(const struct jpeg_head *head, struct jpeg_bits *bits,
                       int dc[JPEG_COMPONENTS], const int add[JPEG_COMPONENTS],
                       int before[JPEG_COMPONENTS], struct jpeg_writer *writer);
/* Writes an MCU of blocks of one colour each, with these DC coefficients. `before`: as above. False
 * if the tables have no code. */
bool jpeg_scan_write_flat(const struct jpeg_head *head, const int16_t dc[JPEG_COMPONENTS],
                          int before[JPEG_COMPONENTS], struct jpeg_writer *writer);
