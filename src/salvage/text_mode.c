#include "salvage/text_mode.h"

#include <stdint.h>
#include <string.h>

#include "base/scope.h"
#include "salvage/syntax.h"
#include "salvage/zstream.h"

#define LINES        32U   /* fewer line ends prove nothing, */
#define BINARY       1024U /* nor do they where there is less of what is no text */
#define UNPACKED_MAX (256U << 20)
#define TRIES        20000U       /* streams unpacked in search of one line end */
#define TRIES_BYTES  (256U << 20) /* and bytes of them */

/* Code points above 127 of Windows-1252 that are not those of Latin-1. */
static const struct {
    unsigned point;
    unsigned char byte;
} windows_1252[] = {
    { 0x20AC, 0x80 }, { 0x201A, 0x82 }, { 0x0192, 0x83 }, { 0x201E, 0x84 }, { 0x2026, 0x85 },
    { 0x2020, 0x86 }, { 0x2021, 0x87 }, { 0x02C6, 0x88 }, { 0x2030, 0x89 }, { 0x0160, 0x8A },
    { 0x2039, 0x8B }, { 0x0152, 0x8C }, { 0x017D, 0x8E }, { 0x2018, 0x91 }, { 0x2019, 0x92 },
    { 0x201C, 0x93 }, { 0x201D, 0x94 }, { 0x2022, 0x95 }, { 0x2013, 0x96 }, { 0x2014, 0x97 },
    { 0x02DC, 0x98 }, { 0x2122, 0x99 }, { 0x0161, 0x9A }, { 0x203A, 0x9B }, { 0x0153, 0x9C },
    { 0x017E, 0x9E }, { 0x0178, 0x9F },
};

int text_mode_byte(unsigned point)
{
    if (point < 0x100)
        return (int) point;
    for (size_t i = 0; i < sizeof windows_1252 / sizeof *windows_1252; i++)
        if (windows_1252[i].point == point)
            return windows_1252[i].byte;
    return -1;
}

/* The byte that the UTF-8 at `data` stands for, and how long it is; -1: none. */
static int byte_of(const unsigned char *data, size_t n, size_t *used)
{
    unsigned point;

    if (data[0] < 0x80) {
        *used = 1;
        return data[0];
    }
    if ((data[0] & 0xe0) == 0xc0 && n >= 2 && (data[1] & 0xc0) == 0x80) {
        *used = 2;
        point = (data[0] & 0x1fU) << 6 | (data[1] & 0x3fU);
    } else if ((data[0] & 0xf0) == 0xe0 && n >= 3 && (data[1] & 0xc0) == 0x80 &&
               (data[2] & 0xc0) == 0x80) {
        *used = 3;
        point = (data[0] & 0xfU) << 12 | (data[1] & 0x3fU) << 6 | (data[2] & 0x3fU);
    } else {
        return -1;
    }
    return point < 0x80 ? -1 : text_mode_byte(point);
}

bool text_mode_decode(const unsigned char *data, size_t n, struct buf *out)
{
    size_t high = 0, at = 0, used, odd = 0;

    for (; at < n; at += used) {
        int byte = byte_of(data + at, n - at, &used);

        if (byte < 0) {
            used = 1;
            odd++;
        }
        high += byte >= 0x80;
        if (odd > (high + (n - at)) / 50)
            return false; /* whatever follows */
    }
    /* Binary data by chance is hardly ever this. A few odd bytes may be other damage. */
    if (high < 64 || odd > high / 50)
        return false;
    for (at = 0; at < n; at += used) {
        int byte = byte_of(data + at, n - at, &used);

        if (byte < 0) {
            used = 1;
            byte = data[at];
        }
        buf_putc(out, (char) byte);
    }
    return !out->failed;
}

/* The bytes of a line end around the LF at `at`, 0: it is not of this kind. */
static size_t line_end(const unsigned char *data, size_t n, size_t at, const char *kind,
                       size_t before)
{
    size_t length = strlen(kind);

    return at >= before && n - at >= length - before &&
                   memcmp(data + at - before, kind, length) == 0
               ? length
               : 0;
}

/* Whether a table or an object begins where the last startxref says. */
static bool has_place(const unsigned char *data, size_t n)
{
    static const char word[] = "startxref";
    struct syntax s = { .data = data, .n = n };
    uint64_t place;

    for (s.at = n > sizeof word ? n - sizeof word : 0; s.at > 0; s.at--)
        if (memcmp(data + s.at, word, sizeof word - 1) == 0)
            break;
    if (s.at == 0)
        return false;
    s.at += sizeof word - 1;
    syntax_skip_space(&s);
    if (!syntax_unsigned(&s, &place) || place >= n)
        return false;
    s.at = (size_t) place;
    if (syntax_skip_word(&s, "xref"))
        return true;
    for (int i = 0; i < 2; i++, syntax_skip_space(&s))
        if (!syntax_unsigned(&s, &place))
            return false;
    return syntax_skip_word(&s, "obj");
}

