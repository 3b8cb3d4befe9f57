#include "image/layers/ink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define TILES_AN_INCH 10
#define TILE_LEAST    8
#define TILE_MOST     64
#define PAPER         85    /* percent of a tile's pixels that are darker than its paper */
#define INK           2     /* per mille of a page's pixels that are ink for certain */
#define DARK          0.3   /* of the page's paper: a tile that is darker may be inside of ink */
#define CONTRAST      0.12  /* of a page: with less there is no ink */
#define THRESHOLD     0.45  /* of the way from paper to ink */
#define FLAT          0.045 /* of paper: steps between neighbours where nothing begins */
#define SEED                                                                                       \
    0.05 /* of the page's paper: how much the paper of a tile differs that has its light           \
          */
#define STEP       0.04 /* and that of the tile next to it in another light */
#define PHOTO      8    /* percent of a tile's pixels that are flat and neither ink nor paper */
#define PHOTO_EDGE 2    /* the same of a tile next to such a one */

static int level_at(const unsigned counts[256], size_t total, size_t per_mille)
{
    size_t sum = 0;

    for (int i = 0; i < 256; i++) {
        sum += counts[i];
        if (sum * 1000 >= total * per_mille)
            return i;
    }
    return 255;
}

struct area {
    size_t x0, y0, x1, y1;
};

static struct area area_of(const struct ink_map *map, size_t column, size_t row)
{
    size_t x = column * map->tile, y = row * map->tile;

    return (struct area){ x, y, x + map->tile < map->width ? x + map->tile : map->width,
                          y + map->tile < map->height ? y + map->tile : map->height };
}

static size_t count_tile(const struct ink_map *map, const struct area *area, unsigned counts[256])
{
    for (size_t y = area->y0; y < area->y1; y++)
        for (size_t x = area->x0; x < area->x1; x++)
            counts[map->pixels[y * map->width + x]]++;
    return (area->x1 - area->x0) * (area->y1 - area->y0);
}

/* The brightest paper of a tile and those around it. */
static int brightest_near(const struct ink_map *map, const uint8_t *own, size_t column, size_t row)
{
    int most = 0;

    for (size_t y = row ? row - 1 : 0; y <= row + 1 && y < map->down; y++)
        for (size_t x = column ? column - 1 : 0; x <= column + 1 && x < map->across; x++)
            most = own[y * map->across + x] > most ? own[y * map->across + x] : most;
    return most;
}

static bool find_paper(struct ink_map *map)
{
    AUTO_FREE uint8_t *own = calloc(map->across * map->down, 1);
    unsigned page[256] = { 0 };
    int ink, paper;

    if (!own)
        return false;
    for (size_t row = 0; row < map->down; row++) {
        for (size_t column = 0; column < map->across; column++) {
            unsigned counts[256] = { 0 };
            struct area area = area_of(map, column, row);
            size_t n = count_tile(map, &area, counts);

            own[row * map->across + column] = (uint8_t) level_at(counts, n, PAPER * 10);
            for (int i = 0; i < 256; i++)
                page[i] += counts[i];
        }
    }
    ink = level_at(page, map->width * map->height, INK);
    paper = level_at(page, map->width * map->height, 500);
    map->page_paper = paper;
    map->contrast = paper > 0 ? (double) (paper - ink) / paper : 0;
    for (size_t row = 0; row < map->down; row++)
        for (size_t column = 0; column < map->across; column++) {
            size_t i = row * map->across + column;

            map->paper[i] =
                own[i] < DARK * paper ? (uint8_t) brightest_near(map, own, column, row) : own[i];
        }
    return true;
}

static size_t tile_at(const struct ink_map *map, size_t x, size_t y)
{
    return y / map->tile * map->across + x / map->tile;
}

int ink_map_level(const struct ink_map *map, size_t x, size_t y, double part)
{
    if (map->contrast < CONTRAST)
        return -1;
    return (int) (map->paper[tile_at(map, x, y)] * (1 - part * map->contrast));
}

bool ink_map_is_plain(const struct ink_map *map, size_t x, size_t y)
{
    return map->plain[tile_at(map, x, y)];
}

