#include "recovery/undo/text_mode.h"

#include <stdint.h>
#include <string.h>

#include "recovery/inflate_repair/zstream.h"

#define LINES        16U /* fewer line ends prove nothing */
#define UNPACKED_MAX (256U << 20)
#define TRIES        20000U       /* streams unpacked in search of one line end */
#define TRIES_BYTES  (256U << 20) /* and bytes of them */

#define ODD 20 /* one line end in this many may be another */

/* Line ends that were one, two or three bytes, and what they are made. */
static const struct kind {
    const char *now, *before;
    bool alone; /* no other byte of a line end is in the file */
} kinds[TEXT_MODE_LINES] = {
    { "\r\n", "\n", false }, { "\r\r\n", "\n", false }, { "\n\r", "\n", false },
    { "\n", "\r\n", true },  { "\r", "\n", true },
};

static bool has_only(const unsigned char *data, size_t n, char byte)
{
    return memchr(data, byte == '\n' ? '\r' : '\n', n) == NULL;
}

bool text_mode_lines(const unsigned char *data, size_t n, unsigned variant, struct buf *out)
{
    const struct kind *kind = &kinds[variant];
    size_t length = strlen(kind->now), ends = 0, others = 0;

    if (n == 0 || (kind->alone && !has_only(data, n, kind->now[0])))
        return false;
    for (size_t i = 0; i < n; i++) {
        bool is = n - i >= length && memcmp(data + i, kind->now, length) == 0;

        ends += is;
        others += !is && data[i] == '\n';
        if (is)
            buf_puts(out, kind->before);
        else
            buf_putc(out, (char) data[i]);
        i += is ? length - 1 : 0;
    }
    return ends >= LINES && others <= ends / ODD && !out->failed;
}

/* Line ends of the stream: places of CR LF, or of LF. */
struct ends {
    size_t crlf, lone_lf;
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
