/*
 * compact: the text of a PDF object in its shortest form (ISO 32000-2, 7.3), with its references
 * stored separately, so that objects can be renumbered and compared.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct compact_ref {
    uint32_t at;     /* offset in the text of "N 0 R" */
    uint32_t target; /* result of compact_seen */
    bool appearance; /* the reference is below /AP */
};

struct compact {
    struct buf text; /* without the references */
    struct compact_ref *refs;
    size_t n_refs, cap_refs;
};

#define COMPACT_NULL UINT32_MAX /* a reference to a missing object: written as null */

/* Called for every reference, with the last name before it ("/Font"; cut at 31 bytes); sets the
 * identifier of its target. Returning false stops the reading. */
typedef bool compact_seen(void *arg, int id, int gen, const char *name, uint32_t *target);

/*
 * Reads `text`, an object as qpdf writes one. False when out of memory or the text is not an
 * object.
 */
bool compact_read(struct compact *value, const char *text, compact_seen *seen, void *arg);
void compact_free(struct compact *value);

/* A dictionary key with its new value: PDF syntax in which COMPACT_REF means a reference to
 * `target`. A NULL value removes the key. */
struct compact_edit {
    const char *key;
    char *value;
    uint32_t target;
};
#define COMPACT_REF '\1'

/* The number to write for a target. */
typedef uint32_t compact_number(const void *arg, uint32_t target);

/*
 * Appends the text with its references. With edits the value must be a dictionary: keys that an
 * edit names are skipped, and the edits appended.
 */
void compact_write(const struct compact *value, const struct compact_edit *edits, size_t n_edits,
                   compact_number *number, const void *arg, struct buf *out);
