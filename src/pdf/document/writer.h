/*
 * writer: writes a new PDF sequentially, one object at a time, so that memory holds the offsets of
 * objects and never their contents. For documents with large streams: qpdf's C interface keeps
 * everything until it is closed.
 *
 * pdf_writer_number assigns numbers to objects before they are written. Objects that are not
 * streams are collected in object streams (ISO 32000-1, 7.5.7); the cross-reference table is a
 * stream (7.5.8).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/document/object_stream.h"

#define PDF_WRITER_GATHER 200          /* objects of one object stream */
#define PDF_WRITER_BYTES  (256U << 10) /* from which on it gets no more */

struct pdf_writer {
    int fd;
    uint64_t at;                 /* bytes written, including those in `out` */
    struct buf out;              /* not written yet */
    struct object_place *places; /* by object number */
    size_t n, cap;
    struct object_stream gathered;       /* the next object stream */
    unsigned waiting[PDF_WRITER_GATHER]; /* the numbers of its objects */
};

/* Begins a document of this version, at least 1.5, in the file at `path`, which is truncated. */
int pdf_writer_open(struct pdf_writer *writer, const char *path, const char *version,
                    struct err *err);
/* Assigns the next object number. Returns 0 with ERR_LIMIT_EXCEEDED when out of memory. */
unsigned pdf_writer_number(struct pdf_writer *writer, struct err *err);
/* Writes an object into an object stream; `text` is its value. */
int pdf_writer_object(struct pdf_writer *writer, unsigned number, const char *text,
                      struct err *err);
/* Writes an object outside of object streams. */
int pdf_writer_alone(struct pdf_writer *writer, unsigned number, const struct buf *text,
                     struct err *err);
/* Writes a stream; `dict` is the text between << and >>, without /Length. */
int pdf_writer_stream(struct pdf_writer *writer, unsigned number, const char *dict,
                      const struct iovec *pieces, size_t n_pieces, struct err *err);
/* Writes the end. `keys`: entries of the trailer, at least /Root. */
int pdf_writer_finish(struct pdf_writer *writer, const char *keys, struct err *err);
/* Closes the file. May be called after pdf_writer_finish, and for a zeroed struct whose fd is -1.
 */
void pdf_writer_close(struct pdf_writer *writer);
