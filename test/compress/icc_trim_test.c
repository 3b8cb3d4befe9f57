/* icc_trim: profiles without what no reader of a colour space needs. */
#include "compress/icc/icc_trim.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tap.h"

static void put32(struct buf *out, size_t value)
{
    for (int i = 3; i >= 0; i--)
        buf_putc(out, (char) (value >> 8 * i & 0xff));
}

static void put16(struct buf *out, unsigned value)
{
    buf_putc(out, (char) (value >> 8));
    buf_putc(out, (char) (value & 0xff));
}

/* A table of type lut16 with `points` along each of four inputs, whose L* falls with all of them.
 * `bend`: how unevenly. */
static void put_table(struct buf *out, unsigned points, double white, double bend)
{
    buf_puts(out, "mft2");
    put32(out, 0);
    buf_putc(out, 4);
    buf_putc(out, 3);
    buf_putc(out, (char) points);
    buf_putc(out, 0);
    for (int i = 0; i < 9; i++)
        put32(out, i % 4 == 0 ? 65536 : 0);
    put16(out, 2);
    put16(out, 2);
    for (int i = 0; i < 4; i++)
        put32(out, 0xffff);
    for (unsigned i = 0; i < points * points * points * points; i++) {
        double sum = 0;

        for (unsigned k = i, n = 0; n < 4; n++, k /= points)
            sum += k % points / (double) (points - 1) / 4;
        put16(out, (unsigned) (white * pow(1 - sum, bend) * 0xff00));
        put16(out, 0x8000);
        put16(out, 0x8000);
    }
    for (int i = 0; i < 3; i++)
        put32(out, 0xffff);
}

struct part {
    const char *name;
    size_t at, n;
};

/* A printer's profile: perceptual and colorimetric tables, and one for the way back. */
static void make(struct buf *out, unsigned points, double bend)
{
    struct part parts[] = {
        { "desc", 0, 0 }, { "A2B0", 0, 0 }, { "A2B1", 0, 0 }, { "B2A0", 0, 0 }
    };
    AUTO_BUF struct buf data = BUF_EMPTY;

    for (size_t i = 0; i < 4; i++) {
        parts[i].at = 128 + 4 + 4 * 12 + data.len;
        if (i == 0)
            buf_put(&data, "desc\0\0\0\0\0\0\0\2x\0\0\0", 16);
        else
            put_table(&data, points, i == 1 ? .9 : 1, bend);
        parts[i].n = 128 + 4 + 4 * 12 + data.len - parts[i].at;
    }
    put32(out, 128 + 4 + 4 * 12 + data.len);
    buf_put(out, "lcms\2\x40\0\0prtrCMYKLab ", 20);
    while (out->len < 36)
        buf_putc(out, 0);
    buf_puts(out, "acsp");
    while (out->len < 128)
        buf_putc(out, 0);
    put32(out, 4);
    for (size_t i = 0; i < 4; i++) {
        buf_puts(out, parts[i].name);
        put32(out, parts[i].at);
        put32(out, parts[i].n);
    }
    buf_put(out, data.data, data.len);
}

static size_t read32(const char *p)
{
    const unsigned char *q = (const unsigned char *) p;

    return (size_t) q[0] << 24 | (size_t) q[1] << 16 | (size_t) q[2] << 8 | q[3];
}

static const char *find(const struct buf *profile, const char *name)
{
    for (size_t i = 0; i < read32(profile->data + 128); i++)
        if (memcmp(profile->data + 132 + 12 * i, name, 4) == 0)
            return profile->data + read32(profile->data + 132 + 12 * i + 4);
    return NULL;
}

static void test_tags(void)
{
    static const struct icc_trim usual = { .coarse = false }, all = { .all_intents = true };
    AUTO_BUF struct buf profile = BUF_EMPTY, out = BUF_EMPTY, both = BUF_EMPTY;
    const char *table;

    make(&profile, 5, 1);
    ok(icc_trim(profile.data, profile.len, &usual, &out),
       "a printer's profile is trimmed for input");
    ok(out.len == read32(out.data), "the trimmed profile has its length in its header");
    ok(memcmp(out.data + 12, "scnr", 4) == 0,
       "the trimmed profile has the class of an input device");
    ok(!find(&out, "B2A0"), "the table to the device is removed");
    ok(find(&out, "desc") && memcmp(find(&out, "desc"), "desc", 4) == 0, "the description stays");
    table = find(&out, "A2B0");
    ok(table && !find(&out, "A2B1") &&
           memcmp(table, find(&profile, "A2B1"), 52 + 5 * 5 * 5 * 5 * 6) == 0,
       "only the colorimetric table is kept");
    ok(icc_trim(profile.data, profile.len, &all, &both) && find(&both, "A2B1") &&
           memcmp(find(&both, "A2B0"), find(&profile, "A2B0"), 500) == 0,
       "the tables of other intents stay if they are used");
}

