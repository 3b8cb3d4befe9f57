#include "engine/office_parts/rewrite.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <string.h>

#define NAME_BYTES 1024
#define CHUNK      65536

struct walk {
    const struct rewrite *what;
    unzFile from;
    zipFile to; /* NULL: nothing was changed so far */
    const char *path;
    size_t at; /* of the entry */
};

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
        return err_set(err, ERR_INTERNAL, "the document could not be written");
    return 0;
}

/* Reads the entry that `from` is at. False if it cannot be, or is too large. */
static bool read_entry(unzFile from, const unz_file_info64 *info, size_t most, struct buf *out)
{
    char chunk[CHUNK];
    int n = -1;

    if (info->uncompressed_size > most || unzOpenCurrentFile(from) != UNZ_OK)
        return false;
    while ((n = unzReadCurrentFile(from, chunk, sizeof chunk)) > 0 && out->len <= most)
        buf_put(out, chunk, (size_t) n);
    unzCloseCurrentFile(from);
    return n == 0 && !out->failed;
}

static int entry_name(unzFile from, char name[static NAME_BYTES], unz_file_info64 *info,
                      struct err *err)
{
    memset(name, 0, NAME_BYTES);
    return unzGetCurrentFileInfo64(from, info, name, NAME_BYTES - 1, NULL, 0, NULL, 0) == UNZ_OK
               ? 0
               : broken(err);
}

/* Begins the result with the entries up to the current one, which is the first that is changed. */
static int begin(struct walk *walk, struct err *err)
{
    char name[NAME_BYTES];
    unz_file_info64 info;
    int more = unzGoToFirstFile(walk->from);

    walk->to = zipOpen64(walk->path, APPEND_STATUS_CREATE);
    if (!walk->to)
        return err_set(err, ERR_INTERNAL, "the document could not be written");
    for (size_t i = 0; i < walk->at && more == UNZ_OK; i++) {
        if (entry_name(walk->from, name, &info, err) < 0 ||
            copy_entry(walk->from, walk->to, name, &info, err) < 0)
            return -1;
        more = unzGoToNextFile(walk->from);
    }
    return more == UNZ_OK ? 0 : broken(err);
}

static int pass_entry(struct walk *walk, struct err *err)
{
    const struct rewrite *what = walk->what;
    AUTO_BUF struct buf part = BUF_EMPTY;
    char name[NAME_BYTES];
    unz_file_info64 info;

    if (entry_name(walk->from, name, &info, err) < 0)
        return -1;
    if (what->wants(what->arg, name) && read_entry(walk->from, &info, what->part_bytes, &part) &&
        part.len && what->change(what->arg, name, &part)) {
        if (part.failed)
            return err_set(err, ERR_INTERNAL, "out of memory");
        if (!walk->to && begin(walk, err) < 0)
            return -1;
        return put_entry(walk->to, name, &part, err);
    }
    return walk->to ? copy_entry(walk->from, walk->to, name, &info, err) : 0;
}

static int pass_all(struct walk *walk, struct err *err)
{
    int more;

    for (more = unzGoToFirstFile(walk->from); more == UNZ_OK; more = unzGoToNextFile(walk->from)) {
        if (pass_entry(walk, err) < 0)
            return -1;
        walk->at++;
    }
    return more == UNZ_END_OF_LIST_OF_FILE ? walk->to != NULL : broken(err);
}

int rewrite_parts(const char *from, const char *to, const struct rewrite *what, struct err *err)
{
    struct walk walk = { .what = what, .path = to, .from = unzOpen64(from) };
    int done;

    if (!walk.from)
        return broken(err);
    done = pass_all(&walk, err);
    if (walk.to && zipClose(walk.to, NULL) != ZIP_OK && done >= 0)
        done = err_set(err, ERR_INTERNAL, "the document could not be written");
    unzClose(walk.from);
    return done;
}
