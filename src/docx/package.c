#include "docx/package.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct package {
    zipFile zip;
    z_stream deflater;
    bool deflating;
    struct buf deflated; /* the main part so far */
    uLong crc, plain;
};

/* The same for all, so that a document comes out the same each time (1 January 1980). */
static const zip_fileinfo no_time = { .tmz_date = { .tm_mday = 1, .tm_year = 1980 } };

struct package *package_open(const char *path, struct err *err)
{
    struct package *package = calloc(1, sizeof *package);

    if (!package) {
        err_sys(err, "package");
        return NULL;
    }
    package->zip = zipOpen64(path, APPEND_STATUS_CREATE);
    package->crc = crc32(0, NULL, 0);
    if (package->zip && deflateInit2(&package->deflater, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                     -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK) {
        package->deflating = true;
        return package;
    }
    err_sys(err, "package");
    package_free(package);
    return NULL;
}

void package_free(struct package *package)
{
    if (!package)
        return;
    if (package->zip)
        zipClose(package->zip, NULL);
    if (package->deflating)
        deflateEnd(&package->deflater);
    buf_free(&package->deflated);
    free(package);
}

static int write_all(struct package *package, const void *data, size_t n, struct err *err)
{
    for (const char *p = data; n;) {
        unsigned piece = n > 1 << 20 ? 1 << 20 : (unsigned) n;

        if (zipWriteInFileInZip(package->zip, p, piece) != ZIP_OK)
            return err_sys(err, "package");
        p += piece;
        n -= piece;
    }
    return 0;
}

int package_part(struct package *package, const char *name, const void *data, size_t n, bool stored,
                 struct err *err)
{
    if (zipOpenNewFileInZip64(package->zip, name, &no_time, NULL, 0, NULL, 0, NULL,
                              stored ? 0 : Z_DEFLATED, stored ? 0 : Z_DEFAULT_COMPRESSION,
                              0) != ZIP_OK)
        return err_sys(err, "package");
    if (write_all(package, data, n, err) < 0)
        return -1;
    return zipCloseFileInZip(package->zip) == ZIP_OK ? 0 : err_sys(err, "package");
}

static int deflate_more(struct package *package, const void *data, size_t n, int flush,
                        struct err *err)
{
    unsigned char out[16384];
    z_stream *z = &package->deflater;
    int done;

    z->next_in = (unsigned char *) (uintptr_t) data;
    z->avail_in = (unsigned) n;
    do {
        z->next_out = out;
        z->avail_out = sizeof out;
        done = deflate(z, flush);
        buf_put(&package->deflated, out, sizeof out - z->avail_out);
    } while (z->avail_out == 0 && done != Z_STREAM_END);
    if (package->deflated.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large");
    return 0;
}

int package_main(struct package *package, const void *data, size_t n, struct err *err)
{
    if (n > UINT32_MAX)
        return err_set(err, ERR_LIMIT_EXCEEDED, "a page is too large");
    package->crc = crc32_z(package->crc, data, n);
    package->plain += n;
    return deflate_more(package, data, n, Z_NO_FLUSH, err);
}

int package_end(struct package *package, const char *main_name, struct err *err)
{
    zipFile zip = package->zip;

    if (deflate_more(package, NULL, 0, Z_FINISH, err) < 0)
        return -1;
    if (zipOpenNewFileInZip2_64(zip, main_name, &no_time, NULL, 0, NULL, 0, NULL, Z_DEFLATED,
                                Z_DEFAULT_COMPRESSION, 1, 0) != ZIP_OK ||
        write_all(package, package->deflated.data, package->deflated.len, err) < 0 ||
        zipCloseFileInZipRaw64(zip, package->plain, package->crc) != ZIP_OK)
        return err_sys(err, "package");
    package->zip = NULL;
    return zipClose(zip, NULL) == ZIP_OK ? 0 : err_sys(err, "package");
}

static bool read_part(unzFile zip, const char *name,
                      void (*feed)(void *to, const char *data, size_t n), void *to)
{
    char part[64], data[16384];
    int n = 0;

    if (unzGetCurrentFileInfo64(zip, NULL, part, sizeof part, NULL, 0, NULL, 0) != UNZ_OK ||
        unzOpenCurrentFile(zip) != UNZ_OK)
        return false;
    while ((n = unzReadCurrentFile(zip, data, sizeof data)) > 0)
        if (strcmp(part, name) == 0)
            feed(to, data, (size_t) n);
    /* Here its check sum is looked at. */
    return unzCloseCurrentFile(zip) == UNZ_OK && n == 0;
}

int package_read(const char *path, const char *name,
                 void (*feed)(void *to, const char *data, size_t n), void *to, struct err *err)
{
    unzFile zip = unzOpen64(path);
    int next = zip ? unzGoToFirstFile(zip) : UNZ_BADZIPFILE;

    while (next == UNZ_OK && read_part(zip, name, feed, to))
        next = unzGoToNextFile(zip);
    if (zip)
        unzClose(zip);
    return next == UNZ_END_OF_LIST_OF_FILE
               ? 0
               : err_set(err, ERR_INTERNAL, "the document that was written cannot be read");
}
