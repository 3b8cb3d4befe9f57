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
#include "render/drawing.h"
#include "render/format.h"

#define PICTURE_PARTS 4

struct painters;

/* A page, or a band of one, that is drawn in one or several slices. */
struct picture {
    const struct drawing *drawing;
    int y, rows;     /* which rows of the drawing */
    uint8_t *pixels; /* those rows */
    int parts;       /* 0, or by how many painters its file is made when it is drawn: more than one
                        if the format has parts, up to PICTURE_PARTS */
    int left;        /* slices that are not drawn; at first, how many there will be */

    /* Set by the threads; to be read after painters_wait. */
    struct buf file;
    struct err err;
    bool failed;

    /* The threads' own. */
    struct buf more[PICTURE_PARTS - 1]; /* parts of the file behind the first */
    struct png_part made[PICTURE_PARTS];
    int n_parts, parts_left;
};

void picture_free(struct picture *picture); /* what the threads made */

/* Its pixels, for the writers. */
struct pixmap picture_pixmap(const struct picture *picture);

/* `cores` of them, with an encoder each; `smooth`: edges are antialiased. */
struct painters *painters_new(const struct format *format, int cores, bool smooth, struct err *err);
/* Waits for those at work, forgets what is queued. */
void painters_free(struct painters *painters);

/* How many slices can be drawn at a time. */
int painters_count(const struct painters *painters);

/* Queues one slice: these rows of the picture. */
void painters_add(struct painters *painters, struct picture *picture, int y, int rows);
/* Until the picture is drawn, and its file made. Fails as that did. */
int painters_wait(struct painters *painters, struct picture *picture, struct err *err);
