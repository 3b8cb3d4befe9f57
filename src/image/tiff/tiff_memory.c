#include "image/tiff/tiff_memory.h"

#include <string.h>

#define GAP 65536 /* more than the entries of a directory need */

static tmsize_t read_tiff(thandle_t handle, void *out, tmsize_t n)
{
    struct tiff_memory *m = (struct tiff_memory *) handle;

    if (n < 0 || m->at + (uint64_t) n > m->file.len)
        return -1;
    memcpy(out, m->file.data + m->at, (size_t) n);
    m->at += (uint64_t) n;
    return n;
}

static tmsize_t write_tiff(thandle_t handle, void *data, tmsize_t n)
{
    static const uint8_t zeros[4096];
    struct tiff_memory *m = (struct tiff_memory *) handle;

    /* libtiff writes strips in order; of a directory it writes first what follows the entries. */
    if (n < 0 || m->at > m->file.len + GAP)
        return -1;
    while (m->file.len < m->at + (uint64_t) n && !m->file.failed)
        buf_put(&m->file, zeros,
                m->at + (uint64_t) n - m->file.len < sizeof zeros
                    ? (size_t) (m->at + (uint64_t) n - m->file.len)
                    : sizeof zeros);
    if (m->file.failed)
        return -1;
    memcpy(m->file.data + m->at, data, (size_t) n);
    m->at += (uint64_t) n;
    return n;
}

static toff_t seek_tiff(thandle_t handle, toff_t offset, int whence)
{
    struct tiff_memory *m = (struct tiff_memory *) handle;

    m->at = offset + (whence == SEEK_CUR ? m->at : whence == SEEK_END ? m->file.len : 0);
    return m->at;
}

static int close_tiff(thandle_t handle)
{
    (void) handle;
    return 0;
}

static toff_t size_tiff(thandle_t handle)
{
    return ((struct tiff_memory *) handle)->file.len;
}

static int on_message(TIFF *tiff, void *arg, const char *module, const char *fmt, va_list ap)
{
    (void) tiff, (void) arg, (void) module, (void) fmt, (void) ap;
    return 1; /* a failure is returned, too */
}

TIFF *tiff_memory_open(struct tiff_memory *memory)
{
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    TIFF *tiff = NULL;

    if (!options)
        return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_message, NULL);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_message, NULL);
    tiff = TIFFClientOpenExt("memory", "wl", memory, read_tiff, write_tiff, seek_tiff, close_tiff,
                             size_tiff, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}
