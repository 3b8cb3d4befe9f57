/*
 * serial: PDF objects as text, with changes, encrypted where the document is. Objects are not
 * changed in memory: what is to be different is said while writing.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/obj.h"
#include "pdf/crypt.h"

struct serial {
    struct buf *out;
    const struct crypt *crypt; /* NULL: strings stay as they are */
    int id, gen;               /* of the indirect object that is written: the encryption's salt */
    /* The number a reference is written with; NULL: its own. 0: null is written instead. */
    int (*number)(void *cls, struct obj reference);
    void *cls;
};

/* A key of a dictionary that is to hold something else. */
struct serial_change {
    const char *key;   /* "/Annots"; "" changes nothing */
    const char *value; /* as text; NULL: the key goes */
};

/* All fail with ERR_LIMIT_EXCEEDED for objects nested without end. */

/* An object as it stands in another: a reference if it is indirect. */
int serial_put(const struct serial *serial, struct obj obj, struct err *err);
/* Its value, even if it is indirect; of a stream nothing. */
int serial_value(const struct serial *serial, struct obj obj, struct err *err);
/* A dictionary's, or a stream's dictionary's, text with its changes. Null counts as empty. */
int serial_dict(const struct serial *serial, struct obj dict, const struct serial_change *changes,
                size_t n_changes, struct err *err);
/* An array's text with one more item; what is no array counts as empty. */
int serial_array(const struct serial *serial, struct obj array, const char *more, struct err *err);

/* New strings: bytes, and UTF-8 as a text string (7.9.2.2). */
void serial_string(const struct serial *serial, const void *bytes, size_t n);
void serial_text(const struct serial *serial, const char *utf8);
