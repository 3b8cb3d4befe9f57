/* jpeg_made: JPEG images of our own for the tests of repair, written and read by libjpeg. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <setjmp.h>

#include "base/buf.h"

struct jpeg_made {
    int width, height, components; /* 1, 3 or 4 */
    int sampling;                  /* of brightness against colour: 1 or 2 each way */
    int quality, restart;          /* MCUs between restart markers, 0: none */
    bool optimal, progressive;
    unsigned seed;
};

static inline unsigned jpeg_made_random(unsigned *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 16;
}

static inline bool jpeg_made_is_ink(const struct jpeg_made *made, int column, int line)
{
    unsigned state = made->seed + (unsigned) column * 977U + (unsigned) line * 65537U;

    jpeg_made_random(&state);
    return jpeg_made_random(&state) % 5 < 2;
}

/* Slopes, discs, lines as of text, and a little noise. The caller frees it. */
static inline unsigned char *jpeg_made_samples(const struct jpeg_made *made)
{
    int n = made->components;
    size_t row = (size_t) made->width * (size_t) n;
    unsigned char *samples = calloc((size_t) made->height, row);
    unsigned state = made->seed * 7919U + 1U;
    int discs[12][6];

    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 6; k++)
            discs[i][k] = (int) jpeg_made_random(&state);
    for (int y = 0; samples && y < made->height; y++)
        for (int x = 0; x < made->width; x++) {
            int base[4] = { 60 + 120 * x / made->width, 200 - 150 * y / made->height,
                            90 + 60 * ((x + y) % 400) / 400, 40 };

            for (int i = 0; i < 12; i++) {
                int dx = x - discs[i][0] % made->width, dy = y - discs[i][1] % made->height;
                int radius = 10 + discs[i][2] % (made->width / 6);

                if (dx * dx + dy * dy < radius * radius)
                    for (int k = 0; k < 3; k++)
                        base[k] = (base[k] + discs[i][3 + k] % 256) / 2;
            }
            for (int k = 0; k < n; k++) {
                int value = base[k] + (int) (jpeg_made_random(&state) % 13) - 6;

                if (y / 12 % 5 == 3 && jpeg_made_is_ink(made, x / 4, y / 60))
                    value -= 50;
                samples[(size_t) y * row + (size_t) (x * n + k)] =
                    (unsigned char) (value < 0     ? 0
                                     : value > 255 ? 255
                                                   : value);
            }
        }
    return samples;
}

static inline void jpeg_made_write(const struct jpeg_made *made, struct buf *out)
{
    struct jpeg_compress_struct c;
    struct jpeg_error_mgr errors;
    unsigned char *samples = jpeg_made_samples(made), *data = NULL;
    unsigned long size = 0;

    c.err = jpeg_std_error(&errors);
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &data, &size);
    c.image_width = (JDIMENSION) made->width;
    c.image_height = (JDIMENSION) made->height;
    c.input_components = made->components;
    c.in_color_space = made->components == 1   ? JCS_GRAYSCALE
                       : made->components == 3 ? JCS_RGB
                                               : JCS_CMYK;
    jpeg_set_defaults(&c);
    jpeg_set_quality(&c, made->quality, TRUE);
    c.restart_interval = (unsigned) made->restart;
    c.optimize_coding = made->optimal;
    c.comp_info[0].h_samp_factor = c.comp_info[0].v_samp_factor = made->sampling;
    if (made->progressive)
        jpeg_simple_progression(&c);
    jpeg_start_compress(&c, TRUE);
    while (c.next_scanline < c.image_height) {
        JSAMPROW row =
            samples + (size_t) c.next_scanline * (size_t) made->width * (size_t) made->components;

        jpeg_write_scanlines(&c, &row, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    buf_put(out, data, size);
    free(data);
    free(samples);
}

struct jpeg_made_errors {
    struct jpeg_error_mgr of;
    jmp_buf escape;
    long warnings;
};

static inline void jpeg_made_escape(j_common_ptr c)
{
    longjmp(((struct jpeg_made_errors *) c->err)->escape, 1);
}

static inline void jpeg_made_count(j_common_ptr c, int level)
{
    if (level < 0)
        ((struct jpeg_made_errors *) c->err)->warnings++;
}

/* As libjpeg shows it: samples, blank where it ends. *warnings: -1 if it cannot be opened. */
static inline unsigned char *jpeg_made_read(const struct jpeg_made *made, const void *data,
                                            size_t n, long *warnings)
{
    struct jpeg_decompress_struct c;
    struct jpeg_made_errors errors = { 0 };
    size_t row = (size_t) made->width * (size_t) made->components;
    unsigned char *samples = calloc((size_t) made->height, row);

    c.err = jpeg_std_error(&errors.of);
    errors.of.error_exit = jpeg_made_escape;
    errors.of.emit_message = jpeg_made_count;
    jpeg_create_decompress(&c);
    *warnings = -1;
    if (setjmp(errors.escape) == 0) {
        jpeg_mem_src(&c, data, n);
        jpeg_read_header(&c, TRUE);
        if ((int) c.image_width == made->width && (int) c.image_height == made->height &&
            c.num_components == made->components) {
            jpeg_start_decompress(&c);
            while (c.output_scanline < c.output_height) {
                JSAMPROW line = samples + (size_t) c.output_scanline * row;

                jpeg_read_scanlines(&c, &line, 1);
            }
            *warnings = errors.warnings;
        }
    }
    jpeg_destroy_decompress(&c);
    return samples;
}

/* How many of the blocks of 8 x 8 samples are as they were, within a few levels. */
static inline int jpeg_made_same(const struct jpeg_made *made, const unsigned char *a,
                                 const unsigned char *b, int *of)
{
    int same = 0, n = made->components;

    *of = 0;
    for (int y = 0; y < made->height; y += 8)
        for (int x = 0; x < made->width; x += 8) {
            int sum = 0, count = 0;

            for (int dy = 0; dy < 8 && y + dy < made->height; dy++)
                for (int dx = 0; dx < 8 && x + dx < made->width; dx++)
                    for (int k = 0; k < n; k++, count++) {
                        size_t at = ((size_t) (y + dy) * (size_t) made->width + (size_t) (x + dx)) *
                                        (size_t) n +
                                    (size_t) k;

                        sum += abs(a[at] - b[at]);
                    }
            same += sum <= 6 * count;
            ++*of;
        }
    return same;
}
