#include "engine/office_parts/columns.h"

#include <string.h>

#include "base/buf.h"
#include "engine/office_parts/rewrite.h"
#include "engine/office_parts/zip.h"

#define SHEET_BYTES (64 << 20) /* a larger sheet is left as it is */
#define LAST_COLUMN "max=\"16384\""

static bool is_sheet(const char *name)
{
    return strncmp(name, "xl/worksheets/sheet", 19) == 0 && zip_is_xml(name);
}

/* The columns of a sheet: from after "<cols>" to its end, *n bytes. NULL: none. */
static char *find_columns(const struct buf *xml, size_t *n)
{
    char *begin = memmem(xml->data, xml->len, "cols>", 5);
    char *end;

    if (!begin)
        return NULL;
    begin += 5;
    end = memmem(begin, xml->len - (size_t) (begin - xml->data), "</", 2);
    *n = end ? (size_t) (end - begin) : 0;
    return end ? begin : NULL;
}

static bool has_text(const char *data, size_t n, const char *text)
{
    return memmem(data, n, text, strlen(text)) != NULL;
}

/* Whether LibreOffice would take far too long to print the sheet. */
static bool is_endless(const struct buf *xml, bool scaled)
{
    size_t n = 0;
    const char *columns = xml->len > 0 ? find_columns(xml, &n) : NULL;

    return columns && has_text(columns, n, LAST_COLUMN) && has_text(columns, n, " style=\"") &&
           (scaled || has_text(xml->data, xml->len, "fitToPage=\"1\"") ||
            has_text(xml->data, xml->len, "fitToPage=\"true\"") ||
            has_text(xml->data, xml->len, "drawing r:id="));
}

/* Writes blanks over the formats of the columns. */
static void blank_formats(struct buf *xml)
{
    size_t n = 0;
    char *columns = find_columns(xml, &n);
    char *end = columns + n;

    for (char *at = columns; (at = memmem(at, (size_t) (end - at), " style=\"", 8));) {
        char *quote = memchr(at + 8, '"', (size_t) (end - at) - 8);

        if (!quote)
            break;
        memset(at, ' ', (size_t) (quote - at) + 1);
    }
}

static bool wants(void *arg, const char *name)
{
    (void) arg;
    return is_sheet(name);
}

static bool change(void *arg, const char *name, struct buf *xml)
{
    const bool *scaled = arg;

    (void) name;
    if (!is_endless(xml, *scaled))
        return false;
    blank_formats(xml);
    return true;
}

int columns_trim(const char *from, const char *to, bool scaled, struct err *err)
{
    const struct rewrite what = {
        .part_bytes = SHEET_BYTES, .wants = wants, .change = change, .arg = &scaled
    };

    return rewrite_parts(from, to, &what, err);
}
