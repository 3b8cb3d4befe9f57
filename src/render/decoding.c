#include "render/decoding.h"

#include <string.h>

#include "base/effort.h"

/* Units of effort for a sample. JPEG's scans are charged by image/jpeg_effort.h besides. */
#define PLAIN_SAMPLE 1.5
#define FAX_SAMPLE   0.3
#define JBIG2_SAMPLE 12.0
#define JPX_SAMPLE   6.0

#define JPX_BYTES       5 /* of memory for a sample: decoded, and as it is given out */
#define JPX_MEMORY      (256.0 * 1024 * 1024)
#define JPX_AMPLIFIED   1000 /* times its data: what takes more memory holds next to nothing */
#define JBIG2_HEAD      11   /* bytes of the header of a segment, at least (ITU-T T.88, 7.2) */
#define JBIG2_REGION    17   /* bytes of a region's information (7.4.1) */
#define JBIG2_TYPE      63
#define JBIG2_PAGE_SIZE 0x40

static double read_be32(const unsigned char *p)
{
    return (double) ((uint32_t) p[0] << 24 | (uint32_t) p[1] << 16 | (uint32_t) p[2] << 8 | p[3]);
}

static bool is_region(int type)
{
    return (type >= 4 && type <= 7) || (type >= 20 && type <= 43);
}

/* How many bytes the header of a segment has before the length of its data; 0 if it is cut off.
 * Numbers of segments it refers to take 1, 2 or 4 bytes, by its own number (7.2.4 and 7.2.5). */
static size_t head_bytes(const unsigned char *p, size_t n)
{
    double number = read_be32(p);
    size_t refers = p[5] >> 5, head = 6, each = number <= 256 ? 1 : number <= 65536 ? 2 : 4;

    if (refers == 7) {
        if (n < 9)
            return 0;
        refers = (size_t) (read_be32(p + 5)) & 0x1fffffff;
        head = 9 + (refers + 8) / 8;
    }
    head += refers * each + (p[4] & JBIG2_PAGE_SIZE ? 4 : 1);
    return head;
}

/* The samples of all regions: each may be as large as the page. */
static double jbig2_samples(const unsigned char *p, size_t n)
{
    double samples = 0;

    while (n >= JBIG2_HEAD) {
        int type = p[4] & JBIG2_TYPE;
        size_t head = head_bytes(p, n), data;

        if (head == 0 || head > n - 4)
            break;
        data = (size_t) read_be32(p + head);
        p += head + 4;
        n -= head + 4;
        if (is_region(type) && n >= JBIG2_REGION)
            samples += read_be32(p) * read_be32(p + 4);
        if (data > n)
            break;
        p += data;
        n -= data;
    }
    return samples;
}

bool decoding_spend(fz_context *ctx, const fz_image *image, const fz_compressed_buffer *buffer,
                    const fz_irect *area)
{
    double samples = (double) image->w * image->h, rows = 1;
    unsigned char *data;
    size_t n = fz_buffer_storage(ctx, buffer->buffer, &data);

    if (area && image->h > 0 && area->y1 < image->h)
        rows = (double) area->y1 / image->h;
    if (buffer->params.type == FZ_IMAGE_JBIG2)
        return effort_spend_on((samples + jbig2_samples(data, n)) * JBIG2_SAMPLE, n);
    if (buffer->params.type == FZ_IMAGE_FAX)
        return effort_spend_on(samples * rows * FAX_SAMPLE, n);
    return effort_spend_on(samples * rows * image->n * PLAIN_SAMPLE, n);
}

fz_pixmap *__real_fz_load_jpx(fz_context *ctx, const unsigned char *data, size_t n,
                              fz_colorspace *space);
fz_pixmap *__wrap_fz_load_jpx(fz_context *ctx, const unsigned char *data, size_t n,
                              fz_colorspace *space);

/* The samples that a code stream declares (ITU-T T.800, A.5.1); 0 if it has no header. */
static double jpx_samples(const unsigned char *data, size_t n)
{
    static const unsigned char start[] = { 0xff, 0x4f, 0xff, 0x51 };
    const unsigned char *p = n > 0 ? memmem(data, n, start, sizeof start) : NULL;
    double w, h;

    if (!p || (size_t) (p - data) + 42 > n)
        return 0;
    w = read_be32(p + 8) - read_be32(p + 16);
    h = read_be32(p + 12) - read_be32(p + 20);
    return w > 0 && h > 0 ? w * h * (p[40] << 8 | p[41]) : 0;
}

fz_pixmap *__wrap_fz_load_jpx(fz_context *ctx, const unsigned char *data, size_t n,
                              fz_colorspace *space)
{
    double samples = jpx_samples(data, n), bytes = samples * JPX_BYTES;

    if ((bytes > JPX_MEMORY && bytes > (double) n * JPX_AMPLIFIED) ||
        !effort_spend_on(samples * JPX_SAMPLE, n))
        fz_throw(ctx, FZ_ERROR_GENERIC, "a picture asks for too much work");
    return __real_fz_load_jpx(ctx, data, n, space);
}
