#include "image/encode/tiff_join.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <tiffio.h>
#include <unistd.h>

#include "base/scope.h"

#define MOST_BYTES 4200000000U /* offsets have 32 bits; the directories need some of them */
#define PAGE_SHORT 65535       /* pages beyond do not fit into the field that numbers them */

struct tiff_join {
    TIFF *out;
    size_t n_pages, n_done;
    uint64_t bytes; /* of the pages that were added */
};

/* Fields of one number that are copied. */
static const uint32_t shorts[] = {
    TIFFTAG_BITSPERSAMPLE, TIFFTAG_SAMPLESPERPIXEL, TIFFTAG_PLANARCONFIG,   TIFFTAG_COMPRESSION,
    TIFFTAG_PHOTOMETRIC,   TIFFTAG_ORIENTATION,     TIFFTAG_RESOLUTIONUNIT,
};
static const uint32_t longs[] = { TIFFTAG_IMAGEWIDTH, TIFFTAG_IMAGELENGTH, TIFFTAG_ROWSPERSTRIP };

static int on_message(TIFF *tiff, void *arg, const char *module, const char *fmt, va_list ap)
{
    (void) tiff, (void) arg, (void) module, (void) fmt, (void) ap;
    return 1; /* a failure is returned, too */
}

static int failed(struct err *err)
{
    return err_set(err, ERR_INTERNAL, "the TIFF file could not be written");
}

static TIFF *open_tiff(const char *path, int flags, const char *mode)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    int fd = open(path, flags | O_CLOEXEC);
    TIFF *tiff = NULL;

    if (options) {
        TIFFOpenOptionsSetErrorHandlerExtR(options, on_message, NULL);
        TIFFOpenOptionsSetWarningHandlerExtR(options, on_message, NULL);
        tiff = fd < 0 ? NULL : TIFFFdOpenExt(fd, "pages", mode, options);
    }
    if (!tiff && fd >= 0)
        close(fd);
    TIFFOpenOptionsFree(options);
    return tiff;
}

struct tiff_join *tiff_join_new(const char *path, size_t n_pages, struct err *err)
{
    struct tiff_join *join = calloc(1, sizeof *join);

    if (join) {
        join->n_pages = n_pages;
        join->out = open_tiff(path, O_RDWR | O_TRUNC, "wl");
        if (join->out)
            return join;
    }
    free(join);
    failed(err);
    return NULL;
}

void tiff_join_free(struct tiff_join *join)
{
    if (!join)
        return;
    if (join->out)
        TIFFClose(join->out);
    free(join);
}

static void copy_fields(TIFF *in, const struct tiff_join *join)
{
    uint16_t number, predictor = PREDICTOR_NONE;
    uint32_t length;
    float resolution;
    void *tables;

    TIFFSetField(join->out, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
    for (size_t i = 0; i < COUNT(longs); i++)
        if (TIFFGetField(in, longs[i], &length))
            TIFFSetField(join->out, longs[i], length);
    for (size_t i = 0; i < COUNT(shorts); i++)
        if (TIFFGetField(in, shorts[i], &number))
            TIFFSetField(join->out, shorts[i], number);
    if (TIFFGetField(in, TIFFTAG_XRESOLUTION, &resolution)) {
        TIFFSetField(join->out, TIFFTAG_XRESOLUTION, resolution);
        TIFFSetField(join->out, TIFFTAG_YRESOLUTION, resolution);
    }
    /* Fields that belong to a coding can be set after it. */
    if (TIFFGetField(in, TIFFTAG_PREDICTOR, &predictor))
        TIFFSetField(join->out, TIFFTAG_PREDICTOR, predictor);
    if (TIFFGetField(in, TIFFTAG_JPEGTABLES, &length, &tables))
        TIFFSetField(join->out, TIFFTAG_JPEGTABLES, length, tables);
    if (TIFFGetField(in, TIFFTAG_PHOTOMETRIC, &number) && number == PHOTOMETRIC_YCBCR) {
        uint16_t across, down;

        TIFFGetFieldDefaulted(in, TIFFTAG_YCBCRSUBSAMPLING, &across, &down);
        TIFFSetField(join->out, TIFFTAG_YCBCRSUBSAMPLING, across, down);
    }
    if (join->n_pages <= PAGE_SHORT)
        TIFFSetField(join->out, TIFFTAG_PAGENUMBER, (int) join->n_done, (int) join->n_pages);
}

static bool copy_strips(TIFF *in, TIFF *out)
{
    for (uint32_t i = 0; i < TIFFNumberOfStrips(in); i++) {
        tmsize_t n = (tmsize_t) TIFFRawStripSize64(in, i);
        AUTO_FREE uint8_t *strip = n > 0 ? malloc((size_t) n) : NULL;

        if (!strip || TIFFReadRawStrip(in, i, strip, n) != n ||
            TIFFWriteRawStrip(out, i, strip, n) != n)
            return false;
    }
    return true;
}

int tiff_join_add(struct tiff_join *join, const char *path, struct err *err)
{
    struct stat file;
    TIFF *in;
    bool done;

    if (stat(path, &file) < 0)
        return err_sys(err, "scratch file");
    join->bytes += (uint64_t) file.st_size;
    if (join->bytes > MOST_BYTES)
        return err_set(
            err, ERR_LIMIT_EXCEEDED,
            "after %zu pages the file would be larger than 4 GB, which a TIFF file cannot "
            "be: choose fewer pages or a lower resolution",
            join->n_done);
    in = open_tiff(path, O_RDONLY, "rm");
    if (!in)
        return failed(err);
    copy_fields(in, join);
    done = copy_strips(in, join->out) && TIFFWriteDirectory(join->out) == 1;
    TIFFClose(in);
    join->n_done++;
    return done ? 0 : failed(err);
}

int tiff_join_end(struct tiff_join *join, struct err *err)
{
    bool done = TIFFFlush(join->out) == 1;

    TIFFClose(join->out);
    join->out = NULL;
    return done ? 0 : failed(err);
}
