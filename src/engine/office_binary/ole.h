/*
 * ole: reads compound files ([MS-CFB]), which Word, Excel and PowerPoint wrote until 2007 and still
 * write for encrypted documents: a FAT of sectors, with storages and streams.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct ole;

/* Opens a compound file. ERR_CORRUPT_FILE if the file is not one. */
struct ole *ole_open(int fd, struct err *err);
void ole_close(struct ole *ole);

static inline void ole_close_at(struct ole **ole)
{
    ole_close(*ole);
}
#define AUTO_OLE __attribute__((cleanup(ole_close_at)))

/* Whether the file has a stream or storage with that name (ASCII) at top level. */
bool ole_has(const struct ole *ole, const char *name);
/* Reads the first `max` bytes of a stream at top level. Returns 1, 0 if there is none, -1 with
 * ERR_CORRUPT_FILE. */
int ole_read(struct ole *ole, const char *name, size_t max, struct buf *out, struct err *err);
