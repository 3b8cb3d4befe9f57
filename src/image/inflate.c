#include "image/inflate.h"

#include <libdeflate.h>
#include <stdlib.h>

#define MOST_RATIO 1032 /* two bits for 258 bytes */
#define SPARE      64

uint8_t *inflate_all(const void *data, size_t n, size_t most, size_t *n_out)
{
    struct libdeflate_decompressor *how = libdeflate_alloc_decompressor();
    size_t room = n < most / MOST_RATIO ? n * MOST_RATIO + SPARE : most, got;
    uint8_t *out = how ? malloc(room) : NULL; /* what is not needed of it is never touched */
    uint8_t *cut;

    if (!out ||
        libdeflate_zlib_decompress_ex(how, data, n, out, room, NULL, &got) != LIBDEFLATE_SUCCESS) {
        libdeflate_free_decompressor(how);
        free(out);
        return NULL;
    }
    libdeflate_free_decompressor(how);
    *n_out = got;
    cut = realloc(out, got ? got : 1);
    return cut ? cut : out;
}
