/* csv: plain text as a sheet. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/scope.h"
#include "engine/office/flat.h"
#include "engine/office/plain.h"

#define ROWS        1048576
#define COLUMNS     16384
#define CELLS       5000000
#define WIDEST      60 /* characters; longer text is broken into lines */
#define SNIFF_LINES 100
#define SEPARATORS  ",;\t|"

struct csv {
    const char *at, *end;
    char separator;
};

/* The next field, unquoted, into `out` (emptied first). What follows it: the separator, '\n' at
 * the end of a row, '\0' at the end of the text. */
static char next_field(struct csv *csv, struct buf *out)
{
    bool quoted = csv->at < csv->end && *csv->at == '"';

    out->len = 0;
    if (quoted)
        csv->at++;
    for (; csv->at < csv->end; csv->at++) {
        char c = *csv->at;

        if (quoted && c == '"') {
            if (csv->at + 1 < csv->end && csv->at[1] == '"')
                csv->at++;
            else {
                quoted = false;
                continue;
            }
        } else if (!quoted && (c == csv->separator || c == '\n')) {
            csv->at++;
            return c;
        } else if (c == '\r' && csv->at + 1 < csv->end && csv->at[1] == '\n') {
            continue;
        }
        buf_putc(out, c == '\r' || c == '\f' ? '\n' : c);
    }
    return '\0';
}

/* How well a separator fits: in how many of the first rows it makes as many fields as in the
 * first, more than one. */
static size_t fit(const struct buf *text, char separator)
{
    struct csv csv = { text->data, text->data + text->len, separator };
    AUTO_BUF struct buf field = BUF_EMPTY;
    size_t first = 0, n = 0, same = 0;

    for (size_t row = 0; row < SNIFF_LINES;) {
        char after = next_field(&csv, &field);

        n++;
        if (after == separator)
            continue;
        if (row == 0)
            first = n;
        same += n == first && n > 1;
        row++;
        n = 0;
        if (after == '\0')
            break;
    }
    return same * 64 + (first < 64 ? first : 63);
}

/* Excel's own word: a first line "sep=;". */
static char find_separator(struct buf *text)
{
    char best = ',';
    size_t most = 0;

    if (text->len >= 5 && memcmp(text->data, "sep=", 4) == 0 &&
        (text->len == 5 || text->data[5] == '\n' || text->data[5] == '\r')) {
        const char *line = memchr(text->data, '\n', text->len);

        best = text->data[4];
        buf_drop(text, line ? (size_t) (line - text->data) + 1 : text->len);
        return best;
    }
    for (const char *s = SEPARATORS; *s; s++) {
        size_t n = fit(text, *s);

        if (n > most) {
            most = n;
            best = *s;
        }
    }
    return best;
}

/* Characters of the longest line; those of East Asian scripts are two wide. */
static size_t width_of(const struct buf *field)
{
    size_t width = 0, widest = 0;

    for (size_t i = 0; i < field->len; i++) {
        unsigned char c = (unsigned char) field->data[i];

        if (c == '\n')
            width = 0;
        else if ((c & 0xc0) != 0x80)
            width += c >= 0xe3 ? 2 : 1;
        if (width > widest)
            widest = width;
    }
    return widest < WIDEST ? widest : WIDEST;
}

static int measure_columns(const struct buf *text, char separator, size_t *widths,
                           size_t *n_columns, struct err *err)
{
    struct csv csv = { text->data, text->data + text->len, separator };
    AUTO_BUF struct buf field = BUF_EMPTY;
    size_t column = 0, rows = 1, cells = 0;

    while (csv.at < csv.end) {
        char after = next_field(&csv, &field);
        size_t width = width_of(&field);

        if (column == COLUMNS || rows > ROWS || ++cells > CELLS || field.failed)
            return err_set(err, ERR_LIMIT_EXCEEDED,
                           "a sheet holds at most %d rows, %d columns and %d cells", ROWS, COLUMNS,
                           CELLS);
        if (width > widths[column])
            widths[column] = width;
        column++;
        if (column > *n_columns)
            *n_columns = column;
        if (after == '\n') {
            column = 0;
            rows++;
        }
    }
    return 0;
}

static void write_rows(const struct buf *text, char separator, FILE *file)
{
    struct csv csv = { text->data, text->data + text->len, separator };
    AUTO_BUF struct buf field = BUF_EMPTY;
    bool in_row = false;

    while (csv.at < csv.end) {
        char after = next_field(&csv, &field);

        if (!in_row)
            flat_begin_row(file);
        flat_cell(file, buf_text(&field), field.len);
        in_row = after == separator;
        if (!in_row)
            flat_end_row(file);
    }
    if (in_row)
        flat_end_row(file);
}

int csv_write_sheet(const struct buf *text, const char *path, struct err *err)
{
    AUTO_FCLOSE FILE *file = fopen(path, "we");
    AUTO_FREE size_t *widths = calloc(COLUMNS, sizeof *widths);
    AUTO_BUF struct buf own = BUF_EMPTY;
    size_t n_columns = 0;
    char separator;

    if (!file || !widths)
        return err_sys(err, "write the sheet");
    buf_put(&own, buf_text(text), text->len);
    if (own.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the text needs too much memory");
    separator = find_separator(&own);
    if (measure_columns(&own, separator, widths, &n_columns, err) < 0)
        return -1;
    flat_begin_sheet(file, widths, n_columns ? n_columns : 1);
    write_rows(&own, separator, file);
    flat_end_sheet(file);
    return ferror(file) || fflush(file) ? err_sys(err, "write the sheet") : 0;
}
