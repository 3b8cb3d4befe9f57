/*
 * usage: how a document's pages use its images and fonts: how large each image is placed, and which
 * character codes are shown in each font. It interprets all content streams: pages, form XObjects,
 * tiling patterns, glyphs of Type 3 fonts, soft masks, appearances of annotations.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

struct usage_image {
    int64_t id;
    double width, height; /* the largest size at which it is placed, in points */
    /* the largest share of a page that shows it, at most 1, that all images of the page cover,
     * without those of one bit: what they lose adds up */
    double share;
    size_t page; /* the first page that shows it, from 0 */
    size_t last; /* the last page that shows it, from 1 */
    bool mask;   /* it is the mask of another image */
};

#define USAGE_CODES 65536 /* number of character codes of one or two bytes */

struct usage_font {
    int64_t id;
    size_t page;     /* the first page with text in it, from 0 */
    bool composite;  /* Type 0: codes of two bytes */
    bool all;        /* its codes are not known: all may be used */
    uint64_t *codes; /* one bit for each of USAGE_CODES codes */
};

struct usage {
    size_t page; /* the page that is being read, from 0 */
    struct usage_image *images;
    size_t n_images, cap_images;
    size_t *shown; /* indexes of the images of the page that is being read, each once */
    size_t n_shown, cap_shown;
    double covered; /* the sum of the shares of that page that images cover */
    struct usage_font *fonts;
    size_t n_fonts, cap_fonts;
    struct idmap image_index, font_index; /* by id */
    struct idmap drawn; /* resources that a content stream names: by id, or by usage_name_key */
    struct idmap holder_index;
    /* content streams that were interpreted, by id: indexes in the list below */
    struct idmap content_index;
    struct usage_content {
        int64_t id;
        double scale; /* the largest size of one of its units in points */
    } * contents;
    size_t n_contents, cap_contents;
    int64_t *holders; /* ids of objects with a /Resources of their own that was read */
    size_t n_holders, cap_holders;
    bool inline_image; /* there are inline images, whose colour spaces are not recorded */
    bool intents;      /* other rendering intents than relative colorimetric are set */
    bool partial;      /* some content could not be run: there may be more uses */
};

void usage_free(struct usage *usage);
#define AUTO_USAGE __attribute__((cleanup(usage_free)))

/* The use of an image, and of a font, by the object's id; NULL if it is never used. */
const struct usage_image *usage_image(const struct usage *usage, int64_t id);
const struct usage_font *usage_font(const struct usage *usage, int64_t id);
/* The largest size, in points, at which a unit of a content stream is drawn; 0 if the stream is
 * not known as content. */
double usage_scale(const struct usage *usage, int64_t id);
static inline bool usage_has_code(const struct usage_font *font, unsigned code)
{
    return bits_has(font->codes, code);
}

/* A key for the name of a resource that is found only by name; it never equals an id. */
int64_t usage_name_key(const char *category, const char *name);
/*
 * For the interpreter. Each records one use: an image that is drawn; an image that covers a share
 * of the page that is being read, until the end of that page; a font that is selected, whose
 * index in `fonts` is stored; a resource that is named (an id or usage_name_key); an object with
 * resources of its own; the scale of a content stream; bytes that are shown in a font. False when
 * out of memory.
 */
bool usage_note_image(struct usage *usage, const struct usage_image *use);
bool usage_note_share(struct usage *usage, int64_t id, double share);
void usage_end_page(struct usage *usage);
bool usage_note_font(struct usage *usage, struct obj font, size_t *index);
bool usage_note_drawn(struct usage *usage, int64_t key);
bool usage_note_holder(struct usage *usage, int64_t id);
bool usage_note_scale(struct usage *usage, int64_t id, double scale);
void usage_note_text(struct usage_font *font, const char *bytes, size_t n);
