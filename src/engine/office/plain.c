/* plain: reading, and text documents. Sheets: csv.c. */
#include "engine/office/plain.h"

#include <stdio.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "engine/office/flat.h"

#define PLAIN_BYTES (100U << 20)

/* Leaves out control characters, which XML has no place for (XML 1.0, 2.2), U+FFFE and U+FFFF. */
static void clean(struct buf *text)
{
    size_t n = 0;

    for (size_t i = 0; i < text->len; i++) {
        unsigned char c = (unsigned char) text->data[i];

        if (c == 0xef && i + 2 < text->len && (unsigned char) text->data[i + 1] == 0xbf &&
            (unsigned char) text->data[i + 2] >= 0xbe) {
            i += 2;
            continue;
        }
        if (c >= ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f')
            text->data[n++] = (char) c;
    }
    text->len = n;
}

int plain_read(int fd, const char *encoding, struct buf *out, struct encoding_found *found,
               struct err *err)
{
    AUTO_BUF struct buf raw = BUF_EMPTY;

    if (lseek(fd, 0, SEEK_SET) < 0)
        return err_sys(err, "document");
    if (fdio_read_all(fd, PLAIN_BYTES, &raw, err) < 0)
        return err_set(err, ERR_LIMIT_EXCEEDED, "a text may have at most %u MB",
                       PLAIN_BYTES / 1000000);
    if (encoding_decode(&raw, encoding, out, found, err) < 0)
        return -1;
    clean(out);
    return out->failed ? err_set(err, ERR_LIMIT_EXCEEDED, "the text needs too much memory") : 0;
}

int plain_write_text(const struct buf *text, const char *path, struct err *err)
{
    AUTO_FCLOSE FILE *file = fopen(path, "we");
    const char *at = buf_text(text), *end = at + text->len;
    bool new_page = false;

    if (!file)
        return err_sys(err, "write the text");
    flat_begin_text(file);
    while (at < end) {
        const char *stop = at;

        while (stop < end && *stop != '\n' && *stop != '\r' && *stop != '\f')
            stop++;
        flat_paragraph(file, at, (size_t) (stop - at), new_page);
        new_page = stop < end && *stop == '\f';
        at = stop + 1 < end && *stop == '\r' && stop[1] == '\n' ? stop + 2 : stop + 1;
    }
    flat_end_text(file);
    return ferror(file) || fflush(file) ? err_sys(err, "write the text") : 0;
}
