#include "pdf/update/import.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/object/idmap.h"

struct import {
    struct update *update;
    int own;            /* objects below this number are of this document */
    struct idmap known; /* index into items by id */
    struct import_item {
        struct obj obj;
        int number;
    } * items;
    size_t n, cap;
};

static void import_free(struct import *import)
{
    for (size_t i = 0; i < import->n; i++)
        obj_drop(&import->items[i].obj);
    free(import->items);
    idmap_free(&import->known);
}

/* Returns the number of a reference in this document; an object that is met for the first time
 * gets one, and is queued. */
static int number_of(void *arg, struct obj reference)
{
    struct import *import = arg;
    struct err ignored;
    size_t place = idmap_find(&import->known, obj_id(reference));
    int number;

    if (place != IDMAP_NONE)
        return import->items[place].number;
    if (!LIST_ROOM(import->items, import->n, import->cap) ||
        !idmap_add(&import->known, obj_id(reference), import->n) ||
        update_number(import->update, &number, &ignored) < 0) {
        import->update->added.failed = true;
        return 0;
    }
    import->items[import->n++] = (struct import_item){ obj_same(reference), number };
    return number;
}

/* Writes a stream's dictionary as text without "<<", without the keys that depend on its new
 * place. */
static int stream_keys(struct import *import, struct obj stream, int number, const char *resources,
                       const char *more, struct buf *out, struct err *err)
{
    struct serial serial = { .out = out,
                             .crypt = import->update->encrypted ? &import->update->crypt : NULL,
                             .id = number,
                             .number = number_of,
                             .arg = import,
                             .own = import->own };
    const struct serial_change changes[] = { { "/Length", NULL },
                                             { resources ? "/Resources" : "", resources } };

    if (serial_dict(&serial, stream, changes, COUNT(changes), err) < 0)
        return -1;
    if (out->failed)
        return pdf_doc_no_memory(err);
    out->len -= 2; /* ">>" */
    buf_puts(out, more);
    buf_drop(out, 2); /* "<<" */
    return out->failed ? pdf_doc_no_memory(err) : 0;
}

static int stream_bytes(struct obj stream, struct buf *out, struct err *err)
{
    AUTO_FREE unsigned char *bytes = NULL;
    size_t n = 0;

    if (!obj_stream_raw(stream, &bytes, &n))
        return err_set(err, ERR_CORRUPT_FILE, "a stream cannot be read");
    buf_put(out, bytes, n);
    return out->failed ? pdf_doc_no_memory(err) : 0;
}

static int put_stream(struct import *import, struct obj stream, int number, const char *resources,
                      const char *more, struct err *err)
{
    AUTO_BUF struct buf keys = BUF_EMPTY, data = BUF_EMPTY;

    if (stream_keys(import, stream, number, resources, more, &keys, err) < 0 ||
        stream_bytes(stream, &data, err) < 0)
        return -1;
    return update_stream(import->update, number, buf_text(&keys), data.data, data.len, err);
}

static int put_object(struct import *import, size_t place, struct err *err)
{
    AUTO_OBJ struct obj obj = obj_same(import->items[place].obj);
    int number = import->items[place].number;
    struct serial serial;

    if (obj_is_stream(obj))
        return put_stream(import, obj, number, NULL, "", err);
    if (update_open(import->update, number, 0, &serial, err) < 0)
        return -1;
    serial.number = number_of;
    serial.arg = import;
    serial.own = import->own;
    if (serial_value(&serial, obj, err) < 0)
        return -1;
    return update_close(import->update, err);
}

static int put_queued(struct import *import, struct err *err)
{
    for (size_t i = 0; i < import->n; i++)
        if (put_object(import, i, err) < 0)
            return -1;
    return import->update->added.failed ? pdf_doc_no_memory(err) : 0;
}

/* Writes an object of this document as it is in memory. */
static int put_changed(struct import *import, struct obj obj, struct err *err)
{
    struct serial serial;

    if (obj_is_stream(obj))
        return err_set(err, ERR_UNSUPPORTED_CONTENT, "a stream of the document cannot be changed");
    if (update_reopen(import->update, obj, &serial, err) < 0)
        return -1;
    serial.number = number_of;
    serial.arg = import;
    serial.own = import->own;
    if (serial_value(&serial, obj, err) < 0)
        return -1;
    return update_close(import->update, err);
}

int import_changed(struct update *update, const struct obj *changed, size_t n, int first,
                   struct err *err)
{
    __attribute__((cleanup(import_free))) struct import import = { .update = update, .own = first };

    for (size_t i = 0; i < n; i++)
        if (put_changed(&import, changed[i], err) < 0)
            return -1;
    return put_queued(&import, err);
}

/* Writes what a page of the drawing shows as a form with this number; what it uses is queued. */
static int put_page(struct import *import, struct pdf_doc *drawing, size_t index, const char *keys,
                    int number, struct err *err)
{
    struct update *update = import->update;
    AUTO_OBJ struct obj page = obj_page(drawing->q, index);
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    AUTO_OBJ struct obj resources = obj_key(page, "/Resources");
    AUTO_BUF struct buf held = BUF_EMPTY;

    if (!obj_is_stream(contents))
        return err_set(err, ERR_INTERNAL, "a drawing without content");
    struct serial serial = { .out = &held,
                             .crypt = update->encrypted ? &update->crypt : NULL,
                             .id = number,
                             .number = number_of,
                             .arg = import };
    if (serial_dict(&serial, resources, NULL, 0, err) < 0)
        return -1;
    return put_stream(import, contents, number, buf_text(&held), keys, err);
}

int import_forms(struct update *update, struct pdf_doc *drawing, size_t n, import_keys *keys,
                 void *arg, int *numbers, struct err *err)
{
    __attribute__((cleanup(import_free))) struct import import = { .update = update };
    char text[IMPORT_KEYS];

    for (size_t i = 0; i < n; i++) {
        keys(arg, i, text);
        if (update_number(update, &numbers[i], err) < 0 ||
            put_page(&import, drawing, i, text, numbers[i], err) < 0)
            return -1;
    }
    return put_queued(&import, err);
}

static void same_keys(void *arg, size_t i, char keys[static IMPORT_KEYS])
{
    (void) i;
    snprintf(keys, IMPORT_KEYS, "%s", (const char *) arg);
}

int import_form(struct update *update, struct pdf_doc *drawing, const char *keys, int *number,
                struct err *err)
{
    return import_forms(update, drawing, 1, same_keys, (char *) (uintptr_t) keys, number, err);
}
