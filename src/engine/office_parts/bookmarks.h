/* bookmarks: the names of the bookmarks of a Word document (ECMA-376-1, 17.13.6). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct bookmarks {
    struct buf names; /* each with a NUL after it */
    const char **sorted;
    size_t n;
};

/* Reads those of all parts of the document at `path`. *has_fields: whether it has any fields,
 * without which nothing is read. ERR_CORRUPT_FILE. */
int bookmarks_read(const char *path, struct bookmarks *out, bool *has_fields, struct err *err);
bool bookmarks_have(const struct bookmarks *bookmarks, const char *name);
void bookmarks_free(struct bookmarks *bookmarks);

#define AUTO_BOOKMARKS __attribute__((cleanup(bookmarks_free)))

/* Whether a part of the document may have text with fields and bookmarks. */
bool bookmarks_in(const char *part);
