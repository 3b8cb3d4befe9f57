/* zip: a document that is a ZIP file, checked before anything else reads it. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct zip;

/*
 * Opens it and checks its directory: ERR_CORRUPT_FILE if it cannot be read, ERR_LIMIT_EXCEEDED for
 * too many entries, or too much uncompressed data, of XML or in total.
 */
struct zip *zip_open(const char *path, struct err *err);
void zip_close(struct zip *zip);

static inline void zip_close_at(struct zip **zip)
{
    zip_close(*zip);
}
#define AUTO_ZIP __attribute__((cleanup(zip_close_at)))

/* The i-th entry's name, borrowed until the next call; NULL past the last. Must be called in
 * order, from the first. */
const char *zip_name(struct zip *zip, size_t i);
/* Whether the entry with this name is XML, by the name alone. */
bool zip_is_xml(const char *name);
/* Unpacks the first `max` bytes of an entry; zip_name goes on where it was. Returns 1, 0 if the
 * document has no entry with that name, -1 with ERR_CORRUPT_FILE. */
int zip_read(struct zip *zip, const char *name, size_t max, struct buf *out, struct err *err);
/* Unpacks the entry that zip_name returned last, and passes it to `receive` in pieces.
 * ERR_CORRUPT_FILE. */
int zip_unpack(struct zip *zip, void (*receive)(void *arg, const char *data, size_t n), void *arg,
               struct err *err);
/* Drops the NULs of XML in UTF-16, which becomes ASCII enough to be searched. */
void zip_drop_nuls(struct buf *text);
