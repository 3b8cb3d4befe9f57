#include "engine/office/encoding.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>

#include "base/scope.h"
#include "base/utf8.h"

#define CHUNK       65536
#define SAMPLE      (1U << 20) /* looked through to guess */
#define COMMON      85         /* percent of the characters that are common, at least */
#define REPLACEMENT "\xef\xbf\xbd"

const char *const encoding_names[] = {
    "utf-8",        "utf-16le",     "utf-16be",     "windows-1250", "windows-1251",
    "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
    "windows-1257", "windows-1258", "windows-874",  "koi8-r",       "shift_jis",
    "euc-jp",       "gb18030",      "big5",         "euc-kr",       NULL,
};

/* The names of encoding_names that glibc has others for. */
static const struct {
    const char *name, *iconv;
} aliases[] = {
    { "shift_jis", "CP932" },     { "euc-jp", "EUC-JP-MS" },    { "big5", "BIG5-HKSCS" },
    { "euc-kr", "UHC" },          { "windows-874", "CP874" },   { "windows-1250", "CP1250" },
    { "windows-1251", "CP1251" }, { "windows-1252", "CP1252" }, { "windows-1253", "CP1253" },
    { "windows-1254", "CP1254" }, { "windows-1255", "CP1255" }, { "windows-1256", "CP1256" },
    { "windows-1257", "CP1257" }, { "windows-1258", "CP1258" },
};

/* Windows-1252, 0x80 to 0x9f; 0 where it has nothing. */
static const uint16_t windows_1252[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178,
};

static void from_windows(const struct buf *in, struct buf *out)
{
    for (size_t i = 0; i < in->len; i++) {
        unsigned char c = (unsigned char) in->data[i];

        utf8_put(c >= 0x80 && c < 0xa0 ? windows_1252[c - 0x80] : c, out);
    }
}

/* Returns how many bytes are not characters, -1 if the encoding is not installed. */
static long decode_text(const struct buf *in, const char *name, struct buf *out)
{
    const char *known = name;
    char chunk[CHUNK], *at = in->data;
    size_t left = in->len;
    iconv_t how;
    long wrong = 0;

    for (size_t i = 0; i < COUNT(aliases); i++)
        if (strcmp(name, aliases[i].name) == 0)
            known = aliases[i].iconv;
    how = iconv_open("UTF-8", known);
    if (how == (iconv_t) -1)
        return -1;
    while (left > 0) {
        char *to = chunk;
        size_t room = sizeof chunk;
        size_t done = iconv(how, &at, &left, &to, &room);
        int why = errno;

        buf_put(out, chunk, sizeof chunk - room);
        if (done != (size_t) -1 || why == E2BIG)
            continue;
        buf_puts(out, REPLACEMENT);
        wrong++;
        at++;
        left--;
    }
    iconv_close(how);
    return wrong;
}

/* What speaks for the encodings of East Asia: how many pairs of bytes there are with the first
 * beyond ASCII, and how many of them are characters in common use. */
struct pairs {
    size_t all, common;
    size_t strong; /* those that Western text would hardly have */
};

static bool within(unsigned c, unsigned first, unsigned last)
{
    return c >= first && c <= last;
}

/* JIS X 0208 in Shift_JIS: kana, punctuation, and the kanji of level 1. */
static void pair_shift_jis(unsigned a, unsigned b, struct pairs *p)
{
    bool kana = (a == 0x82 && b >= 0x4f) || (a == 0x83 && b <= 0x96);
    bool kanji = within(a, 0x88, 0x97);

    p->common += kana || kanji || a == 0x81;
    p->strong += kana || a == 0x81 || (kanji && b >= 0x80);
}

static void pair_euc_kr(unsigned a, unsigned b, struct pairs *p)
{
    bool common = b >= 0xa1 && (within(a, 0xb0, 0xc8) || a == 0xa1 || a == 0xa3);

    p->common += common;
    p->strong += common;
}

static void pair_euc_jp(unsigned a, unsigned b, struct pairs *p)
{
    p->common += b >= 0xa1 && (within(a, 0xb0, 0xcf) || within(a, 0xa1, 0xa5));
    p->strong += b >= 0xa1 && (a == 0xa4 || a == 0xa5);
}

