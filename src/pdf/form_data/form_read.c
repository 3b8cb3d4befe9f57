#include "pdf/form_data/form_read.h"

#include <string.h>

#include "base/utf8.h"
#include "pdf/form_data/form_formats.h"

static bool data_begins(const char *bytes, size_t n, const char *with)
{
    return n >= strlen(with) && memcmp(bytes, with, strlen(with)) == 0;
}

int form_values_read(struct form_values *values, const struct buf *bytes, struct err *err)
{
    const char *at = buf_text(bytes);
    size_t n = bytes->len, skipped;

    if (data_begins(at, n, "%FDF"))
        return form_fdf_read(values, at, n, err);
    if (data_begins(at, n, "\xFE\xFF") || data_begins(at, n, "\xFF\xFE"))
        return form_xfdf_read(values, at, n, err); /* UTF-16 */
    if (data_begins(at, n, "\xEF\xBB\xBF"))
        at += 3, n -= 3;
    skipped = strspn(at, " \t\r\n");
    if (data_begins(at + skipped, n - skipped, "<"))
        return form_xfdf_read(values, at, n, err);
    if (!utf8_is_valid(at, n) || memchr(at, '\0', n))
        return form_values_wrong(err, "the data is not UTF-8: save it in this encoding");
    if (skipped == n)
        return form_values_wrong(err, "the data is empty: give JSON, XFDF, FDF or CSV");
    if (at[skipped] == '{' || at[skipped] == '[')
        return form_json_read(values, at, n, err);
    return form_csv_read(values, at, n, err);
}
