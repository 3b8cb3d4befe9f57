/*
 * serial: writes PDF objects as text, with changes, encrypted as the document is. Objects are not
 * changed in memory: changes are given while writing.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/document/crypt.h"
#include "pdf/object/obj.h"

struct serial {
    struct buf *out;
    const struct crypt *crypt; /* NULL: strings are not encrypted */
    /* number and generation of the indirect object that is written: part of the encryption key */
    int id, gen;
    /* Returns the object number to write for a reference, or 0 to write null instead. NULL: the
     * references keep their numbers. */
    int (*number)(void *arg, struct obj reference);
    void *arg;
    int own; /* references to objects below this number keep their numbers in any case */
};

/* A dictionary entry to be changed. */
struct serial_change {
    const char *key;   /* such as "/Annots"; "" changes nothing */
    const char *value; /* as text; NULL: the entry is removed */
};

/* All functions fail with ERR_LIMIT_EXCEEDED for objects that are nested too deep. */

/* Writes an object as it occurs in another one: as a reference if it is indirect. */
int serial_put(const struct serial *serial, struct obj obj, struct err *err);
/* Writes the object's value, even if it is indirect; nothing for a stream. */
int serial_value(const struct serial *serial, struct obj obj, struct err *err);
/* Writes a dictionary, or a stream's dictionary, with its changes. Null counts as empty. */
int serial_dict(const struct serial *serial, struct obj dict, const struct serial_change *changes,
                size_t n_changes, struct err *err);
/* Writes an array with one more item; an object that is not an array counts as empty. */
int serial_array(const struct serial *serial, struct obj array, const char *more, struct err *err);

/* Write new strings: bytes, and UTF-8 as a text string (7.9.2.2). */
void serial_string(const struct serial *serial, const void *bytes, size_t n);
void serial_text(const struct serial *serial, const char *utf8);