bool text_mode_lines(const unsigned char *data, size_t n, struct buf *out)
{
    static const struct {
        const char *bytes;
        size_t before; /* the LF */
    } kinds[] = { { "\r\r\n", 2 }, { "\n\r", 0 }, { "\r\n", 1 } };
    size_t odd[COUNT(kinds)] = { 0 }, all = 0, high = 0, kind = 0;

    for (size_t i = 0; i < n; i++) {
        high += data[i] >= 0x80;
        all += data[i] == '\n';
        for (size_t k = 0; data[i] == '\n' && k < COUNT(kinds); k++)
            odd[k] += line_end(data, n, i, kinds[k].bytes, kinds[k].before) == 0;
    }
    while (kind < COUNT(kinds) && odd[kind] > 1) /* the last may have lost a byte */
        kind++;
    if (kind == COUNT(kinds) || all < LINES || high < BINARY || has_place(data, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t at = i + kinds[kind].before;
        size_t length = at < n && data[at] == '\n'
                            ? line_end(data, n, at, kinds[kind].bytes, kinds[kind].before)
                            : 0;

        buf_putc(out, (char) (length ? '\n' : data[i]));
        i += length ? length - 1 : 0;
    }
    return !out->failed;
}

/* Line ends of the stream: places of CR LF, or of LF. */
struct ends {
    size_t crlf, lone_lf, lone_cr;
};

static struct ends count_ends(const unsigned char *data, size_t n)
{
    struct ends ends = { 0 };

    for (size_t i = 0; i < n; i++) {
        if (data[i] == '\r' && i + 1 < n && data[i + 1] == '\n') {
            ends.crlf++;
            i++;
        } else if (data[i] == '\n') {
            ends.lone_lf++;
        } else if (data[i] == '\r') {
            ends.lone_cr++;
        }
    }
    return ends;
}

/* Every CR LF as LF, but for the one numbered `kept` (none: SIZE_MAX). */
static void join_lines(const unsigned char *data, size_t n, size_t kept, struct buf *out)
{
    size_t seen = 0;

    for (size_t i = 0; i < n; i++)
        if (!(data[i] == '\r' && i + 1 < n && data[i + 1] == '\n' && seen++ != kept))
            buf_putc(out, (char) data[i]);
}

/* A CR put before the LF numbered `which`. */
static void split_line(const unsigned char *data, size_t n, size_t which, struct buf *out)
{
    size_t seen = 0;

    for (size_t i = 0; i < n; i++) {
        if (data[i] == '\n' && seen++ == which)
            buf_putc(out, '\r');
        buf_putc(out, (char) data[i]);
    }
}

static bool sound(const struct buf *buf, size_t *effort)
{
    return !buf->failed &&
           zstream_try((const unsigned char *) buf->data, buf->len, UNPACKED_MAX, effort);
}

/* One try after the other, each with another line end, until the check sum is right. */
static bool try_each(const unsigned char *data, size_t n, size_t places,
                     void (*make)(const unsigned char *, size_t, size_t, struct buf *),
                     size_t *effort, struct buf *out)
{
    size_t tries = places < TRIES ? places : TRIES;

    if (n && tries > TRIES_BYTES / n)
        tries = TRIES_BYTES / n;
    for (size_t i = 0; i < tries && *effort; i++) {
        buf_free(out);
        make(data, n, i, out);
        if (sound(out, effort))
            return true;
    }
    return false;
}

bool text_mode_undo(const unsigned char *data, size_t n, struct text length, size_t *effort,
                    struct buf *out)
{
    struct ends ends = count_ends(data, n);
    uint64_t declared;
    size_t missing;

    if (!text_number(length, &declared))
        declared = 0;
    if (ends.lone_lf == 0 && ends.crlf > 0) {
        join_lines(data, n, SIZE_MAX, out);
        if (sound(out, effort))
            return true;
        missing = declared > n - ends.crlf ? (size_t) declared - (n - ends.crlf) : 1;
        if (missing <= 2 && try_each(data, n, ends.crlf, join_lines, effort, out))
            return true;
    } else if (ends.crlf == 0 && ends.lone_lf > 0) {
        missing = declared > n ? (size_t) declared - n : 1;
        if (missing <= 2 && try_each(data, n, ends.lone_lf, split_line, effort, out))
            return true;
    }
    return false;
}