static void test_tables(void)
{
    static const struct icc_trim coarse = { .coarse = true };
    AUTO_BUF struct buf fine = BUF_EMPTY, out = BUF_EMPTY, bent = BUF_EMPTY, kept = BUF_EMPTY;
    const char *table;

    make(&fine, 11, 1);
    ok(icc_trim(fine.data, fine.len, &coarse, &out), "a profile with fine tables is trimmed");
    table = find(&out, "A2B0");
    ok(table && memcmp(table, "mft1", 4) == 0 && table[10] == 9,
       "fine tables are reduced to 9 points of 8 bits");
    ok((unsigned char) table[48 + 4 * 256] == 255 &&
           (unsigned char) table[48 + 4 * 256 + 3 * (9 * 9 * 9 * 9 - 1)] == 0 &&
           (unsigned char) table[48 + 4 * 256 + 1] == 128,
       "white, black and gray of a reduced table are as before");
    make(&bent, 11, 40);
    ok(icc_trim(bent.data, bent.len, &coarse, &kept) && memcmp(find(&kept, "A2B0"), "mft2", 4) == 0,
       "a table whose colours would change stays as it is");
}

/* One in which all tables are there, those to the device of 33 points. */
static void make_output(struct buf *out)
{
    static const char *const names[] = { "A2B0", "A2B1", "B2A0", "B2A1" };
    AUTO_BUF struct buf data = BUF_EMPTY;

    put32(out, 0);
    buf_put(out, "lcms\2\x40\0\0prtrCMYKLab ", 20);
    while (out->len < 36)
        buf_putc(out, 0);
    buf_puts(out, "acsp");
    while (out->len < 128)
        buf_putc(out, 0);
    put32(out, 4);
    for (size_t i = 0; i < 4; i++) {
        size_t at = data.len;

        if (i < 2) {
            put_table(&data, 5, 1, 1);
        } else {
            buf_puts(&data, "mft1");
            put32(&data, 0);
            buf_put(&data, "\3\4\x21\0", 4);
            for (int k = 0; k < 9; k++)
                put32(&data, k % 4 == 0 ? 65536 : 0);
            for (int k = 0; k < 3 * 256; k++)
                buf_putc(&data, (char) k);
            for (int k = 0; k < 33 * 33 * 33 * 4; k++)
                buf_putc(&data, (char) (k / 4 % 33 + k % 4));
            for (int k = 0; k < 4 * 256; k++)
                buf_putc(&data, (char) k);
        }
        buf_puts(out, names[i]);
        put32(out, 128 + 4 + 4 * 12 + at);
        put32(out, data.len - at);
    }
    buf_put(out, data.data, data.len);
}

static void test_output(void)
{
    static const struct icc_trim how = { .output = true, .coarse = true };
    AUTO_BUF struct buf profile = BUF_EMPTY, out = BUF_EMPTY;
    const char *way;

    make_output(&profile);
    ok(icc_trim(profile.data, profile.len, &how, &out), "an output intent's profile is trimmed");
    ok(memcmp(out.data + 12, "prtr", 4) == 0, "the profile of an output intent keeps its class");
    ok(find(&out, "A2B0") && find(&out, "A2B0") == find(&out, "A2B1"),
       "the rendering intents share one table from the device");
    way = find(&out, "B2A0");
    ok(way && way == find(&out, "B2A1") && way[10] == 17,
       "the rendering intents share one table of fewer points to the device");
    ok(way && way[48 + 768 + 4 * (17 * 17 * 2 + 17 * 3 + 5) + 1] == 11,
       "the points that are left keep their values");
}

static void test_damage(void)
{
    static const struct icc_trim coarse = { .coarse = true, .all_intents = true };
    static const struct icc_trim output = { .coarse = true, .output = true };
    AUTO_BUF struct buf profile = BUF_EMPTY;
    size_t trimmed = 0;

    make(&profile, 3, 1);
    for (size_t n = 0; n < profile.len; n += n < 200 ? 1 : 97) {
        AUTO_BUF struct buf out = BUF_EMPTY;
        AUTO_BUF struct buf cut = BUF_EMPTY;

        buf_put(&cut, profile.data, n); /* of its own, so that reads behind it are seen */
        trimmed += n < 180 && icc_trim(buf_text(&cut), n, &coarse, &out);
        icc_trim(buf_text(&cut), n, &coarse, &out);
        icc_trim(buf_text(&cut), n, &output, &out);
    }
    ok(trimmed == 0, "a profile without its tags is refused");
    for (size_t i = 128; i < 180; i++) {
        AUTO_BUF struct buf out = BUF_EMPTY;

        profile.data[i] ^= (char) 0xff;
        icc_trim(profile.data, profile.len, &coarse, &out);
        profile.data[i] ^= (char) 0xff;
    }
    ok(true, "damage in the table of tags does no harm");
}

int main(void)
{
    test_tags();
    test_tables();
    test_output();
    test_damage();
    return done_testing();
}
