#include "engine/office/columns.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <string.h>

#include "base/buf.h"
#include "engine/office/zip.h"

#define SHEET_BYTES (64 << 20) /* a larger sheet is left as it is */
#define NAME_BYTES  1024
#define CHUNK       65536
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

static int broken(struct err *err)
{
    return err_set(err, ERR_CORRUPT_FILE, "a part of the document cannot be unpacked");
}

/* Copies the entry that `from` is at as it is packed. */
static int copy_entry(unzFile from, zipFile to, const char *name, const unz_file_info64 *info,
                      struct err *err)
{
    const zip_fileinfo no_time = { .dosDate = 0 };
    int method, level, n = 0;
    char chunk[CHUNK];

    if (unzOpenCurrentFile2(from, &method, &level, 1) != UNZ_OK)
        return broken(err);
    if (zipOpenNewFileInZip2_64(to, name, &no_time, NULL, 0, NULL, 0, NULL, method, level, 1, 1) ==
        ZIP_OK)
        while ((n = unzReadCurrentFile(from, chunk, sizeof chunk)) > 0)
            if (zipWriteInFileInZip(to, chunk, (unsigned) n) != ZIP_OK)
                break;
    unzCloseCurrentFile(from);
    if (n != 0 || zipCloseFileInZipRaw64(to, info->uncompressed_size, info->crc) != ZIP_OK)
        return broken(err);
    return 0;
}

static int put_entry(zipFile to, const char *name, const struct buf *xml, struct err *err)
{
    const zip_fileinfo no_time = { .dosDate = 0 };

    if (zipOpenNewFileInZip64(to, name, &no_time, NULL, 0, NULL, 0, NULL, Z_DEFLATED, 1, 0) !=
            ZIP_OK ||
        zipWriteInFileInZip(to, xml->data, (unsigned) xml->len) != ZIP_OK ||
        zipCloseFileInZip(to) != ZIP_OK)
        return err_set(err, ERR_INTERNAL, "the workbook could not be written");
    return 0;
}

/* Reads the entry that `from` is at. False if it cannot be, or is too large. */
static bool read_entry(unzFile from, const unz_file_info64 *info, struct buf *out)
{
    char chunk[CHUNK];
    int n = -1;

    if (info->uncompressed_size > SHEET_BYTES || unzOpenCurrentFile(from) != UNZ_OK)
        return false;
    while ((n = unzReadCurrentFile(from, chunk, sizeof chunk)) > 0 && out->len <= SHEET_BYTES)
        buf_put(out, chunk, (size_t) n);
    unzCloseCurrentFile(from);
    return n == 0 && !out->failed;
}

/* Goes through all entries; writes them unless `to` is NULL. Returns how many sheets are endless,
 * or -1. */
static int walk(unzFile from, zipFile to, bool scaled, struct err *err)
{
    int n = 0;

    for (int more = unzGoToFirstFile(from); more == UNZ_OK; more = unzGoToNextFile(from)) {
        AUTO_BUF struct buf xml = BUF_EMPTY;
        unz_file_info64 info;
        char name[NAME_BYTES] = "";
        bool endless;

        if (unzGetCurrentFileInfo64(from, &info, name, sizeof name - 1, NULL, 0, NULL, 0) != UNZ_OK)
            return broken(err);
        endless = is_sheet(name) && read_entry(from, &info, &xml) && is_endless(&xml, scaled);
        n += endless;
        if (endless)
            blank_formats(&xml);
        if (to &&
            (endless ? put_entry(to, name, &xml, err) : copy_entry(from, to, name, &info, err)) < 0)
            return -1;
    }
    return n;
}

int columns_trim(const char *from, const char *to, bool scaled, struct err *err)
{
    unzFile file = unzOpen64(from);
    zipFile out;
    int n;

    if (!file)
        return broken(err);
    n = walk(file, NULL, scaled, err);
    out = n > 0 ? zipOpen64(to, APPEND_STATUS_CREATE) : NULL;
    if (n > 0 && !out)
        n = err_set(err, ERR_INTERNAL, "the workbook could not be written");
    if (out) {
        n = walk(file, out, scaled, err);
        if (zipClose(out, NULL) != ZIP_OK && n >= 0)
            n = err_set(err, ERR_INTERNAL, "the workbook could not be written");
    }
    unzClose(file);
    return n > 0 ? 1 : n;
}
