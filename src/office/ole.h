/*
 * ole: a compound file ([MS-CFB]), as Word, Excel and PowerPoint wrote them until 2007 and write
 * encrypted documents still: a FAT of sectors, and storages and streams in it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct ole;

/* ERR_CORRUPT_FILE if it is none. */
struct ole *ole_open(int fd, struct err *err);
void ole_close(struct ole *ole);

static inline void ole_close_at(struct ole **ole)
{
    ole_close(*ole);
}
#define AUTO_OLE __attribute__((cleanup(ole_close_at)))

/* Whether the file has a stream or storage of that name (ASCII) at its top. */
bool ole_has(const struct ole *ole, const char *name);
/* The first `max` bytes of a stream at the top. 1, 0 if there is none, -1: ERR_CORRUPT_FILE. */
int ole_read(struct ole *ole, const char *name, size_t max, struct buf *out, struct err *err);
