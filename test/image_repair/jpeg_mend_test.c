/* tests of src/recovery/image_repair/jpeg_mend.c: images by libjpeg, damaged, repaired and read by
 * libjpeg.
 */
#include "image_repair/jpeg_made.h"

#include "base/scope.h"
#include "recovery/image_repair/jpeg_mend.h"
#include "tap.h"

static const struct jpeg_made gray = { 300, 260, 1, 1, 75, 0, false, false, 11 };
static const struct jpeg_made colour = { 300, 260, 3, 2, 75, 0, false, false, 12 };
static const struct jpeg_made own_tables = { 300, 260, 3, 1, 85, 0, true, false, 13 };
static const struct jpeg_made restarts = { 300, 260, 3, 2, 75, 19, false, false, 14 };
static const struct jpeg_made cmyk = { 160, 160, 4, 1, 75, 0, false, false, 15 };
static const struct jpeg_made inks = { 300, 300, 4, 1, 75, 0, false, false, 5008 };
static const struct jpeg_made progressive = { 300, 260, 3, 2, 75, 0, false, true, 16 };

static const struct jpeg_made slow = { 400, 500, 3, 1, 75, 0, false, true, 7064 };

static struct jpeg_hint hint_of(const struct jpeg_made *made)
{
    return (struct jpeg_hint){ (unsigned) made->width, (unsigned) made->height,
                               (unsigned) made->components, false, 0 };
}

static enum jpeg_state mend(const struct jpeg_made *made, const struct buf *data, int missing,
                            struct buf *out, struct jpeg_mended *mended)
{
    struct jpeg_hint hint = hint_of(made);
    unsigned char *exact = malloc(data->len); /* for the sanitizer */
    enum jpeg_state state;

    hint.suspect = missing != 0;
    hint.missing = missing;
    memcpy(exact, data->data, data->len);
    state = jpeg_mend(exact, data->len, &hint, out, mended);
    free(exact);
    return state;
}

static void is_sound(const struct jpeg_made *made, const char *more, size_t n, const char *what)
{
    AUTO_BUF struct buf data = BUF_EMPTY, out = BUF_EMPTY;
    struct jpeg_mended mended;

    jpeg_made_write(made, &data);
    buf_put(&data, more, n);
    ok(mend(made, &data, -(int) n, &out, &mended) != JPEG_MENDED && out.len == 0,
       "%s is not changed, though its length is wrong", what);
}

static void check_sound(void)
{
    static const char zeros[40];

    is_sound(&gray, "", 0, "a sound gray image");
    is_sound(&colour, "", 0, "a sound image in colour");
    is_sound(&own_tables, "", 0, "a sound image with codes of its own");
    is_sound(&restarts, "", 0, "a sound image with restart markers");
    is_sound(&cmyk, "", 0, "a sound CMYK image");
    is_sound(&progressive, "", 0, "a progressive image");
    is_sound(&colour, zeros, sizeof zeros, "an image that zeros follow");
    is_sound(&colour, "trailer and more", 16, "an image that text follows");
}

/* Per cent of the blocks that are as they were; -1 if libjpeg has anything to say. */
static int share(const struct jpeg_made *made, const struct buf *whole, const struct buf *mended)
{
    long warnings;
    int of, same;
    AUTO_FREE unsigned char *was = jpeg_made_read(made, whole->data, whole->len, &warnings);
    AUTO_FREE unsigned char *is = jpeg_made_read(made, mended->data, mended->len, &warnings);

    same = jpeg_made_same(made, was, is, &of);
    return warnings ? -1 : 100 * same / of;
}

static size_t data_of(const struct buf *jpeg)
{
    const char *scan = memmem(jpeg->data, jpeg->len, "\xff\xda", 2);

    return (size_t) (scan - jpeg->data) + 2 + (unsigned char) scan[3];
}

/* Bytes left out of the middle: the part before stays bit for bit, most of the rest comes back. */
static void loses(const struct jpeg_made *made, size_t lost, int least, const char *what)
{
    AUTO_BUF struct buf whole = BUF_EMPTY, data = BUF_EMPTY, out = BUF_EMPTY;
    struct jpeg_mended mended;
    size_t at;
    int percent;

    jpeg_made_write(made, &whole);
    at = whole.len / 3;
    buf_put(&data, whole.data, at);
    buf_put(&data, whole.data + at + lost, whole.len - at - lost);
    ok(mend(made, &data, (int) lost, &out, &mended) == JPEG_MENDED, "%s: it is repaired", what);
    percent = share(made, &whole, &out);
    ok(percent >= least, "%s: %d of 100 blocks are as they were, without a warning", what, percent);
    ok(out.len > at && memcmp(out.data, whole.data, at - 300) == 0,
       "%s: what is before the damage is the same bit for bit", what);
    ok(mended.lost > 0 && mended.lost < mended.mcus / 8, "%s: %zu of %zu MCUs are lost", what,
       mended.lost, mended.mcus);
}

