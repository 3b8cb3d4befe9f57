#include "image_import/image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/scope.h"
#include "image_import/format.h"
#include "tool/file_kind.h"

#define SIDE_MAX 65535U

static const struct image_format *const formats[] = { &image_jpeg, &image_png, &image_tiff,
                                                      &image_webp, &image_gif, &image_bmp };

static const struct image_format *find_format(const void *data, size_t n)
{
    const char *kind = file_kind_of(data, n);

    for (size_t i = 0; kind && i < COUNT(formats); i++)
        if (strcmp(formats[i]->kind, kind) == 0)
            return formats[i];
    return NULL;
}

struct image_file *image_open(int fd, int64_t bytes, struct err *err)
{
    struct image_file *file = calloc(1, sizeof *file);
    void *data = MAP_FAILED;

    if (!file) {
        image_no_memory(err);
        return NULL;
    }
    if (bytes > 0)
        data = mmap(NULL, (size_t) bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (data != MAP_FAILED) {
        file->data = data;
        file->n = (size_t) bytes;
        file->format = find_format(data, file->n);
    }
    if (!file->format) {
        if (bytes > 0 && data == MAP_FAILED)
            image_no_memory(err);
        else
            err_set(err, ERR_CORRUPT_FILE, "the file is not a picture of a kind that is read here");
        image_close(file);
        return NULL;
    }
    return file;
}

void image_close(struct image_file *file)
{
    if (!file)
        return;
    if (file->format && file->format->close)
        file->format->close(file);
    if (file->data)
        munmap((void *) (uintptr_t) file->data, file->n);
    buf_free(&file->packed);
    buf_free(&file->mask);
    buf_free(&file->icc);
    free(file->pieces);
    free(file);
}

int image_next(struct image_file *file, struct image *image, struct err *err)
{
    int got;

    *image = (struct image){ .orientation = 1 };
    buf_drop(&file->packed, file->packed.len);
    buf_drop(&file->mask, file->mask.len);
    buf_drop(&file->icc, file->icc.len);
    file->n_pieces = 0;
    got = file->format->next(file, image, err);
    file->index++;
    return got;
}

bool image_is_animated(const struct image_file *file)
{
    return file->animated;
}

static const char *name_of(const struct image_file *file)
{
    static const char *const names[][2] = { { "jpg", "JPEG" },  { "png", "PNG" },
                                            { "tiff", "TIFF" }, { "webp", "WebP" },
                                            { "gif", "GIF" },   { "bmp", "BMP" } };

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
