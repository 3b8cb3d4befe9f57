#include "recovery/image_repair/jpeg_head.h"

#include <string.h>

#include "base/jpeg_marker.h"

#define SIDE_MAX 65500U
#define MCUS_MAX (1U << 20)

/* K.3.3: the tables that nearly all images without tables of their own mean: counts, and values. */
static const unsigned char standard_dc[2][16] = { { 0, 1, 5, 1, 1, 1, 1, 1, 1 },
                                                  { 0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1 } };
static const unsigned char standard_dc_values[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
static const unsigned char standard_ac[2][16] = {
    { 0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d },
    { 0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77 },
};
static const unsigned char standard_ac_values[2][162] = {
    { 0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61,
      0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52,
      0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25,
      0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45,
      0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64,
      0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
      0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
      0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6,
      0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3,
      0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8,
      0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa },
    { 0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61,
      0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33,
      0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18,
      0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44,
      0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63,
      0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a,
      0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97,
      0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4,
      0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca,
      0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7,
      0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa },
};

/* K.1, in zigzag order: the tables that most programs scale by a quality; 50 as they stand. */
static const unsigned char standard_quantiser[2][64] = {
    { 16, 11, 12,  14,  12,  10, 16, 14,  13,  14,  18,  17,  16, 19,  24,  40,
      26, 24, 22,  22,  24,  49, 35, 37,  29,  40,  58,  51,  61, 60,  57,  51,
      56, 55, 64,  72,  92,  78, 64, 68,  87,  69,  55,  56,  80, 109, 81,  87,
      95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99 },
    { 17, 18, 18, 24, 21, 24, 47, 26, 26, 47, 99, 66, 56, 66, 99, 99, 99, 99, 99, 99, 99, 99,
      99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
      99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99 },
};

struct reader {
    struct jpeg_head *head;
    bool framed, scanned; /* a frame and a scan header were read */
    bool sound;
};

/* B.2.4.2: tables to the end of the segment, of which those before damage are used. */
static bool read_huffman(struct jpeg_head *head, const unsigned char *d, size_t n)
{
    while (n >= 17) {
        struct jpeg_huffman table;
        unsigned kind = d[0] >> 4, id = d[0] & 15U;
        size_t total = 0;

        for (int i = 1; i <= 16; i++)
            total += d[i];
        if (kind > 1 || id >= JPEG_TABLES || total > 256 || n < 17 + total ||
            !jpeg_huffman_make(&table, d + 1, d + 17))
            return false;
        *(kind ? &head->ac[id] : &head->dc[id]) = table;
        d += 17 + total;
        n -= 17 + total;
    }
    return n == 0;
}

/* B.2.4.1. */
static bool read_quantisers(struct jpeg_head *head, const unsigned char *d, size_t n)
{
    while (n >= 65) {
        unsigned wide = d[0] >> 4, id = d[0] & 15U;
        size_t size = wide ? 128 : 64;

        if (wide > 1 || id >= JPEG_TABLES || n < 1 + size)
            return false;
        for (size_t i = 0; i < 64; i++) {
            unsigned step = wide ? (unsigned) d[1 + 2 * i] << 8 | d[2 + 2 * i] : d[1 + i];

            if (step == 0)
                return false;
            head->quantisers[id][i] = (unsigned char) (step > 255 ? 255 : step);
        }
        head->step[id] = (uint16_t) (wide ? (unsigned) d[1] << 8 | d[2] : d[1]);
        d += 1 + size;
        n -= 1 + size;
    }
    return n == 0;
}

/* B.2.2. */
static bool read_frame(struct reader *r, const unsigned char *d, size_t n)
{
    struct jpeg_head *head = r->head;

    if (n < 6 || d[0] != 8 || d[5] == 0 || d[5] > JPEG_COMPONENTS || n != 6 + 3 * (size_t) d[5])
        return false;
    head->height = (unsigned) d[1] << 8 | d[2];
    head->width = (unsigned) d[3] << 8 | d[4];
    head->n = d[5];
    for (int i = 0; i < head->n; i++) {
        const unsigned char *of = d + 6 + 3 * (size_t) i;

        head->component[i] = (struct jpeg_component){ .id = of[0],
                                                      .h = (unsigned char) (of[1] >> 4),
                                                      .v = (unsigned char) (of[1] & 15U),
                                                      .quantiser = of[2] & 3U };
    }
    r->framed = jpeg_head_layout(head);
    return r->framed;
}

/* B.2.3: of all components at once, as a baseline image nearly always has them. */
static bool read_scan(struct reader *r, const unsigned char *d, size_t n)
{
    struct jpeg_head *head = r->head;

    if (n < 1 || d[0] == 0 || d[0] > JPEG_COMPONENTS || n != 4 + 2 * (size_t) d[0])
        return false;
    if (r->framed && d[0] != head->n) {
        head->other = d[0] < head->n;
        return false;
    }
    for (int i = 0; i < d[0]; i++) {
        if (r->framed && head->component[i].id != d[1 + 2 * i])
            return false;
        if ((d[2 + 2 * i] >> 4) >= JPEG_TABLES || (d[2 + 2 * i] & 15U) >= JPEG_TABLES)
            return false;
        head->component[i].dc = d[2 + 2 * i] >> 4;
        head->component[i].ac = d[2 + 2 * i] & 15U;
    }
    r->scanned = true;
    return true;
}

/* False: the segment is damaged. */
static bool read_segment(struct reader *r, unsigned marker, const unsigned char *d, size_t n)
{
    switch (marker) {
    case JPEG_SOF0:
    case JPEG_SOF1:
        return read_frame(r, d, n);
    case JPEG_DHT:
        return read_huffman(r->head, d, n);
    case JPEG_DQT:
        return read_quantisers(r->head, d, n);
    case JPEG_SOS:
        return read_scan(r, d, n);
    case JPEG_DRI:
        if (n == 2)
            r->head->restart = (unsigned) d[0] << 8 | d[1];
        return n == 2;
    case JPEG_APP14:
        r->head->adobe = n >= 12 && memcmp(d, "Adobe", 5) == 0;
        r->head->adobe_transform = r->head->adobe ? d[11] : 0;
        return true;
    case JPEG_SOF2:
        r->head->other = true;
        r->head->progressive = read_frame(r, d, n);
        return r->head->progressive;
    default:
        /* other frames: arithmetic, lossless */
        r->head->other |= marker >= 0xc2 && marker <= 0xcf && marker != 0xc8 && marker != 0xcc;
        return true;
    }
}

bool jpeg_head_add_segment(struct jpeg_head *head, unsigned marker, const unsigned char *d,
                           size_t n)
{
    struct reader r = { .head = head };

    return read_segment(&r, marker, d, n);
}

static bool is_segment(unsigned marker)
{
    return (marker >= 0xc0 && marker <= 0xcf) || marker == JPEG_SOS || marker == JPEG_DQT ||
           marker == JPEG_DRI || (marker >= 0xe0 && marker <= 0xef) || marker == 0xfe;
}

/* The next marker from `at` on, before `to`, whose segment ends within the data; or n. */
static size_t find_marker(const unsigned char *d, size_t n, size_t at, size_t to)
{
    for (; at < to && at + 4 <= n; at++) {
        size_t length = (size_t) d[at + 2] << 8 | d[at + 3];

        if (d[at] == 0xff && is_segment(d[at + 1]) && length >= 2 && length <= n - at - 2 &&
            (d[at + 1] == JPEG_SOS || at + 3 + length >= n || d[at + 2 + length] == 0xff))
            return at;
    }
    return n;
}

/* Whether the segment is whole, though no other follows: its content alone can show that. */
static bool is_last(struct reader *r, const unsigned char *d, size_t at, size_t length)
{
    unsigned marker = d[at + 1];

    for (size_t i = at + 4; i + 1 < at + 2 + length; i++)
        if (d[i] == 0xff && is_segment(d[i + 1]))
            return false;
    return (marker == JPEG_DHT || marker == JPEG_DQT || marker == JPEG_SOF0 ||
            marker == JPEG_SOF1) &&
           read_segment(r, marker, d + at + 4, length - 2);
}

/* Reads segments up to the data. Returns where that begins, or where no segment is any more. */
static size_t read_segments(struct reader *r, const unsigned char *d, size_t n)
{
    size_t at = n >= 2 && d[0] == 0xff && d[1] == JPEG_SOI ? 2 : 0, end = at;

    r->sound = at == 2;
    while (at + 4 <= n) {
        size_t length = (size_t) d[at + 2] << 8 | d[at + 3];
        unsigned marker = d[at + 1];

        if (d[at] == 0xff && marker == 0xff) { /* fills */
            at++;
            continue;
        }
        if (d[at] != 0xff || !is_segment(marker) || length < 2 || length >= n - at - 2 ||
            (marker != JPEG_SOS && d[at + 2 + length] != 0xff && !is_last(r, d, at, length))) {
            r->sound = false;
            /* Markers are searched only near by: in the data they would be chance. */
            at = find_marker(d, n, at + 1, at + 4000);
            if (at + 4 > n || d[at] != 0xff)
                break;
            continue;
        }
        r->sound &= read_segment(r, marker, d + at + 4, length - 2);
        at += 2 + length;
        end = at;
        if (marker == JPEG_SOS || r->head->other)
            break;
    }
    return end;
}

bool jpeg_head_layout(struct jpeg_head *head)
{
    unsigned across = 1, down = 1;
    size_t rows;

    head->blocks = 0;
    if (head->width == 0 || head->height == 0 || head->width > SIDE_MAX || head->height > SIDE_MAX)
        return false;
    for (int i = 0; i < head->n; i++) {
        struct jpeg_component *c = &head->component[i];

        if (head->n == 1)
            c->h = c->v = 1; /* not interleaved (A.2.2) */
        if (c->h == 0 || c->h > 4 || c->v == 0 || c->v > 4 ||
            head->blocks + c->h * c->v > JPEG_BLOCKS)
            return false;
        for (int k = 0; k < c->h * c->v; k++)
            head->of_block[head->blocks++] = i;
        across = c->h > across ? c->h : across;
        down = c->v > down ? c->v : down;
    }
    head->mcus_across = (head->width + 8 * across - 1) / (8 * across);
    rows = (head->height + 8 * down - 1) / (8 * down);
    head->mcus = head->mcus_across * rows;
    return head->blocks > 0 && head->mcus <= MCUS_MAX;
}

static void complete_quantisers(struct reader *r)
{
    struct jpeg_head *head = r->head;

    for (int i = 0; i < head->n; i++) {
        unsigned id = head->component[i].quantiser;
        bool colour = head->n == 3 && i > 0;

        if (head->step[id])
            continue;
        memcpy(head->quantisers[id], standard_quantiser[colour], 64);
        head->step[id] = standard_quantiser[colour][0];
        r->sound = false;
    }
}

/* What is missing: as most programs write it. */
static bool complete(struct reader *r, const struct jpeg_hint *hint)
{
    struct jpeg_head *head = r->head;

    if (!r->framed) {
        head->n = (int) hint->components;
        head->width = hint->width;
        head->height = hint->height;
        if (head->n < 1 || head->n > JPEG_COMPONENTS)
            return false;
        for (int i = 0; i < head->n; i++) {
            struct jpeg_component *c = &head->component[i];

            c->id = (unsigned char) (i + 1);
            c->h = c->v = head->n == 3 && i == 0 ? 2 : 1;
            c->quantiser = head->n == 3 && i > 0;
        }
        if (!jpeg_head_layout(head))
            return false;
    }
    for (int i = 0; i < head->n; i++) {
        struct jpeg_component *c = &head->component[i];

        if (!r->scanned)
            c->dc = c->ac = head->n == 3 && i > 0;
        r->sound &= head->dc[c->dc].there && head->ac[c->ac].there;
        if (!head->dc[c->dc].there)
            jpeg_huffman_make(&head->dc[c->dc], standard_dc[c->dc > 0], standard_dc_values);
        if (!head->ac[c->ac].there)
            jpeg_huffman_make(&head->ac[c->ac], standard_ac[c->ac > 0],
                              standard_ac_values[c->ac > 0]);
    }
    complete_quantisers(r);
    return true;
}

void jpeg_head_usual_codes(struct jpeg_head *head)
{
    for (int i = 0; i < JPEG_TABLES; i++)
        head->dc[i].there = head->ac[i].there = false;
    for (int i = 0; i < head->n; i++) {
        struct jpeg_component *c = &head->component[i];

        c->dc = c->ac = head->n == 3 && i > 0;
        jpeg_huffman_make(&head->dc[c->dc], standard_dc[c->dc], standard_dc_values);
        jpeg_huffman_make(&head->ac[c->ac], standard_ac[c->ac], standard_ac_values[c->ac]);
    }
}

bool jpeg_head_read(struct jpeg_head *head, const unsigned char *data, size_t n,
                    const struct jpeg_hint *hint)
{
    struct reader r = { .head = head };

    memset(head, 0, sizeof *head);
    head->data = read_segments(&r, data, n);
    if (head->progressive)
        complete_quantisers(&r);
    if (head->other || head->data >= n)
        return false;
    r.sound &= r.framed && r.scanned;
    if (!complete(&r, hint))
        return false;
    head->sound = r.sound;
    return true;
}

static void put_marker(struct buf *out, unsigned marker, size_t length)
{
    const char head[] = { (char) 0xff, (char) marker, (char) (length >> 8), (char) length };

    buf_put(out, head, sizeof head);
}

static void put_huffman(struct buf *out, unsigned id, const struct jpeg_huffman *table)
{
    size_t n = 0;

    for (int i = 1; i <= JPEG_CODE_BITS; i++)
        n += table->counts[i];
    put_marker(out, JPEG_DHT, 19 + n);
    buf_putc(out, (char) id);
    buf_put(out, table->counts + 1, 16);
    buf_put(out, table->values, n);
}

static void put_adobe(const struct jpeg_head *head, struct buf *out)
{
    static const char adobe[] = "Adobe\0\x64\0\0\0\0";

    put_marker(out, JPEG_APP14, 14);
    buf_put(out, adobe, sizeof adobe - 1);
    buf_putc(out, (char) head->adobe_transform);
}

void jpeg_head_write(const struct jpeg_head *head, struct buf *out)
{
    buf_puts(out, "\xff\xd8");
    if (head->adobe)
        put_adobe(head, out);
    for (unsigned i = 0; i < JPEG_TABLES; i++) {
        if (!head->step[i])
            continue;
        put_marker(out, JPEG_DQT, 67);
        buf_putc(out, (char) i);
        buf_put(out, head->quantisers[i], 64);
    }
    put_marker(out, JPEG_SOF0, 8 + 3 * (size_t) head->n);
    buf_putc(out, 8);
    buf_putc(out, (char) (head->height >> 8));
    buf_putc(out, (char) head->height);
    buf_putc(out, (char) (head->width >> 8));
    buf_putc(out, (char) head->width);
    buf_putc(out, (char) head->n);
    for (int i = 0; i < head->n; i++) {
        const struct jpeg_component *c = &head->component[i];

        buf_putc(out, (char) c->id);
        buf_putc(out, (char) (c->h << 4 | c->v));
        buf_putc(out, (char) c->quantiser);
    }
    for (unsigned i = 0; i < JPEG_TABLES; i++) {
        if (head->dc[i].there)
            put_huffman(out, i, &head->dc[i]);
        if (head->ac[i].there)
            put_huffman(out, 0x10 | i, &head->ac[i]);
    }
    if (head->restart) {
        put_marker(out, JPEG_DRI, 4);
        buf_putc(out, (char) (head->restart >> 8));
        buf_putc(out, (char) head->restart);
    }
    put_marker(out, JPEG_SOS, 6 + 2 * (size_t) head->n);
    buf_putc(out, (char) head->n);
    for (int i = 0; i < head->n; i++) {
        buf_putc(out, (char) head->component[i].id);
        buf_putc(out, (char) (head->component[i].dc << 4 | head->component[i].ac));
    }
    buf_put(out, "\0\x3f\0", 3);
}