bool ink_map_is_photo(const struct ink_map *map, size_t x, size_t y)
{
    return map->photo[tile_at(map, x, y)];
}

/* Percent of a tile's pixels that are neither ink nor paper nor the edge of a stroke. */
static size_t between(const struct ink_map *map, const struct area *area)
{
    size_t n = 0, all = (area->x1 - area->x0) * (area->y1 - area->y0);
    int bright = ink_map_level(map, area->x0, area->y0, 0.2);
    int dark = ink_map_level(map, area->x0, area->y0, 0.85);
    int flat = (int) (FLAT * map->contrast * map->paper[tile_at(map, area->x0, area->y0)]);

    for (size_t y = area->y0 ? area->y0 : 1; y < area->y1; y++) {
        const uint8_t *row = map->pixels + y * map->width, *above = row - map->width;

        for (size_t x = area->x0 ? area->x0 : 1; x < area->x1; x++)
            n += row[x] < bright && row[x] > dark && abs(row[x] - row[x - 1]) < flat &&
                 abs(row[x] - above[x]) < flat;
    }
    return n * 100 / all;
}

/* How many of the tiles around one, and it itself, are set. */
static int count_near(const struct ink_map *map, const bool *set, size_t column, size_t row)
{
    int n = 0;

    for (size_t y = row ? row - 1 : 0; y <= row + 1 && y < map->down; y++)
        for (size_t x = column ? column - 1 : 0; x <= column + 1 && x < map->across; x++)
            n += set[y * map->across + x];
    return n;
}

/* Finds the tiles with the paper of the page: those that have its light, and from them on those
 * whose light differs a little from that of the tile before. Returns whether there was memory. */
static bool find_plain(struct ink_map *map)
{
    size_t n = 0, all = map->across * map->down;
    AUTO_FREE size_t *next = calloc(all + 1, sizeof *next);

    if (!next)
        return false;
    for (size_t i = 0; i < all; i++) {
        map->plain[i] =
            !map->photo[i] && abs(map->paper[i] - map->page_paper) <= SEED * map->page_paper;
        if (map->plain[i])
            next[n++] = i;
    }
    for (size_t done = 0; done < n; done++) {
        size_t i = next[done], column = i % map->across;
        const size_t near[4] = { column > 0 ? i - 1 : i, column + 1 < map->across ? i + 1 : i,
                                 i >= map->across ? i - map->across : i,
                                 i + map->across < all ? i + map->across : i };

        for (int k = 0; k < 4; k++) {
            if (map->plain[near[k]] || map->photo[near[k]] ||
                abs(map->paper[near[k]] - map->paper[i]) > STEP * map->paper[i])
                continue;
            map->plain[near[k]] = true;
            next[n++] = near[k];
        }
    }
    return true;
}

/* A tile with few such neighbours is an accident; one with less of it at the edge of such tiles is
 * the edge of a photograph. */
static bool find_photos(struct ink_map *map)
{
    size_t all = map->across * map->down;
    AUTO_FREE uint8_t *part = calloc(all, 1);
    AUTO_FREE bool *found = calloc(all, sizeof *found);

    if (!part || !found)
        return false;
    for (size_t i = 0; i < all && map->contrast >= CONTRAST; i++) {
        struct area area = area_of(map, i % map->across, i / map->across);

        part[i] = (uint8_t) between(map, &area);
        found[i] = part[i] >= PHOTO;
    }
    for (size_t i = 0; i < all; i++)
        map->photo[i] = found[i] && count_near(map, found, i % map->across, i / map->across) >= 4;
    memcpy(found, map->photo, all * sizeof *found);
    for (size_t i = 0; i < all; i++)
        map->photo[i] = found[i] || (part[i] >= PHOTO_EDGE &&
                                     count_near(map, found, i % map->across, i / map->across) > 0);
    return true;
}

