/*
 * painters: the threads that draw. Each draws slices, which are rows of a picture, in the order
 * they were queued; who draws the last slice of a picture also makes its file. With one core there
 * are no threads, and the caller draws when it waits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "page_image/image_format.h"
#include "page_image/page_drawing.h"

#define TILE_PICTURE_PARTS 4

struct tile_workers;

/* A page, or a band of one, that is drawn in one or several slices. */
struct tile_picture {
    const struct page_drawing *drawing;
    int y, rows;     /* which rows of the drawing */
    uint8_t *pixels; /* those rows */
    int parts;       /* 0, or by how many painters its file is made when it is drawn: more than one
                        if the format has parts, up to TILE_PICTURE_PARTS */
    int left;        /* slices that are not drawn; at first, how many there will be */

    /* Set by the threads; to be read after tile_workers_wait. */
    struct buf file;
    struct err err;
    bool failed;

    /* The threads' own. */
    struct buf more[TILE_PICTURE_PARTS - 1]; /* parts of the file behind the first */
    struct png_part made[TILE_PICTURE_PARTS];
    int n_parts, parts_left;
};

void tile_workers_picture_free(struct tile_picture *picture); /* what the threads made */

/* Its pixels, for the writers. */
struct pixmap tile_workers_pixmap(const struct tile_picture *picture);

/* `cores` of them, with an encoder each; `smooth`: edges are antialiased. */
struct tile_workers *tile_workers_new(const struct image_format *format, int cores, bool smooth,
                                      struct err *err);
/* Waits for those at work, forgets what is queued. */
void tile_workers_free(struct tile_workers *painters);

/* How many slices can be drawn at a time. */
int tile_workers_count(const struct tile_workers *painters);

/* Queues one slice: these rows of the picture. */
void tile_workers_add(struct tile_workers *painters, struct tile_picture *picture, int y, int rows);
/* Until the picture is drawn, and its file made. Fails as that did. */
int tile_workers_wait(struct tile_workers *painters, struct tile_picture *picture, struct err *err);
