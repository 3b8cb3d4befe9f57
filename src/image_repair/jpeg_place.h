/*
 * jpeg_place: finds where in a JPEG image the runs of MCUs belong that were read after damage, and
 * what their brightness was.
 *
 * A run that reads to the end of its data belongs to the end of its part of the image. The place of
 * another is where its row goes best with the row above, and so is the difference of the DC
 * coefficients that the damage took.
 */
#pragma once

#include "image_repair/jpeg_scan.h"

struct jpeg_run {
    size_t first, n;            /* of the MCUs read */
    size_t chain;               /* the one at which reading began, first <= */
    size_t at;                  /* in the image, in MCUs */
    int shift[JPEG_COMPONENTS]; /* to be added to the DC coefficients */
    bool cut_before, cut_after; /* damage is next to it */
};

/* What is known of the image: the means of DC coefficients, and the lower edges of MCUs. */
struct jpeg_plane {
    const struct jpeg_head *head;
    const struct jpeg_mcu *list;                 /* the MCUs read; borrowed, set by the owner */
    int16_t (*mean)[JPEG_COMPONENTS];            /* owned */
    int16_t (*bottom)[JPEG_EDGE];                /* edges; owned */
    int16_t (*ink_bottom)[JPEG_INKS][JPEG_EDGE]; /* of images of four components; owned */
    bool *known;                                 /* owned */
};

/* Allocates the members of an image of that size; nothing is known yet. False when out of memory.
 */
bool jpeg_plane_make(struct jpeg_plane *plane, const struct jpeg_head *head);
void jpeg_plane_free(struct jpeg_plane *plane);

/* How much the upper edge of an MCU, which is not the first one read, differs from the lower one of
 * those above, in the steps from one sample to the next: brightness, which may be wrong, does not
 * count. */
int64_t jpeg_place_step_error(const struct jpeg_mcu *mcu, const int16_t *left_above,
                              const int16_t *above);
/* Of a run that is one MCU after the other from `run->at` on, though `missing` of them (or, if that
 * is negative, too many) are somewhere in it: the number of those before the damage. 0: cannot be
 * told. */
size_t jpeg_place_split(const struct jpeg_plane *plane, const struct jpeg_run *run,
                        ptrdiff_t missing);
/* Whether the brightness changes in the middle of a row, for as long as a row is, as it does where
 * a difference of DC coefficients was damaged, and not in pictures. */
bool jpeg_place_is_uneven(const struct jpeg_plane *plane, const struct jpeg_run *run);
/* Sets run->at to the best place from `low` to `high`. *effort: MCUs that may be compared. */
void jpeg_place_find(const struct jpeg_plane *plane, struct jpeg_run *run, size_t low, size_t high,
                     size_t *effort);
/* Sets its shift by the row above, or by what is to its left. */
void jpeg_place_level(const struct jpeg_plane *plane, struct jpeg_run *run);
/* Leaves out the MCUs next to damage that do not go with the row above, of a run that was put. */
void jpeg_place_trim(struct jpeg_plane *plane, struct jpeg_run *run);
/* The run is part of the image now. */
void jpeg_place_put(struct jpeg_plane *plane, const struct jpeg_run *run);
/* Fills the gap up to MCU `to`: by the row above if it is small. */
void jpeg_place_conceal(struct jpeg_plane *plane, size_t from, size_t to);
