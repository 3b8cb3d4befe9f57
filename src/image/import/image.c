#include "image/import/image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/scope.h"
#include "declare/value/file_kind.h"
#include "image/import/image_file.h"

static const struct image_format *const formats[] = { &image_import_jpeg, &image_import_png,
                                                      &image_import_tiff, &image_import_webp,
                                                      &image_import_gif,  &image_import_bmp,
                                                      &image_import_heic, &image_import_avif };

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
