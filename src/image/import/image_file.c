#include "image/import/image_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define SIDE_MAX 65535U

static const char *name_of(const struct image_file *file)
{
    static const char *const names[][2] = { { "jpg", "JPEG" },  { "png", "PNG" },
                                            { "tiff", "TIFF" }, { "webp", "WebP" },
                                            { "gif", "GIF" },   { "bmp", "BMP" },
                                            { "heic", "HEIC" }, { "avif", "AVIF" } };

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i][0], file->format->kind) == 0)
            return names[i][1];
    return file->format->kind;
}

int image_corrupt(const struct image_file *file, struct err *err, const char *what)
{
    return err_set(err, ERR_CORRUPT_FILE, "the %s file is damaged: %s", name_of(file), what);
}

int image_unsupported(const struct image_file *file, struct err *err, const char *what)
{
    return err_set(err, ERR_UNSUPPORTED_CONTENT,
                   "the %s file has %s, which is not read here: save it in another way",
                   name_of(file), what);
}

int image_no_memory(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the picture needs more memory than a job may use");
}

int image_check_size(const struct image_file *file, uint64_t width, uint64_t height,
                     struct err *err)
{
    if (width == 0 || height == 0)
        return image_corrupt(file, err, "its width or height is 0");
    if (width > SIDE_MAX || height > SIDE_MAX || width * height > (uint64_t) IMAGE_PIXELS)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "a picture of %llu by %llu pixels is too large: at most %u a side and %lld "
                       "million in all are read",
                       (unsigned long long) width, (unsigned long long) height, SIDE_MAX,
                       IMAGE_PIXELS / 1000000);
    return 0;
}

int image_add_piece(struct image_file *file, const void *data, size_t n, struct err *err)
{
    if (file->n_pieces == file->cap_pieces) {
        size_t cap = file->cap_pieces ? 2 * file->cap_pieces : 16;
        struct iovec *more = reallocarray(file->pieces, cap, sizeof *more);

        if (!more)
            return image_no_memory(err);
        file->pieces = more;
        file->cap_pieces = cap;
    }
    file->pieces[file->n_pieces++] = (struct iovec){ (void *) (uintptr_t) data, n };
    return 0;
}

void image_give_pieces(struct image_file *file, struct image *image)
{
    image->data = (struct image_data){ file->pieces, file->n_pieces };
}

int image_give_packed(struct image_file *file, struct image *image, struct err *err)
{
    file->n_pieces = 0;
    if (file->packed.failed || image_add_piece(file, file->packed.data, file->packed.len, err) < 0)
        return image_no_memory(err);
    image->coding = IMAGE_FLATE;
    image_give_pieces(file, image);
    return 0;
}

void image_give_mask(struct image_file *file, struct image *image, unsigned bits)
{
    file->mask_piece = (struct iovec){ file->mask.data, file->mask.len };
    image->mask = (struct image_data){ &file->mask_piece, 1 };
    image->mask_bits = bits;
}
