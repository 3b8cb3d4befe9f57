#include "engine/office/extent.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define TABLE   "<table:table "
#define NAME    "table:name=\""
#define RANGES  "table:print-ranges=\""
#define APOS    "&apos;"
#define LETTERS 3 /* of a column; LibreOffice has at most 16384 */
#define ROWS    1048576.0

/* ODF 1.2 part 1, 3.10.2: the names of settings of a view. */
static const char *const places[] = {
    "config:name=\"CursorPositionX\"", "config:name=\"CursorPositionY\"",
    "config:name=\"PositionLeft\"",    "config:name=\"PositionRight\"",
    "config:name=\"PositionTop\"",     "config:name=\"PositionBottom\"",
};

static void zero_values(struct buf *flat, const char *name)
{
    char *end = flat->data + flat->len;

    for (char *at = flat->data; (at = memmem(at, (size_t) (end - at), name, strlen(name)));) {
        at = memchr(at, '>', (size_t) (end - at));
        if (!at)
            return;
        for (at++; at < end && *at >= '0' && *at <= '9'; at++)
            *at = '0';
    }
}

void extent_forget_cursors(struct buf *flat)
{
    for (size_t i = 0; flat->len && i < COUNT(places); i++)
        zero_values(flat, places[i]);
}

/* As LibreOffice writes an attribute's value. */
static void put_escaped(struct buf *out, const char *text)
{
    for (; *text; text++) {
        const char *as = *text == '&'    ? "&amp;"
                         : *text == '<'  ? "&lt;"
                         : *text == '>'  ? "&gt;"
                         : *text == '"'  ? "&quot;"
                         : *text == '\'' ? APOS
                                         : NULL;

        if (as)
            buf_puts(out, as);
        else
            buf_putc(out, *text);
    }
}

/* "Sheet.AB12" up to `end`, where the last full stop comes before the cell. */
static bool read_cell(const char *at, const char *end, double *column, double *row)
{
    const char *dot = memrchr(at, '.', (size_t) (end - at));
    size_t letters = 0;

    *column = 0;
    *row = 0;
    for (at = dot ? dot + 1 : end; at < end && letters < LETTERS; at++) {
        if (*at == '$')
            continue;
        if (*at < 'A' || *at > 'Z')
            break;
        *column = *column * 26 + (*at - 'A' + 1);
        letters++;
    }
    for (; at < end && *row < ROWS; at++)
        if (*at >= '0' && *at <= '9')
            *row = *row * 10 + (*at - '0');
    return *column > 0 && *row > 0;
}

/* "Sheet.A1:Sheet.B3", or one cell. */
static double range_cells(const char *at, const char *end)
{
    const char *colon = memchr(at, ':', (size_t) (end - at));
    double left, top, right, bottom;

    if (!read_cell(at, colon ? colon : end, &left, &top))
        return 0;
    if (!colon)
        return 1;
    if (!read_cell(colon + 1, end, &right, &bottom) || right < left || bottom < top)
        return 0;
    return (right - left + 1) * (bottom - top + 1);
}

/* The blank after a range, or `end`: names of sheets may have blanks between apostrophes. */
static const char *range_end(const char *at, const char *end)
{
    bool quoted = false;

    for (; at < end && (quoted || *at != ' '); at++)
        if (*at == '&' && (size_t) (end - at) >= strlen(APOS) &&
            memcmp(at, APOS, strlen(APOS)) == 0)
            quoted = !quoted;
    return at;
}

static double most_cells(const char *at, const char *end)
{
    double most = 0;

    while (at < end) {
        const char *stop = range_end(at, end);
        double cells = range_cells(at, stop);

        if (cells == 0)
            return 0;
        most = cells > most ? cells : most;
        at = stop < end ? stop + 1 : end;
    }
    return most;
}

double extent_print_cells(const struct buf *flat, const char *sheet)
{
    AUTO_BUF struct buf name = BUF_EMPTY;
    const char *at = buf_text(flat), *end = at + flat->len;

    buf_puts(&name, NAME);
    put_escaped(&name, sheet);
    buf_putc(&name, '"');
    while (!name.failed && (at = memmem(at, (size_t) (end - at), TABLE, strlen(TABLE)))) {
        const char *close = memchr(at, '>', (size_t) (end - at));
        size_t n = close ? (size_t) (close - at) : 0;
        const char *ranges = memmem(at, n, RANGES, strlen(RANGES));
        const char *quote;

        if (!close)
            return 0;
        if (ranges && memmem(at, n, name.data, name.len)) {
            ranges += strlen(RANGES);
            quote = memchr(ranges, '"', (size_t) (close - ranges));
            return most_cells(ranges, quote ? quote : close);
        }
        at = close;
    }
    return 0;
}
