#include "write/opc/package.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "write/opc/xml.h"

/* A part that is being written. */
struct stream {
    const char *name; /* borrowed; NULL: not begun */
    z_stream deflater;
    struct buf deflated;
    uLong crc, plain;
};

struct package {
    zipFile zip;
    struct stream streams[PACKAGE_STREAMS];
};

/* The same time for all parts, so that equal documents give equal files (1 January 1980). */
static const zip_fileinfo no_time = { .tmz_date = { .tm_mday = 1, .tm_year = 1980 } };

struct package *package_open(const char *path, struct err *err)
{
    struct package *package = calloc(1, sizeof *package);

    if (!package) {
        err_sys(err, "package");
        return NULL;
    }
    package->zip = zipOpen64(path, APPEND_STATUS_CREATE);
    if (package->zip)
        return package;
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
    for (size_t i = 0; i < PACKAGE_STREAMS; i++) {
        if (package->streams[i].name)
            deflateEnd(&package->streams[i].deflater);
        buf_free(&package->streams[i].deflated);
    }
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

int package_rels(struct package *package, const char *name, const struct buf *rels, struct err *err)
{
    struct buf xml = BUF_EMPTY;
    int done;

    buf_puts(&xml, XML_HEAD "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/"
                            "relationships\">");
    buf_put(&xml, rels->data, rels->len);
    buf_puts(&xml, "</Relationships>");
    done = xml.failed || rels->failed
               ? err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large")
               : package_part(package, name, xml.data, xml.len, false, err);
    buf_free(&xml);
    return done;
}

static int deflate_more(struct stream *stream, const void *data, size_t n, int flush,
                        struct err *err)
{
    unsigned char out[16384];
    z_stream *z = &stream->deflater;
    int done;

    z->next_in = (unsigned char *) (uintptr_t) data;
    z->avail_in = (unsigned) n;
    do {
        z->next_out = out;
        z->avail_out = sizeof out;
        done = deflate(z, flush);
        buf_put(&stream->deflated, out, sizeof out - z->avail_out);
    } while (z->avail_out == 0 && done != Z_STREAM_END);
    if (stream->deflated.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large");
    return 0;
}

static struct stream *find_stream(struct package *package, const char *name, struct err *err)
{
    struct stream *stream = package->streams, *end = stream + PACKAGE_STREAMS;

    while (stream < end && stream->name && strcmp(stream->name, name) != 0)
        stream++;
    if (stream == end) {
        err_set(err, ERR_INTERNAL, "a package has more than %d growing parts", PACKAGE_STREAMS);
        return NULL;
    }
    if (stream->name)
        return stream;
    if (deflateInit2(&stream->deflater, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        err_sys(err, "package");
        return NULL;
    }
    stream->name = name;
    stream->crc = crc32(0, NULL, 0);
    return stream;
}

int package_stream(struct package *package, const char *name, const void *data, size_t n,
                   struct err *err)
{
    struct stream *stream = find_stream(package, name, err);

    if (!stream)
        return -1;
    if (n == 0)
        return 0; /* zlib would restart the checksum */
    if (n > UINT32_MAX)
        return err_set(err, ERR_LIMIT_EXCEEDED, "a page is too large");
    stream->crc = crc32_z(stream->crc, data, n);
    stream->plain += n;
    return deflate_more(stream, data, n, Z_NO_FLUSH, err);
}

static int end_stream(struct package *package, struct stream *stream, struct err *err)
{
    zipFile zip = package->zip;

    if (deflate_more(stream, NULL, 0, Z_FINISH, err) < 0)
        return -1;
    if (zipOpenNewFileInZip2_64(zip, stream->name, &no_time, NULL, 0, NULL, 0, NULL, Z_DEFLATED,
                                Z_DEFAULT_COMPRESSION, 1, 0) != ZIP_OK ||
        write_all(package, stream->deflated.data, stream->deflated.len, err) < 0 ||
        zipCloseFileInZipRaw64(zip, stream->plain, stream->crc) != ZIP_OK)
        return err_sys(err, "package");
    return 0;
}

int package_end(struct package *package, struct err *err)
{
    zipFile zip = package->zip;

    for (size_t i = 0; i < PACKAGE_STREAMS && package->streams[i].name; i++)
        if (end_stream(package, &package->streams[i], err) < 0)
            return -1;
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
    /* Closing verifies the checksum. */
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
