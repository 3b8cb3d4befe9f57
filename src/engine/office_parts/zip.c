#include "engine/office_parts/zip.h"

#include <minizip/unzip.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

/* LibreOffice holds much of a document in memory: what is beyond this it would not live through.
 * Sizes are those the file names; beyond them it does not unpack, and memory and time have limits
 * of their own (sandbox/confinement/rlimits.h). */
#define ENTRIES     20000
#define TOTAL_BYTES 2000000000U
#define XML_BYTES   256000000U
#define LARGE_BYTES 64000000U /* an entry from here on is not believed to be ... */
#define LARGE_RATIO 300       /* ... packed better than this: XML reaches 50, bombs 1000 */
#define NAME_BYTES  1024
#define CHUNK       65536

struct zip {
    unzFile file;
    char name[NAME_BYTES];
};

struct totals {
    uint64_t all, xml;
};

bool zip_is_xml(const char *name)
{
    size_t n = strlen(name);

    return n > 4 && strcasecmp(name + n - 4, ".xml") == 0;
}

static int check_entry(unzFile file, struct totals *totals, struct err *err)
{
    unz_file_info64 info;
    char name[NAME_BYTES] = "";

    if (unzGetCurrentFileInfo64(file, &info, name, sizeof name - 1, NULL, 0, NULL, 0) != UNZ_OK)
        return err_set(err, ERR_CORRUPT_FILE, "the document's ZIP directory is damaged");
    if (info.uncompressed_size > TOTAL_BYTES ||
        (totals->all += info.uncompressed_size) > TOTAL_BYTES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document unpacks to more than %u MB",
                       TOTAL_BYTES / 1000000);
    if (zip_is_xml(name) && (totals->xml += info.uncompressed_size) > XML_BYTES)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "the document is more than %u MB without its pictures: divide it",
                       XML_BYTES / 1000000);
    if (info.uncompressed_size > LARGE_BYTES &&
        info.uncompressed_size / LARGE_RATIO > info.compressed_size)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "a part of the document unpacks to %llu MB, %d times its size and more",
                       (unsigned long long) info.uncompressed_size / 1000000, LARGE_RATIO);
    return 0;
}

static int check_entries(unzFile file, struct err *err)
{
    unz_global_info64 info;
    struct totals totals = { 0 };
    int at;

    if (unzGetGlobalInfo64(file, &info) != UNZ_OK)
        return err_set(err, ERR_CORRUPT_FILE, "the document's ZIP directory is damaged");
    if (info.number_entry > ENTRIES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document has more than %d parts", ENTRIES);
    for (at = unzGoToFirstFile(file); at == UNZ_OK; at = unzGoToNextFile(file))
        if (check_entry(file, &totals, err) < 0)
            return -1;
    return at == UNZ_END_OF_LIST_OF_FILE
               ? 0
               : err_set(err, ERR_CORRUPT_FILE, "the document's ZIP directory is damaged");
}

struct zip *zip_open(const char *path, struct err *err)
{
    struct zip *zip = calloc(1, sizeof *zip);

    if (!zip) {
        err_sys(err, "document");
        return NULL;
    }
    zip->file = unzOpen64(path);
    if (!zip->file)
        err_set(err, ERR_CORRUPT_FILE, "the document is cut off: its ZIP directory is missing");
    if (!zip->file || check_entries(zip->file, err) < 0) {
        zip_close(zip);
        return NULL;
    }
    return zip;
}

void zip_close(struct zip *zip)
{
    if (!zip)
        return;
    if (zip->file)
        unzClose(zip->file);
    free(zip);
}

const char *zip_name(struct zip *zip, size_t i)
{
    int at = i ? unzGoToNextFile(zip->file) : unzGoToFirstFile(zip->file);

    if (at != UNZ_OK || unzGetCurrentFileInfo64(zip->file, NULL, zip->name, sizeof zip->name - 1,
                                                NULL, 0, NULL, 0) != UNZ_OK)
        return NULL;
    return zip->name;
}

static int damaged(struct err *err)
{
    return err_set(err, ERR_CORRUPT_FILE, "a part of the document cannot be unpacked");
}

int zip_unpack(struct zip *zip, void (*receive)(void *arg, const char *data, size_t n), void *arg,
               struct err *err)
{
    AUTO_FREE char *chunk = malloc(CHUNK);
    int got = -1;

    if (!chunk || unzOpenCurrentFile(zip->file) != UNZ_OK)
        return damaged(err);
    while ((got = unzReadCurrentFile(zip->file, chunk, CHUNK)) > 0)
        receive(arg, chunk, (size_t) got);
    unzCloseCurrentFile(zip->file);
    return got < 0 ? damaged(err) : 0;
}

static int unpack(unzFile file, size_t max, struct buf *out)
{
    AUTO_FREE char *chunk = malloc(CHUNK);
    int got = -1;

    while (chunk && out->len < max && !out->failed &&
           (got = unzReadCurrentFile(file, chunk, CHUNK)) > 0)
        buf_put(out, chunk, (size_t) got < max - out->len ? (size_t) got : max - out->len);
    return got < 0 || out->failed ? -1 : 0;
}

int zip_read(struct zip *zip, const char *name, size_t max, struct buf *out, struct err *err)
{
    unz64_file_pos listed;
    bool is_listing = unzGetFilePos64(zip->file, &listed) == UNZ_OK;
    int unpacked = -1;

    if (unzLocateFile(zip->file, name, 1) != UNZ_OK)
        return 0;
    if (unzOpenCurrentFile(zip->file) == UNZ_OK) {
        unpacked = unpack(zip->file, max, out);
        unzCloseCurrentFile(zip->file);
    }
    if (is_listing && unzGoToFilePos64(zip->file, &listed) != UNZ_OK)
        unpacked = -1;
    return unpacked < 0 ? damaged(err) : 1;
}

void zip_drop_nuls(struct buf *text)
{
    size_t n = 0;

    for (size_t i = 0; i < text->len; i++)
        if (text->data[i])
            text->data[n++] = text->data[i];
    text->len = n;
}
