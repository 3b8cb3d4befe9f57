/*
 * jpeg_place: finds where in a JPEG image the runs of MCUs belong that were read after damage, and
 * what their brightness was.
 *
 * A run that was read to the end of its data belongs to the end of its part of the image. Any other
 * run belongs where its upper edges are most similar to the lower edges of the row above, which
 * also shows by how much the damage changed its DC coefficients.
 */
#pragma once

#include "recovery/image_repair/jpeg_scan.h"

struct jpeg_run {
    size_t first, n;            /* index in plane->list of its first MCU, and number of MCUs */
    size_t chain;               /* index of the MCU at which reading began, at most `first` */
    size_t at;                  /* in the image, in MCUs */
    int shift[JPEG_COMPONENTS]; /* to be added to the DC coefficients */
    bool cut_before, cut_after; /* there is damage right before it, right after it */
};

/* What is known of the image: the means of DC coefficients, and the lower edges of MCUs. The owned
 * arrays have an entry for each MCU of the image. */
struct jpeg_plane {
    const struct jpeg_head *head;
    const struct jpeg_mcu *list;                 /* the MCUs read; borrowed, set by the owner */
    int16_t (*mean)[JPEG_COMPONENTS];            /* owned */
    int16_t (*bottom)[JPEG_EDGE];                /* edges; owned */
    int16_t (*ink_bottom)[JPEG_INKS][JPEG_EDGE]; /* of images of four components; owned */
    bool *known;                                 /* whether a run is there; owned */
};

/* Allocates the members of an image of that size; nothing is known yet. False when out of memory.
 */
bool jpeg_plane_make(struct jpeg_plane *plane, const struct jpeg_head *head);
void jpeg_plane_free(struct jpeg_plane *plane);

/* How much the upper edge of an MCU differs from the lower edge `above`, in the steps from each
 * sample to the next one: brightness, which may be wrong, does not count. `left_above`: the lower
 * edge to the left of `above`. mcu[-1] must exist. */
int64_t jpeg_place_step_error(const struct jpeg_mcu *mcu, const int16_t *left_above,
                              const int16_t *above);
/* Finds the damage within a run that begins at run->at and in which `missing` MCUs are lost at an
 * unknown place (below 0: that many too many were read). Returns the number of MCUs before the
 * damage; 0: not found. */
size_t jpeg_place_split(const struct jpeg_plane *plane, const struct jpeg_run *run,
                        ptrdiff_t missing);
/* Whether the brightness changes in the middle of a row and stays so for the length of a row: a
 * damaged difference of DC coefficients does that, and the contents of images do not. */
bool jpeg_place_is_uneven(const struct jpeg_plane *plane, const struct jpeg_run *run);
/* Sets run->at to the best place from `low` to `high`. *effort: MCUs that may be compared. */
void jpeg_place_find(const struct jpeg_plane *plane, struct jpeg_run *run, size_t low, size_t high,
                     size_t *effort);
/* Sets run->shift by the row above, or by the MCU to the left of the run. */
void jpeg_place_level(const struct jpeg_plane *plane, struct jpeg_run *run);
/* Removes, from a run that jpeg_place_put added, the MCUs next to damage whose edges differ from
 * the row above much more than those of the rest of the run. */
void jpeg_place_trim(struct jpeg_plane *plane, struct jpeg_run *run);
/* Makes the run part of the image: stores its means and edges at run->at. */
void jpeg_place_put(struct jpeg_plane *plane, const struct jpeg_run *run);
/* Fills the gap from MCU `from` up to `to` by the row above; a large gap is not changed. */
void jpeg_place_conceal(struct jpeg_plane *plane, size_t from, size_t to);