static void pair_gb(unsigned a, unsigned b, struct pairs *p)
{
    bool common = b >= 0xa1 && (within(a, 0xb0, 0xd7) || within(a, 0xa1, 0xa3));

    p->common += common;
    p->strong += common;
}

static void pair_big5(unsigned a, unsigned b, struct pairs *p)
{
    bool common = within(a, 0xa4, 0xc6) || within(a, 0xa1, 0xa3);

    p->common += common && (b >= 0xa1 || within(b, 0x40, 0x7e));
    p->strong += common && b >= 0xa1;
}

/* In the order in which they are tried. */
static const struct {
    const char *name;
    void (*pair)(unsigned a, unsigned b, struct pairs *p);
    unsigned strong; /* percent of the pairs, at least */
} candidates[] = {
    { "shift_jis", pair_shift_jis, 60 }, { "euc-jp", pair_euc_jp, 15 },
    { "euc-kr", pair_euc_kr, 85 },       { "gb18030", pair_gb, 85 },
    { "big5", pair_big5, 40 },
};

static bool fits_encoding(const struct buf *raw, size_t which)
{
    const unsigned char *p = (const unsigned char *) raw->data;
    size_t n = raw->len < SAMPLE ? raw->len : SAMPLE;
    struct pairs pairs = { 0 };

    for (size_t i = 0; i + 1 < n; i++) {
        if (p[i] < 0x80)
            continue;
        if (which == 0 && within(p[i], 0xa1, 0xdf)) /* katakana of one byte */
            continue;
        pairs.all++;
        candidates[which].pair(p[i], p[i + 1], &pairs);
        i++;
    }
    return pairs.all > 0 && pairs.common * 100 >= pairs.all * COMMON &&
           pairs.strong * 100 >= pairs.all * candidates[which].strong;
}

/* Cyrillic words are runs of bytes beyond ASCII; in Western ones those bytes are single. The most
 * frequent vowels and consonants say which encoding. NULL: not Cyrillic. */
static const char *cyrillic(const struct buf *raw)
{
    static const char windows[] = "\xe0\xe5\xe8\xee\xed\xf2", koi8[] = "\xc1\xc5\xc9\xcf\xce\xd4";
    size_t all = 0, in_runs = 0, as_windows = 0, as_koi8 = 0, run = 0;

    for (size_t i = 0; i < raw->len && i < SAMPLE; i++) {
        char c = raw->data[i];

        if (!((unsigned char) c & 0x80)) {
            run = 0;
            continue;
        }
        all++;
        run++;
        in_runs += run == 3 ? 3 : run > 3;
        as_windows += strchr(windows, c) != NULL;
        as_koi8 += strchr(koi8, c) != NULL;
    }
    if (in_runs * 10 < all * 7 || (as_windows > as_koi8 ? as_windows : as_koi8) * 100 < all * 35)
        return NULL;
    return as_windows >= as_koi8 ? "windows-1251" : "koi8-r";
}

static const char *guess(const struct buf *raw, struct buf *out)
{
    const char *name = cyrillic(raw);

    if (name && decode_text(raw, name, out) >= 0)
        return name;
    for (size_t i = 0; i < COUNT(candidates); i++) {
        if (!fits_encoding(raw, i))
            continue;
        if (decode_text(raw, candidates[i].name, out) == 0)
            return candidates[i].name;
        out->len = 0;
    }
    from_windows(raw, out);
    return "windows-1252";
}

int encoding_decode(const struct buf *raw, const char *name, struct buf *out, const char **guessed,
                    struct err *err)
{
    bool little = raw->len >= 2 && memcmp(raw->data, "\xff\xfe", 2) == 0;
    bool big = raw->len >= 2 && memcmp(raw->data, "\xfe\xff", 2) == 0;

    *guessed = NULL;
    if (!name && (little || big))
        name = little ? "utf-16le" : "utf-16be";
    if (!name && !utf8_is_valid(buf_text(raw), raw->len))
        *guessed = guess(raw, out);
    else if (!name)
        buf_put(out, raw->data, raw->len);
    else if (decode_text(raw, name, out) < 0)
        return err_set(err, ERR_INTERNAL, "the encoding %s is not installed", name);
    if (out->len >= 3 && memcmp(out->data, "\xef\xbb\xbf", 3) == 0)
        buf_drop(out, 3);
    return 0;
}
