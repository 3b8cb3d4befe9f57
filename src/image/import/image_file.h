/*
 * image_file: an open file of pictures, as the readers of the formats see it, and what they share.
 * Each format is one file with a `const struct image_format`.
 */
#pragma once

#include "base/buf.h"
#include "image/import/image.h"

struct image_file {
    const struct image_format *format;
    const uint8_t *data; /* the whole file, mapped */
    size_t n;
    size_t index; /* index of the next picture */
    void *state;  /* the format's own state */
    bool animated;
    /* Buffers for the current picture's data, if it is not in the file as it is. They are
     * emptied, but not freed, before the next picture. */
    struct buf packed, mask, icc;
    struct iovec *pieces;
    size_t n_pieces, cap_pieces;
    struct iovec mask_piece;
};

struct image_format {
    const char *kind; /* as in declare/value/file_kind.h */
    /* Like image_next; *image is zeroed except for an orientation of 1. */
    int (*next)(struct image_file *file, struct image *image, struct err *err);
    void (*close)(struct image_file *file); /* frees `state`; may be NULL */
};

extern const struct image_format image_import_jpeg, image_import_png, image_import_tiff,
    image_import_webp, image_import_gif, image_import_bmp, image_import_heic, image_import_avif;

/* Sets the error for a file that ends too early or contradicts itself: "the JPEG file is
 * damaged: ...". */
int image_corrupt(const struct image_file *file, struct err *err, const char *what);
/* Sets ERR_UNSUPPORTED_CONTENT: "a JPEG file with ... ". */
int image_unsupported(const struct image_file *file, struct err *err, const char *what);
int image_no_memory(struct err *err);
/* Checks a picture's size. ERR_CORRUPT_FILE for a side of 0, ERR_LIMIT_EXCEEDED over 65,535 or over
 * IMAGE_PIXELS. */
int image_check_size(const struct image_file *file, uint64_t width, uint64_t height,
                     struct err *err);
/* Adds a piece to the current picture's data. */
int image_add_piece(struct image_file *file, const void *data, size_t n, struct err *err);
/* Makes the added pieces, or `packed` if there are none, the picture's data. */
void image_give_pieces(struct image_file *file, struct image *image);
int image_give_packed(struct image_file *file, struct image *image, struct err *err);
/* Makes file->mask the picture's mask, with `bits` bits a sample. */
void image_give_mask(struct image_file *file, struct image *image, unsigned bits);
