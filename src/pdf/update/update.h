/*
 * update: an incremental update (ISO 32000-2, 7.5.6): what follows a document's own bytes, which
 * are not changed. qpdf reads the document, and only the objects that are changed; nothing in its
 * memory is altered. The addition is kept in memory: it is small.
 *
 * The new cross-reference section is of the same kind as the last one. In a hybrid file (7.5.8.4)
 * that is a table, which overrides the older stream's entries for the same objects.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/document/crypt.h"
#include "pdf/document/doc.h"
#include "pdf/object/obj.h"
#include "pdf/update/section.h"
#include "pdf/update/serial.h"

struct update {
    struct pdf_doc *doc;
    struct buf added; /* what follows the document's bytes */

    struct section section;
    struct crypt crypt;
    bool encrypted;
    int64_t bytes; /* length of the document */
    int next;      /* number of the next new object */
    struct update_entry {
        int id, gen;
        int64_t offset;
    } * entries;
    size_t n, cap;
};

/*
 * Begins an update. `fd`: a file with the document's `bytes` bytes, which `doc` was read from.
 * ERR_CORRUPT_FILE if it had to be repaired, which an update cannot do; ERR_UNSUPPORTED_CONTENT for
 * an unknown encryption.
 */
int update_start(struct update *update, struct pdf_doc *doc, int fd, int64_t bytes,
                 struct err *err);
void update_end(struct update *update);
#define AUTO_UPDATE __attribute__((cleanup(update_end)))

/* Allocates the number of a new object. ERR_LIMIT_EXCEEDED if there are too many. */
int update_number(struct update *update, int *number, struct err *err);

/*
 * Starts an object that is new or replaced: its value, which update_close ends, is written to
 * update->added with *serial.
 */
int update_open(struct update *update, int id, int gen, struct serial *serial, struct err *err);
/* Like update_open, for an object of the document. ERR_UNSUPPORTED_CONTENT if it was opened before.
 */
int update_reopen(struct update *update, struct obj obj, struct serial *serial, struct err *err);
/* Whether the object was opened by update_reopen before. */
bool update_has(const struct update *update, struct obj obj);
/* Ends the object that update_open or update_reopen started. ERR_LIMIT_EXCEEDED when out of
 * memory. */
int update_close(struct update *update, struct err *err);
/* Adds a new stream. `dict`: entries of its dictionary besides /Length, as text without "<<". */
int update_stream(struct update *update, int id, const char *dict, const void *data, size_t n,
                  struct err *err);

/* Checks that what was read of the document so far is sound: much is read only when it is
 * needed. ERR_CORRUPT_FILE. */
int update_check(struct update *update, struct err *err);

/* Writes the cross-reference section and the trailer. Nothing can be added afterwards. Nothing is
 * written, and the document stays as it is, if no object is new or replaced. */
int update_finish(struct update *update, struct err *err);
