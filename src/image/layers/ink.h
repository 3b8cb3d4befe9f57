/* ink: tells the ink of a page from its paper and its photographs. */
#pragma once

#include "image/codec/raster.h"

/* A page in tiles: how bright the paper of each is, and which are parts of photographs. */
struct ink_map {
    size_t tile;           /* the side of a tile in pixels */
    size_t across, down;   /* tiles */
    uint8_t *paper;        /* of each tile */
    bool *photo;           /* of each tile */
    bool *plain;           /* of each tile: its paper is that of the page, in whatever light */
    int page_paper;        /* of most of the page */
    double contrast;       /* of the ink of the page to its paper, 0 to 1 */
    const uint8_t *pixels; /* gray, `width` bytes a row */
    size_t width, height;
};

/* Measures a gray page. False when out of memory. */
bool ink_map_make(struct ink_map *map, const uint8_t *gray, size_t width, size_t height,
                  double dpi);
void ink_map_free(struct ink_map *map);
/* The level below which a pixel counts as ink at this part of the way from paper to ink, 0 to 1; -1
 * where there is no ink. */
int ink_map_level(const struct ink_map *map, size_t x, size_t y, double part);
/* Whether the paper there is that of the page, and no photograph or coloured area. */
bool ink_map_is_plain(const struct ink_map *map, size_t x, size_t y);
bool ink_map_is_photo(const struct ink_map *map, size_t x, size_t y);
/* Makes a bitmap of the ink outside of photographs, without specks of fewer than `least` pixels.
 * False when out of memory. */
bool ink_map_mask(const struct ink_map *map, size_t least, struct bitmap *mask);