bool ink_map_make(struct ink_map *map, const uint8_t *gray, size_t width, size_t height, double dpi)
{
    double tile = fmax(fmin(dpi / TILES_AN_INCH, TILE_MOST), TILE_LEAST);

    *map =
        (struct ink_map){ .tile = (size_t) tile, .pixels = gray, .width = width, .height = height };
    map->across = (width + map->tile - 1) / map->tile;
    map->down = (height + map->tile - 1) / map->tile;
    map->paper = calloc(map->across * map->down, 1);
    map->photo = calloc(map->across * map->down, sizeof *map->photo);
    map->plain = calloc(map->across * map->down, sizeof *map->plain);
    if (map->paper && map->photo && map->plain && find_paper(map) && find_photos(map) &&
        find_plain(map))
        return true;
    ink_map_free(map);
    return false;
}

void ink_map_free(struct ink_map *map)
{
    free(map->paper);
    free(map->photo);
    free(map->plain);
    map->paper = NULL;
    map->plain = NULL;
    map->photo = NULL;
}

static void put_bit(struct bitmap *mask, size_t x, size_t y, bool set)
{
    uint8_t bit = (uint8_t) (0x80 >> x % 8), *byte = &mask->data[y * mask->stride + x / 8];

    *byte = (uint8_t) (set ? *byte | bit : *byte & ~bit);
}

struct spot {
    uint32_t x, y;
};

/* Finds the pixels that hang together with one, up to `least` of them, and takes them out of
 * `left`. */
static size_t follow_spot(struct bitmap *left, size_t x, size_t y, struct spot *spots, size_t least)
{
    size_t n = 1;

    spots[0] = (struct spot){ (uint32_t) x, (uint32_t) y };
    put_bit(left, x, y, false);
    for (size_t i = 0; i < n && n < least; i++) {
        for (int d = 0; d < 9 && n < least; d++) {
            size_t nx = spots[i].x + (size_t) (d % 3) - 1, ny = spots[i].y + (size_t) (d / 3) - 1;

            if (nx >= left->width || ny >= left->height || !bitmap_at(left, nx, ny))
                continue;
            put_bit(left, nx, ny, false);
            spots[n++] = (struct spot){ (uint32_t) nx, (uint32_t) ny };
        }
    }
    return n;
}

/* Whether a spot of n pixels touches ink that is not among them. */
static bool has_more(const struct bitmap *mask, const struct spot *spots, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < 9; d++) {
            size_t x = spots[i].x + (size_t) (d % 3) - 1, y = spots[i].y + (size_t) (d / 3) - 1;
            bool own = false;

            if (x >= mask->width || y >= mask->height || !bitmap_at(mask, x, y))
                continue;
            for (size_t k = 0; k < n; k++)
                own = own || (spots[k].x == x && spots[k].y == y);
            if (!own)
                return true;
        }
    }
    return false;
}

static bool drop_specks(struct bitmap *mask, size_t least)
{
    AUTO_FREE struct spot *spots = calloc(least + 1, sizeof *spots);
    AUTO_BITMAP struct bitmap left = { 0 };

    if (!spots || !raster_bitmap_new(&left, mask->width, mask->height))
        return false;
    memcpy(left.data, mask->data, mask->stride * mask->height);
    for (size_t y = 0; y < mask->height; y++) {
        for (size_t x = 0; x < mask->width; x++) {
            size_t n;

            if (x % 8 == 0 && left.data[y * left.stride + x / 8] == 0) {
                x += 7;
                continue;
            }
            if (!bitmap_at(&left, x, y))
                continue;
            n = follow_spot(&left, x, y, spots, least);
            if (n >= least || has_more(mask, spots, n))
                continue;
            for (size_t i = 0; i < n; i++)
                put_bit(mask, spots[i].x, spots[i].y, false);
        }
    }
    return true;
}

bool ink_map_mask(const struct ink_map *map, size_t least, struct bitmap *mask)
{
    if (!raster_bitmap_new(mask, map->width, map->height))
        return false;
    for (size_t y = 0; y < map->height; y++) {
        for (size_t x = 0; x < map->width; x++) {
            const uint8_t *row = map->pixels + y * map->width;

            if (row[x] < ink_map_level(map, x, y, THRESHOLD) && !ink_map_is_photo(map, x, y))
                put_bit(mask, x, y, true);
        }
    }
    return least < 2 || drop_specks(mask, least);
}
