#include "engine/office/encoding.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "declare/value/file_kind.h"

#define CHUNK       65536
#define SAMPLE      (1U << 20) /* looked through to guess */
#define COMMON      85         /* percent of the characters that are common, at least */
#define REPLACEMENT "\xef\xbf\xbd"

const char *const encoding_names[] = {
    "utf-8",        "utf-16le",     "utf-16be",     "windows-1250", "windows-1251", "windows-1252",
    "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258",
    "windows-874",  "koi8-r",       "shift_jis",    "euc-jp",       "iso-2022-jp",  "gb18030",
    "big5",         "euc-kr",       NULL,
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

/* A byte is not a character. */
static void put_wrong(struct buf *out, struct encoding_found *found)
{
    if (found->n_wrong++ == 0) {
        found->first_wrong = 1;
        for (size_t i = 0; i < out->len; i++)
            found->first_wrong += out->data[i] == '\n';
    }
    buf_puts(out, REPLACEMENT);
}

static void from_windows(const struct buf *in, struct buf *out, struct encoding_found *found)
{
    for (size_t i = 0; i < in->len; i++) {
        unsigned char c = (unsigned char) in->data[i];

        if (c >= 0x80 && c < 0xa0 && !windows_1252[c - 0x80])
            put_wrong(out, found);
        else
            utf8_put(c >= 0x80 && c < 0xa0 ? windows_1252[c - 0x80] : c, out);
    }
}

/* False if the encoding is not installed. */
static bool decode_text(const struct buf *in, const char *name, struct buf *out,
                        struct encoding_found *found)
{
    const char *known = name;
    char chunk[CHUNK], *at = in->data;
    size_t left = in->len;
    iconv_t how;

    *found = (struct encoding_found){ .name = name };
    for (size_t i = 0; i < COUNT(aliases); i++)
        if (strcmp(name, aliases[i].name) == 0)
            known = aliases[i].iconv;
    how = iconv_open("UTF-8", known);
    if (how == (iconv_t) -1)
        return false;
    while (left > 0) {
        char *to = chunk;
        size_t room = sizeof chunk;
        size_t done = iconv(how, &at, &left, &to, &room);
        int why = errno;

        buf_put(out, chunk, sizeof chunk - room);
        if (done != (size_t) -1 || why == E2BIG)
            continue;
        put_wrong(out, found);
        at++;
        left--;
    }
    {
        /* Some encodings hold back a letter that a mark may follow. */
        char *to = chunk;
        size_t room = sizeof chunk;

        iconv(how, NULL, NULL, &to, &room);
        buf_put(out, chunk, sizeof chunk - room);
    }
    iconv_close(how);
    return true;
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

static void guess(const struct buf *raw, struct buf *out, struct encoding_found *found)
{
    const char *name = cyrillic(raw);

    if (name && decode_text(raw, name, out, found))
        return;
    for (size_t i = 0; i < COUNT(candidates); i++) {
        if (!fits_encoding(raw, i))
            continue;
        if (decode_text(raw, candidates[i].name, out, found) && found->n_wrong == 0)
            return;
        out->len = 0;
    }
    *found = (struct encoding_found){ .name = "windows-1252" };
    from_windows(raw, out, found);
}

/* ISO-2022-JP has bytes of ASCII only, and escape sequences to JIS X 0208 (RFC 1468). */
static bool is_iso_2022_jp(const struct buf *raw)
{
    static const char *const escapes[] = { "\x1b$B", "\x1b$@", "\x1b(J" };

    for (size_t i = 0; i < raw->len; i++)
        if ((unsigned char) raw->data[i] >= 0x80)
            return false;
    for (size_t i = 0; i < COUNT(escapes); i++)
        if (memmem(buf_text(raw), raw->len, escapes[i], 3))
            return true;
    return false;
}

/* What the text itself says; NULL: nothing. */
static const char *stated(const struct buf *raw)
{
    if (raw->len >= 2 && memcmp(raw->data, "\xff\xfe", 2) == 0)
        return "utf-16le";
    if (raw->len >= 2 && memcmp(raw->data, "\xfe\xff", 2) == 0)
        return "utf-16be";
    return raw->len >= 3 && memcmp(raw->data, "\xef\xbb\xbf", 3) == 0 ? "utf-8" : NULL;
}

int encoding_decode(const struct buf *raw, const char *name, struct buf *out,
                    struct encoding_found *found, struct err *err)
{
    const char *unsaid = NULL; /* what is guessed, but beyond doubt */

    *found = (struct encoding_found){ 0 };
    if (!name && !(name = stated(raw)))
        name = unsaid =
            file_kind_utf16(buf_text(raw), raw->len < FILE_KIND_HEAD ? raw->len : FILE_KIND_HEAD);
    if (!name && is_iso_2022_jp(raw))
        name = unsaid = "iso-2022-jp";
    if (!name && utf8_is_valid(buf_text(raw), raw->len))
        buf_put(out, raw->data, raw->len);
    else if (!name)
        guess(raw, out, found);
    else if (!decode_text(raw, name, out, found))
        return err_set(err, ERR_INTERNAL, "the encoding %s is not installed", name);
    if (out->len >= 3 && memcmp(out->data, "\xef\xbb\xbf", 3) == 0)
        buf_drop(out, 3);
    found->guessed = found->name && name == unsaid;
    return 0;
}
