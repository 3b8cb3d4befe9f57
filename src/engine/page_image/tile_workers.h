/*
 * tile_workers: threads that draw. Each draws slices, which are rows of a picture, in the order in
 * which they were queued; the thread that draws the last slice of a picture also encodes its file.
 * With one core there are no threads, and the caller draws while it waits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "engine/page_image/image_format.h"
#include "engine/page_image/page_drawing.h"

#define TILE_PICTURE_PARTS 4 /* limit of the parts of one file */

struct tile_workers;

/* A page, or a band of one, that is drawn in one or more slices. */
struct tile_picture {
    const struct page_drawing *drawing;
    int y, rows;     /* first row on the page, and number of rows */
    uint8_t *pixels; /* the samples of these rows */
    /* number of threads that encode its file together, up to TILE_PICTURE_PARTS, if the format
     * supports parts; else 0 */
    int parts;
    int left; /* number of slices that are not drawn yet */

    /* The members below are set by the threads, and may be read after tile_workers_wait. */
    struct buf file;
    struct damage damage; /* what of the page could not be decoded */
    struct err err;
    bool failed;

    /* Private to the threads. */
    struct buf more[TILE_PICTURE_PARTS - 1]; /* parts of the file after the first */
    struct png_part made[TILE_PICTURE_PARTS];
    int n_parts, parts_left;
};

void tile_workers_picture_free(struct tile_picture *picture); /* frees what the threads made */

/* The picture's pixels, for encoders. */
struct pixmap tile_workers_pixmap(const struct tile_picture *picture);

/* Makes `cores` threads with an encoder each; `smooth`: edges are antialiased. */
struct tile_workers *tile_workers_new(const struct image_format *format, int cores, bool smooth,
                                      struct err *err);
/* Waits for slices in progress and drops queued ones. */
void tile_workers_free(struct tile_workers *workers);

/* How many slices can be drawn at the same time. */
int tile_workers_count(const struct tile_workers *workers);

/* Queues one slice: these rows of the picture. */
void tile_workers_add(struct tile_workers *workers, struct tile_picture *picture, int y, int rows);
/* Waits until the picture is drawn and its file encoded. Fails if one of these failed. */
int tile_workers_wait(struct tile_workers *workers, struct tile_picture *picture, struct err *err);
