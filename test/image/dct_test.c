/* dct: what decoding a JPEG image may take. */
#include "image/codec/dct.h"

#include <stdlib.h>
#include <string.h>

#include "base/effort.h"
#include "tap.h"

#define SIDE 2048

static void put(struct buf *out, const void *bytes, size_t n)
{
    buf_put(out, bytes, n);
}

static void marker(struct buf *out, uint8_t code, const uint8_t *data, size_t n)
{
    const uint8_t head[] = { 0xff, code, (uint8_t) ((n + 2) >> 8), (uint8_t) (n + 2) };

    put(out, head, sizeof head);
    put(out, data, n);
}

/* A scan of one coefficient of one component, in which a single code ends 32767 blocks. */
static void blank_scan(struct buf *out, uint8_t band, int bit)
{
    const uint8_t high = bit == 13 ? 0 : (uint8_t) (bit + 1);
    const uint8_t head[] = { 1, 1, 0, band, band, (uint8_t) (high << 4 | bit) };
    const uint8_t runs[] = {
        0x7f, 0xfe, 0xff, 0, 0xfd, 0xff, 0, 0xff, 0
    }; /* three times 0, and 14 ones */

    marker(out, 0xda, head, sizeof head);
    put(out, runs, sizeof runs);
}

/* A gray image of SIDE x SIDE in so many scans. */
static void make(struct buf *out, int scans)
{
    const uint8_t frame[] = { 8, SIDE >> 8, SIDE & 255, SIDE >> 8, SIDE & 255, 1, 1, 0x11, 0 };
    const uint8_t dc[18] = { 0x00, 1 }, dc_scan[] = { 1, 1, 0, 0, 0, 0 };
    uint8_t table[65] = { 0 }, ac[18] = { 0x10, 1 }, blocks[SIDE / 8 * SIDE / 8 / 8] = { 0 };
    int done = 1;

    memset(table + 1, 16, 64);
    ac[17] = 0xe0; /* the end of 16384 blocks and up to 16383 more */
    put(out, "\xff\xd8", 2);
    marker(out, 0xdb, table, sizeof table);
    marker(out, 0xc2, frame, sizeof frame);
    marker(out, 0xc4, dc, sizeof dc);
    marker(out, 0xc4, ac, sizeof ac);
    marker(out, 0xda, dc_scan, sizeof dc_scan);
    put(out, blocks, sizeof blocks);
    for (int bit = 13; bit >= 0; bit--)
        for (uint8_t band = 1; band < 64 && done < scans; band++, done++)
            blank_scan(out, band, bit);
    put(out, "\xff\xd9", 2);
}

static bool reads(const struct buf *jpeg)
{
    struct raster raster = { 0 };
    bool done = dct_read(jpeg->data, jpeg->len, -1, 8, &raster);

    raster_free(&raster);
    return done;
}

static bool repacks(const struct buf *jpeg)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    return dct_repack(jpeg->data, jpeg->len, &out);
}

/* Whether a quick file has the same samples as a small one, of `channels`. */
static void check_quick(size_t channels)
{
    AUTO_RASTER struct raster in = { 0 }, small = { 0 }, quick = { 0 };
    AUTO_BUF struct buf small_file = BUF_EMPTY, quick_file = BUF_EMPTY;
    struct dct_write how = { .quality = 60, .colours = 72 };

    if (!raster_new(&in, 200, 150, channels))
        abort();
    for (size_t i = 0; i < 200 * 150 * channels; i++)
        in.data[i] = (uint8_t) (i / 7 % 200 + i % channels * 20);
    if (!dct_write(&in, &how, &small_file))
        abort();
    how.quick = true;
    if (!dct_write(&in, &how, &quick_file))
        abort();
    ok(quick_file.len > small_file.len &&
           dct_read(small_file.data, small_file.len, -1, 8, &small) &&
           dct_read(quick_file.data, quick_file.len, -1, 8, &quick) && small.width == quick.width &&
           small.height == quick.height &&
           memcmp(small.data, quick.data, 200 * 150 * channels) == 0,
       "a quick file of %zu channels is longer, and has the same samples", channels);
}

