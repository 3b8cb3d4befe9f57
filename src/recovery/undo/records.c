#include "recovery/undo/records.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"

#define MARKS_MAX   1000000U
#define DIGITS      7  /* of the size of a chunk */
#define SHORTEST    60 /* bytes of lines that are broken */
#define DOUBLED_MIN 8  /* fewer may be chance */

struct mark {
    size_t from, until; /* bytes of the mark */
    size_t size;        /* it says */
    bool linked;        /* it leads to another one, or another one to it */
};

struct marks {
    struct mark *list;
    size_t n, cap;
};

static size_t eol_at(const unsigned char *data, size_t n, size_t at)
{
    if (at < n && data[at] == '\n')
        return 1;
    return at + 1 < n && data[at] == '\r' && data[at + 1] == '\n' ? 2 : 0;
}

/* A line that holds nothing but the size of a chunk; the line end before it belongs to the mark. */
static bool mark_at(const unsigned char *data, size_t n, size_t at, struct mark *mark)
{
    size_t before = at == 0 ? 0 : eol_at(data, n, at), digits = 0, after;

    if (at > 0 && before == 0)
        return false;
    *mark = (struct mark){ .from = at };
    for (at += before; digits < DIGITS && at < n && num_hex_digit((char) data[at]) >= 0; digits++)
        mark->size = mark->size * 16 + (size_t) num_hex_digit((char) data[at++]);
    while (at < n && data[at] == ' ') /* some servers fill up */
        at++;
    after = eol_at(data, n, at);
    mark->until = at + after;
    return digits > 0 && after > 0;
}

static bool add_mark(struct marks *marks, const struct mark *mark)
{
    if (marks->n == marks->cap) {
        size_t cap = marks->cap ? marks->cap * 2 : 64;
        struct mark *more =
            marks->n < MARKS_MAX ? reallocarray(marks->list, cap, sizeof *more) : NULL;

        if (!more)
            return false;
        marks->list = more;
        marks->cap = cap;
    }
    marks->list[marks->n++] = *mark;
    return true;
}

static int compare_place(const void *key, const void *element)
{
    size_t place = *(const size_t *) key;
    const struct mark *mark = element;

    return (place > mark->from) - (place < mark->from);
}

/* Marks what leads from one to the next; how many links there are. */
static size_t link_marks(struct marks *marks)
{
    size_t links = 0;

    for (size_t i = 0; i < marks->n; i++) {
        struct mark *mark = &marks->list[i];
        size_t place = mark->until + mark->size;
        struct mark *next =
            mark->size ? bsearch(&place, marks->list, marks->n, sizeof *marks->list, compare_place)
                       : NULL;

        if (!next)
            continue;
        mark->linked = next->linked = true;
        links++;
    }
    return links;
}

bool records_chunks(const unsigned char *data, size_t n, struct buf *out)
{
    AUTO_FREE struct mark *list = NULL;
    struct marks marks = { 0 };
    struct mark mark;
    size_t links, at = 0;

    for (size_t i = 0; i < n; i++)
        if ((i == 0 || data[i] == '\r' || (data[i] == '\n' && data[i - 1] != '\r')) &&
            mark_at(data, n, i, &mark) && !add_mark(&marks, &mark))
            break;
    list = marks.list;
    links = link_marks(&marks);
    if (links < 1)
        return false;
    for (size_t i = 0; i < marks.n; i++) {
        const struct mark *found = &marks.list[i];

        if (!found->linked || found->from < at)
            continue;
        /* Only response headers may precede the first one. */
        if (at > 0 || found->from == 0)
            buf_put(out, data + at, found->from - at);
        else if (memmem(data, found->from, "%PDF-", 5) != NULL)
            buf_put(out, data, found->from);
        at = found->until;
        if (found->size == 0)
            break;
    }
    if (at < n && !(marks.n && marks.list[marks.n - 1].size == 0 && at >= n - 2))
        buf_put(out, data + at, n - at);
    return !out->failed;
}

/* The length of the line from `at` on, without its end. */
static size_t line_length(const unsigned char *data, size_t n, size_t at, size_t *end)
{
    const unsigned char *lf = memchr(data + at, '\n', n - at);
    size_t stop = lf ? (size_t) (lf - data) : n;

    *end = lf ? stop + 1 : n;
    return (stop > at && lf && data[stop - 1] == '\r' ? stop - 1 : stop) - at;
}

bool records_long_lines(const unsigned char *data, size_t n, struct buf *out)
{
    size_t longest = 0, times = 0, end;

    for (size_t at = 0; at < n; at = end) {
        size_t length = line_length(data, n, at, &end);

        if (end == n)
            break; /* the last has no limit that shows */
        times = length > longest ? 1 : times + (length == longest);
        longest = length > longest ? length : longest;
    }
    if (times < 2 || longest < SHORTEST)
        return false;
    for (size_t at = 0; at < n; at = end) {
        size_t length = line_length(data, n, at, &end);

        buf_put(out, data + at, length == longest && end < n ? length : end - at);
    }
    return !out->failed;
}

bool records_doubled(const unsigned char *data, size_t n, struct buf *out)
{
    size_t pairs = 0, odd = 0;
    const unsigned char *end = data + n, *at, *from = data;

    for (at = data; at < end && (at = memchr(at, 0xff, (size_t) (end - at))); at++) {
        bool next = at + 1 < end && at[1] == 0xff;

        pairs += next;
        odd += !next;
        at += next;
    }
    if (pairs < DOUBLED_MIN || odd > pairs / 20)
        return false;
    while (from < end && (at = memchr(from, 0xff, (size_t) (end - from)))) {
        buf_put(out, from, (size_t) (at + 1 - from));
        from = at + 1 + (at + 1 < end && at[1] == 0xff);
    }
    buf_put(out, from, (size_t) (end - from));
    return !out->failed;
}

bool records_dots(const unsigned char *data, size_t n, struct buf *out)
{
    size_t doubled = 0;

    if (n < 2 || !memmem(data, n, "\n.", 2))
        return false;
    for (size_t i = 0; i < n; i++) {
        bool begins = data[i] == '.' && i > 0 && data[i - 1] == '\n';

        if (begins && (i + 1 == n || data[i + 1] != '.'))
            return false;
        doubled += begins;
        i += begins; /* the first of the two */
        buf_putc(out, (char) data[i]);
    }
    return doubled > 0 && !out->failed;
}

bool records_tabs(const unsigned char *data, size_t n, size_t blanks, struct buf *out)
{
    static const char tab[] = "        ";
    size_t run = 0, tabs = 0;

    if (blanks >= sizeof tab || n < blanks || !memmem(data, n, tab, blanks))
        return false;
    for (size_t i = 0; i < n; i++) {
        run = data[i] == ' ' ? run + 1 : 0;
        buf_putc(out, (char) data[i]);
        if (run == blanks) {
            out->len -= blanks;
            buf_putc(out, '\t');
            run = 0;
            tabs++;
        }
    }
    return tabs > 0 && !out->failed;
}
