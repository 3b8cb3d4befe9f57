/* zip: a document that is a ZIP file, looked through before anything else reads it. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct zip;

/*
 * Opens it and judges its directory: ERR_CORRUPT_FILE for one that cannot be read,
 * ERR_LIMIT_EXCEEDED for one with too many entries or that unpacks to too much, of XML or in all.
 */
struct zip *zip_open(const char *path, struct err *err);
void zip_close(struct zip *zip);

static inline void zip_close_at(struct zip **zip)
{
    zip_close(*zip);
}
#define AUTO_ZIP __attribute__((cleanup(zip_close_at)))

/* The i-th entry's name, borrowed until the next call; NULL past the last. They are asked for one
 * after the other, from the first. */
const char *zip_name(struct zip *zip, size_t i);
/* By its name. */
bool zip_is_xml(const char *name);
/* Unpacks an entry, its first `max` bytes. 1, 0 if there is none of that name, -1:
 * ERR_CORRUPT_FILE.
 */
int zip_read(struct zip *zip, const char *name, size_t max, struct buf *out, struct err *err);
/* Unpacks the entry that zip_name named last, to `take` piece by piece. ERR_CORRUPT_FILE. */
int zip_unpack(struct zip *zip, void (*take)(void *cls, const char *data, size_t n), void *cls,
               struct err *err);
