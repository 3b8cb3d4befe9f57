/*
 * container: the place of a signature in the file (ISO 32000-2, 12.8.1): /ByteRange excludes the
 * value of /Contents, for which space is reserved first.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "declare/tool_run/run.h"
#include "pdf/update/update.h"
#include "stamp/sign/cms.h"

struct container {
    size_t range, contents; /* offsets in update->added: of the brackets and of the first digit */
    size_t bytes;           /* reserved size */
};

/* Writes both keys to the current dictionary, with space for `bytes` bytes. */
void container_reserve(struct container *container, struct update *update, size_t bytes);

/* A signed document that still needs its signature. */
struct container_file {
    int fd;                           /* open for writing */
    unsigned char digest[CMS_DIGEST]; /* SHA-256 of the bytes that /ByteRange covers */
};
/*
 * Copies the document from the descriptor `input` to the file at `path`, piece by piece, and
 * appends the update with the /ByteRange filled in. Computes the digest meanwhile and reports
 * progress to `run`. ERR_LIMIT_EXCEEDED if the result is larger than a file may be.
 */
int container_write(const struct container *container, struct update *update, int input,
                    const char *path, struct tool_run *run, struct container_file *file,
                    struct err *err);
/* Writes a document with an update that has no signature in the same way. */
int container_append(struct update *update, int input, const char *path, struct tool_run *run,
                     struct err *err);
void container_close(struct container_file *file);
#define AUTO_CONTAINER_FILE __attribute__((cleanup(container_close)))

/* Writes the signature into its place. ERR_LIMIT_EXCEEDED if it is longer than the reserved
 * space. */
int container_fill(const struct container *container, struct update *update,
                   const struct container_file *file, const struct buf *der, struct err *err);