/* A JPEG that lacks data is not made a whole one. */
static void test_cut(void)
{
    static const struct dct_write how = { .quality = 90 };
    struct raster noise = { 0 };
    struct buf jpeg = BUF_EMPTY;
    uint32_t value = 1;

    raster_new(&noise, 64, 64, 3);
    for (size_t i = 0; i < (size_t) 64 * 64 * 3; i++) {
        value = value * 1103515245 + 12345;
        noise.data[i] = (uint8_t) (value >> 16);
    }
    dct_write(&noise, &how, &jpeg);
    ok(repacks(&jpeg), "a JPEG is repacked");
    jpeg.len -= 2;
    ok(repacks(&jpeg), "also without its end marker");
    jpeg.len /= 2;
    ok(!repacks(&jpeg), "but not if its data ends early");
    buf_free(&jpeg);
    raster_free(&noise);
}

/* Whether the blocks of an image outside of a covered area keep their coefficients. With
 * subsampled colours a block is 16 pixels wide, and its neighbours' colours are blended into it. */
static void check_patch(size_t channels, bool turned)
{
    enum { SIDE_OF_IT = 96, FROM = 33, TO = 62, LEFT_ALONE = 17 };
    struct dct_write how = { .quality = 85, .adobe = channels == 4, .turned = turned };
    AUTO_RASTER struct raster in = { 0 }, old = { 0 }, new = { 0 };
    AUTO_BUF struct buf jpeg = BUF_EMPTY, patched = BUF_EMPTY;
    static uint8_t covered[SIDE_OF_IT * SIDE_OF_IT];
    struct dct_info info = { 0 };
    bool same = true, filled = true;

    if (!raster_new(&in, SIDE_OF_IT, SIDE_OF_IT, channels))
        abort();
    for (size_t i = 0; i < sizeof covered * channels; i++)
        in.data[i] = (uint8_t) (i / channels % SIDE_OF_IT + i / 1000 + i % channels * 20);
    if (!dct_write(&in, &how, &jpeg) || !dct_read(jpeg.data, jpeg.len, -1, 8, &old))
        abort();
    memcpy(in.data, old.data, sizeof covered * channels);
    for (size_t y = FROM; y < TO; y++) {
        memset(covered + y * SIDE_OF_IT + FROM, 1, TO - FROM);
        memset(in.data + (y * SIDE_OF_IT + FROM) * channels, 255, (TO - FROM) * channels);
    }
    ok(dct_patch(jpeg.data, jpeg.len, -1, &in, covered, &patched) &&
           dct_read(patched.data, patched.len, -1, 8, &new),
       "an area of an image of %zu channels is replaced%s", channels, turned ? " (YCCK)" : "");
    for (size_t i = 0; new.data &&i < sizeof covered *channels; i++) {
        size_t x = i / channels % SIDE_OF_IT, y = i / channels / SIDE_OF_IT;

        if (covered[i / channels])
            filled &= new.data[i] > 200;
        else if (x + LEFT_ALONE < FROM || x > TO + LEFT_ALONE || y + LEFT_ALONE < FROM ||
                 y > TO + LEFT_ALONE)
            same &= new.data[i] == old.data[i];
    }
    ok(same && filled, "and all that is farther from it than a block is as it was");
    ok(dct_look(patched.data, patched.len, -1, &info) && info.adobe == how.adobe &&
           info.turned == (turned || channels == 3),
       "in a file of the same kind");
}

int main(void)
{
    AUTO_BUF struct buf few = BUF_EMPTY, many = BUF_EMPTY;
    double once;

    check_patch(1, false);
    check_patch(3, false);
    check_patch(4, false);
    check_patch(4, true);
    effort_reset();
    make(&few, 20);
    make(&many, 800);
    ok(reads(&few) && repacks(&few), "a progressive image of twenty scans is read and repacked");
    ok(effort_used().job < EFFORT_JOB / 50,
       "decoding twenty scans twice needs less than a fiftieth of the job's effort");

    effort_reset();
    ok(reads(&many), "a progressive image of 800 scans is read once");
    once = effort_used().job;
    ok(once > EFFORT_JOB / 10, "decoding 800 scans needs over a tenth of the job's effort");
    ok(repacks(&many) && effort_used().job > 1.9 * once,
       "each time it is decoded is charged to the same job");
    for (int i = 0; i < 10; i++)
        reads(&many);
    ok(effort_is_spent() && !reads(&many), "an image is not read when the job's effort is spent");
    ok(!repacks(&many), "an image is not repacked when the job's effort is spent");

    effort_reset();
    check_quick(1);
    check_quick(3);
    check_quick(4);
    test_cut();
    return done_testing();
}
