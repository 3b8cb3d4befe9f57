#include "engine/mupdf/image_budget.h"

#include <math.h>
#include <string.h>

#include "base/effort.h"
#include "base/jpeg_marker.h"
#include "base/octets.h"

/* Units of effort for a sample, and for a block of 8 x 8 samples in a scan of a JPEG. */
#define PLAIN_SAMPLE 1.5
#define FAX_SAMPLE   0.3
#define JBIG2_SAMPLE 12.0
#define JPX_SAMPLE   6.0
#define JPEG_BLOCK   25.0

/* bytes of memory for a sample, decoded and converted */
#define JPX_BYTES  5
#define JPX_MEMORY (256.0 * 1024 * 1024) /* bytes that any image may need */
/* or this number of bytes for each byte of its data */
#define JPX_AMPLIFIED   1000
#define JBIG2_HEAD      11 /* least bytes of a segment's header (ITU-T T.88, 7.2) */
#define JBIG2_REGION    17 /* bytes of a region's information (7.4.1) */
#define JBIG2_TYPE      63
#define JBIG2_PAGE_SIZE 0x40

static bool is_region(int type)
{
    return (type >= 4 && type <= 7) || (type >= 20 && type <= 43);
}

/* The length of a segment header before its data length field; 0 if it is cut off. Numbers of
 * segments that it refers to take 1, 2 or 4 bytes, depending on its own number (7.2.4 and
 * 7.2.5). */
static size_t head_bytes(const unsigned char *p, size_t n)
{
    uint32_t number = octets_be32(p);
    size_t refers = p[5] >> 5, head = 6, each = number <= 256 ? 1 : number <= 65536 ? 2 : 4;

    if (refers == 7) {
        if (n < 9)
            return 0;
        refers = octets_be32(p + 5) & 0x1fffffff;
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
        data = octets_be32(p + head);
        p += head + 4;
        n -= head + 4;
        if (is_region(type) && n >= JBIG2_REGION)
            samples += (double) octets_be32(p) * octets_be32(p + 4);
        if (data > n)
            break;
        p += data;
        n -= data;
    }
    return samples;
}

/* A component of a JPEG's frame (ITU-T T.81, B.2.2). */
struct component {
    unsigned id;
    double blocks;
};

/* Reads a frame header: the blocks of each component. Returns how many there are; 0 if the header
 * is cut off or has more than four. */
static size_t read_frame(const unsigned char *p, size_t n, struct component out[static 4])
{
    double width, height;
    int across = 1, down = 1;
    size_t count = n >= 8 ? p[7] : 0;

    if (count > 4 || n < 8 + 3 * count)
        return 0;
    height = octets_be16(p + 3);
    width = octets_be16(p + 5);
    for (size_t i = 0; i < count; i++) {
        across = fz_maxi(across, p[9 + 3 * i] >> 4);
        down = fz_maxi(down, p[9 + 3 * i] & 15);
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned char *c = p + 8 + 3 * i;

        out[i].id = c[0];
        out[i].blocks =
            ceil(width * (c[1] >> 4) / across / 8) * ceil(height * (c[1] & 15) / down / 8);
    }
    return count;
}

/* The blocks of the components that a scan's header names. */
static double scan_blocks(const unsigned char *p, size_t n, const struct component *components,
                          size_t n_components)
{
    double blocks = 0;

    for (size_t i = 0; n >= 3 && i < p[2] && 4 + 2 * i < n; i++)
        for (size_t k = 0; k < n_components; k++)
            if (components[k].id == p[3 + 2 * i])
                blocks += components[k].blocks;
    return blocks;
}

/* The first marker from p on, after its 0xff; NULL: there is none. Entropy-coded data have 0 or a
 * restart marker after 0xff (B.1.1.5). */
static const unsigned char *next_marker(const unsigned char *p, const unsigned char *end)
{
    while (end - p > 1 && (p = memchr(p, 0xff, (size_t) (end - p - 1)))) {
        p++;
        if (*p != 0 && *p != 0xff && (*p < JPEG_RST0 || *p > JPEG_SOI))
            return p;
    }
    return NULL;
}

/* The blocks of all scans together. A progressive JPEG has up to hundreds of scans, each of which
 * takes its time for every block, even where one code ends thousands of blocks (G.1.2.2). */
static double jpeg_blocks(const unsigned char *data, size_t n)
{
    const unsigned char *end = data + n, *p = data;
    struct component components[4];
    size_t n_components = 0;
    double blocks = 0;

    while (p && (p = next_marker(p, end)) && end - p > 3) {
        size_t length = octets_be16(p + 1);

        if (*p == JPEG_EOI || length < 2 || length > (size_t) (end - p - 1))
            continue;
        if (jpeg_marker_is_frame(*p))
            n_components = read_frame(p + 1, length, components);
        else if (*p == JPEG_SOS)
            blocks += scan_blocks(p + 1, length, components, n_components);
        p += 1 + length;
    }
    return blocks;
}

bool image_budget_spend(fz_context *ctx, const fz_image *image, const fz_compressed_buffer *buffer,
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
    if (buffer->params.type == FZ_IMAGE_JPEG &&
        !effort_spend_on(jpeg_blocks(data, n) * JPEG_BLOCK, n))
        return false;
    return effort_spend_on(samples * rows * image->n * PLAIN_SAMPLE, n);
}

/* The samples that a code stream declares (ITU-T T.800, A.5.1); 0 if it has no header. */
static double jpx_samples(const unsigned char *data, size_t n)
{
    static const unsigned char start[] = { 0xff, 0x4f, 0xff, 0x51 };
    const unsigned char *p = n > 0 ? memmem(data, n, start, sizeof start) : NULL;
    double w, h;

    if (!p || (size_t) (p - data) + 42 > n)
        return 0;
    w = (double) octets_be32(p + 8) - octets_be32(p + 16);
    h = (double) octets_be32(p + 12) - octets_be32(p + 20);
    return w > 0 && h > 0 ? w * h * octets_be16(p + 40) : 0;
}

bool image_budget_spend_jpx(const unsigned char *data, size_t n)
{
    double samples = jpx_samples(data, n), bytes = samples * JPX_BYTES;

    return (bytes <= JPX_MEMORY || bytes <= (double) n * JPX_AMPLIFIED) &&
           effort_spend_on(samples * JPX_SAMPLE, n);
}