static void check_middle(void)
{
    loses(&gray, 100, 90, "100 bytes of a gray image");
    loses(&colour, 100, 90, "100 bytes of an image in colour");
    loses(&own_tables, 100, 90, "100 bytes of an image with codes of its own");
    loses(&restarts, 100, 90, "100 bytes of an image with restart markers");
    loses(&restarts, 900, 80, "three intervals between restart markers");
    loses(&inks, 100, 80, "an image whose inks have the same codes, in step again");
}

/* Per cent of the blocks as they were, in a damaged image and in the repaired one. */
static void shares(const struct jpeg_made *made, size_t at, size_t lost, int *damaged,
                   int *repaired)
{
    AUTO_BUF struct buf whole = BUF_EMPTY, data = BUF_EMPTY, out = BUF_EMPTY;
    struct jpeg_mended mended;
    long warnings;
    int of;

    jpeg_made_write(made, &whole);
    buf_put(&data, whole.data, at);
    buf_put(&data, whole.data + at + lost, whole.len - at - lost);
    ok(mend(made, &data, (int) lost, &out, &mended) == JPEG_MENDED,
       "%zu bytes at %zu: it is repaired", lost, at);
    AUTO_FREE unsigned char *was = jpeg_made_read(made, whole.data, whole.len, &warnings);
    AUTO_FREE unsigned char *is = jpeg_made_read(made, data.data, data.len, &warnings);

    *damaged = 100 * jpeg_made_same(made, was, is, &of) / of;
    *repaired = share(made, &whole, &out);
}

static void check_progressive(void)
{
    static const struct {
        size_t at, lost;
        int before, after;
        const char *what;
    } cases[] = {
        { 4000, 1, 90, 97, "the scan of DC coefficients" },
        { 6000, 100, 97, 98, "a scan of the lowest frequencies" },
        { 13000, 100, 99, 98, "a scan that adds bits" },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        int damaged, repaired;

        shares(&slow, cases[i].at, cases[i].lost, &damaged, &repaired);
        ok(damaged <= cases[i].before && repaired >= cases[i].after,
           "%s, %zu bytes lost: %d of 100 blocks are as they were, before %d", cases[i].what,
           cases[i].lost, repaired, damaged);
    }
}

static void check_end(void)
{
    AUTO_BUF struct buf whole = BUF_EMPTY, data = BUF_EMPTY, out = BUF_EMPTY;
    struct jpeg_mended mended;
    int percent;

    jpeg_made_write(&colour, &whole);
    buf_put(&data, whole.data, whole.len * 2 / 3);
    ok(mend(&colour, &data, 0, &out, &mended) == JPEG_MENDED, "a cut image is completed");
    percent = share(&colour, &whole, &out);
    ok(percent >= 55, "%d of 100 blocks are there, and no reader warns", percent);
    ok(memcmp(out.data, data.data, data.len - 40) == 0, "and what was there is the same");
}

/* Removes the segment with this marker, or only damages it. */
static void without(const struct jpeg_made *made, unsigned char marker, int times, bool all,
                    struct buf *whole, struct buf *data)
{
    const unsigned char *d;
    size_t at = 2;

    jpeg_made_write(made, whole);
    d = (const unsigned char *) whole->data;
    buf_put(data, d, 2);
    while (at < data_of(whole)) {
        size_t length = 2 + ((size_t) d[at + 2] << 8 | d[at + 3]);
        size_t from = data->len;

        buf_put(data, d + at, length);
        if (d[at + 1] == marker && times-- > 0)
            data->len = all ? from : data->len - 3;
        at += length;
    }
    buf_put(data, d + at, whole->len - at);
}

static void header(const struct jpeg_made *made, unsigned char marker, bool all, const char *what)
{
    AUTO_BUF struct buf whole = BUF_EMPTY, data = BUF_EMPTY, out = BUF_EMPTY;
    struct jpeg_mended mended;
    int percent;

    without(made, marker, 4, all, &whole, &data);
    ok(mend(made, &data, 0, &out, &mended) == JPEG_MENDED, "%s: it is repaired", what);
    percent = share(made, &whole, &out);
    ok(percent == 100, "%s: all is as it was", what);
}

static void check_header(void)
{
    header(&colour, 0xc4, true, "without its code tables");
    header(&colour, 0xc0, true, "without its frame header");
    header(&own_tables, 0xc0, true, "without its frame header, of another sampling");
    header(&restarts, 0xdd, true, "without the interval of its restart markers");
    header(&colour, 0xc4, false, "with three bytes of each code table lost");
    header(&gray, 0xda, true, "without its scan header");
}

int main(void)
{
    check_sound();
    check_middle();
    check_progressive();
    check_end();
    check_header();
    return done_testing();
}
