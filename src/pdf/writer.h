/*
 * writer: a new PDF written from front to back, an object at a time, so that memory holds where
 * objects lie and never what is in them. For documents of large streams: qpdf's C interface keeps
 * all it is given until it is closed.
 *
 * Objects are numbered before they are written, by pdf_writer_number. Those that are no streams are
 * gathered into object streams (ISO 32000-1, 7.5.7), the cross-reference table is a stream (7.5.8).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/buf.h"
#include "base/err.h"

#define PDF_WRITER_GATHER 200 /* objects of one object stream */

struct pdf_writer {
    int fd;
    uint64_t at;              /* bytes written, those in `out` included */
    struct buf out;           /* not written yet */
    struct pdf_place *places; /* by object number */
    size_t n, cap;
    struct buf gathered; /* objects of the next object stream */
    struct buf index;    /* their numbers and offsets */
    unsigned waiting[PDF_WRITER_GATHER];
    size_t n_gathered;
};

/* Empties the file first. */
int pdf_writer_open(struct pdf_writer *writer, const char *path, struct err *err);
/* 0 when out of memory. */
unsigned pdf_writer_number(struct pdf_writer *writer, struct err *err);
/* `text` is the object. */
int pdf_writer_object(struct pdf_writer *writer, unsigned number, const char *text,
                      struct err *err);
/* `dict` is what stands between << and >>, without /Length. */
int pdf_writer_stream(struct pdf_writer *writer, unsigned number, const char *dict,
                      const struct iovec *pieces, size_t n_pieces, struct err *err);
/* Writes the end. The document's catalog is object `root`. */
int pdf_writer_finish(struct pdf_writer *writer, unsigned root, struct err *err);
/* Also after pdf_writer_finish, and of a zeroed struct whose fd is -1. */
void pdf_writer_close(struct pdf_writer *writer);
