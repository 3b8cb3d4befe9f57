#include "engine/office_binary/formulas.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/octets.h"
#include "base/scope.h"
#include "engine/office_binary/ole.h"
#include "engine/office_parts/zip.h"

#define STREAM_BYTES (512U << 20)
#define FILE_PASS    0x2f /* [MS-XLS] 2.4.117: what follows is encrypted, but not its lengths */
#define FORMULA      0x06 /* [MS-XLS] 2.4.127; of BIFF3 and BIFF4 with one more digit */
#define VALUE_BYTES  8
#define FMLA_FIRST   8 /* [MS-XLSB] 2.3.2: BrtFmlaString to BrtFmlaError */
#define FMLA_ERROR   11

/* [MS-XLS] 2.5.133, FormulaValue. */
static bool stores_error(const char *value)
{
    return value[0] == 2 && octets_le16(value + 6) == 0xffff;
}

/* The result comes after the row, the column and the format of the cell, which has a byte more in
 * the files of Excel 2 (BIFF2). */
static void count_xls(const struct buf *stream, struct formulas *formulas)
{
    const char *at = buf_text(stream), *end = at + stream->len;
    bool biff2 = stream->len > 2 && octets_le16(at) == 0x09;

    while (end - at >= 4) {
        unsigned type = octets_le16(at), n = octets_le16(at + 2);
        size_t before = biff2 ? 7 : 6;

        at += 4;
        if ((size_t) (end - at) < n)
            return;
        formulas->encrypted |= type == FILE_PASS;
        if ((type == FORMULA || type == (FORMULA | 0x200) || type == (FORMULA | 0x400)) &&
            n >= before + VALUE_BYTES) {
            formulas->n++;
            formulas->errors += stores_error(at + before);
        }
        at += n;
    }
}

/* [MS-XLSB] 2.1.4: seven bits a byte, of a type in at most two bytes, of a length in four. */
static bool next_number(const char **at, const char *end, int bytes, size_t *number)
{
    *number = 0;
    for (int i = 0; i < bytes && *at < end; i++) {
        unsigned char c = (unsigned char) *(*at)++;

        *number |= (size_t) (c & 0x7f) << (7 * i);
        if (!(c & 0x80))
            return true;
    }
    return bytes > 0 && *at < end;
}

static void count_xlsb(const struct buf *part, struct formulas *formulas)
{
    const char *at = buf_text(part), *end = at + part->len;
    size_t type, n;

    while (next_number(&at, end, 2, &type) && next_number(&at, end, 4, &n) &&
           n <= (size_t) (end - at)) {
        formulas->n += type >= FMLA_FIRST && type <= FMLA_ERROR;
        formulas->errors += type == FMLA_ERROR;
        at += n;
    }
}

int formulas_xlsb(const char *path, struct formulas *formulas, struct err *err)
{
    AUTO_ZIP struct zip *zip = zip_open(path, err);
    const char *name;

    *formulas = (struct formulas){ 0 };
    if (!zip)
        return -1;
    for (size_t i = 0; (name = zip_name(zip, i)); i++) {
        AUTO_BUF struct buf part = BUF_EMPTY;
        size_t n = strlen(name);

        if (!strstr(name, "worksheets/") || n < 4 || strcasecmp(name + n - 4, ".bin") != 0)
            continue;
        if (zip_read(zip, name, STREAM_BYTES, &part, err) < 0)
            return -1;
        count_xlsb(&part, formulas);
    }
    return 0;
}

int formulas_xls(int fd, struct formulas *formulas, struct err *err)
{
    AUTO_BUF struct buf stream = BUF_EMPTY;
    AUTO_OLE struct ole *ole = NULL;
    char first = 0;
    int found;

    *formulas = (struct formulas){ 0 };
    if (fdio_read_at(fd, &first, 1, 0, err) < 0)
        return -1;
    if (first == 9) { /* a stream of BIFF2 to BIFF4, in no compound file */
        if (lseek(fd, 0, SEEK_SET) < 0)
            return err_sys(err, "document");
        if (fdio_read_all(fd, STREAM_BYTES, &stream, err) < 0)
            return -1;
        count_xls(&stream, formulas);
        return 0;
    }
    ole = ole_open(fd, err);
    if (!ole)
        return -1;
    found = ole_read(ole, "Workbook", STREAM_BYTES, &stream, err);
    if (found == 0)
        found = ole_read(ole, "Book", STREAM_BYTES, &stream, err);
    if (found < 0)
        return -1;
    count_xls(&stream, formulas);
    return 0;
}

int formulas_failed(const char *flat, size_t *n, struct err *err)
{
    AUTO_FCLOSE FILE *file = fopen(flat, "re");
    AUTO_FREE char *tag = NULL;
    size_t room = 0;

    *n = 0;
    if (!file)
        return err_sys(err, "read the sheets");
    while (getdelim(&tag, &room, '>', file) > 0)
        *n += strstr(tag, "calcext:value-type=\"error\"") != NULL;
    return ferror(file) ? err_sys(err, "read the sheets") : 0;
}
