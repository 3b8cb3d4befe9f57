/*
 * obj: handles of PDF objects (ISO 32000-1, section 7.3) that release themselves. qpdf keeps every
 * handle it ever gave out until it is released or the document closed, so a loop over a large
 * document must not leak one.
 *
 * Nothing here fails: what is not there, or is of another type than asked for, reads as null.
 */
#pragma once

#include <qpdf/qpdf-c.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct obj {
    qpdf_data q;
    qpdf_oh oh;
};

#define OBJ_NONE                                                                                   \
    (struct obj)                                                                                   \
    {                                                                                              \
        0                                                                                          \
    }

void obj_drop(struct obj *obj);
/* Some are made for what making them does, and never looked at. */
#define AUTO_OBJ __attribute__((cleanup(obj_drop), unused))
/* Releases every handle of the document at once: for code that makes many for one step. */
void obj_forget_all(qpdf_data q);

/* Another handle of the same object. */
struct obj obj_same(struct obj obj);
struct obj obj_root(qpdf_data q);
struct obj obj_trailer(qpdf_data q);
struct obj obj_page(qpdf_data q, size_t index);
struct obj obj_by_id(qpdf_data q, int id, int gen);

/* Value of a key of a dictionary, or of a stream's dictionary. */
struct obj obj_key(struct obj dict, const char *key);
struct obj obj_item(struct obj array, int index);
int obj_count(struct obj array); /* 0 for what is no array */

bool obj_is_null(struct obj obj);
bool obj_is_dict(struct obj obj);
bool obj_is_stream(struct obj obj);
bool obj_is_array(struct obj obj);
bool obj_is_string(struct obj obj);
bool obj_is_name(struct obj obj);
bool obj_is_int(struct obj obj, long long *value);
/* An integer or a real. */
bool obj_is_number(struct obj obj, double *value);
bool obj_is_indirect(struct obj obj);
/* The object's number and generation in one: 0 for a direct object. */
int64_t obj_id(struct obj obj);
#define OBJ_NUMBER(id) ((int) ((id) >> 20))
#define OBJ_GEN(id)    ((int) ((id) &0xfffff))

bool obj_is_bool(struct obj obj, bool *value);

bool obj_name_is(struct obj obj, const char *name);
bool obj_has(struct obj dict, const char *key);
bool obj_key_is(struct obj dict, const char *key, const char *name);
bool obj_key_int(struct obj dict, const char *key, long long *value);
/* Bytes of a string or name ("/Name"). Borrowed until the next call for this document; NULL if it
 * is neither. */
const char *obj_bytes(struct obj obj, size_t *n);

/* New objects; the text of obj_parse is PDF syntax of our own making. */
struct obj obj_new_dict(qpdf_data q);
struct obj obj_new_array(qpdf_data q);
struct obj obj_new_string(qpdf_data q, const char *bytes, size_t n);
struct obj obj_new_name(qpdf_data q, const char *name);
struct obj obj_new_int(qpdf_data q, long long value);
struct obj obj_new_stream(qpdf_data q, const void *data, size_t n);
struct obj obj_parse(qpdf_data q, const char *text);
/* The same for text of the document's: null if it is no object, or refers to others. */
struct obj obj_try_parse(qpdf_data q, const char *text);
/* An indirect object with obj's value. */
struct obj obj_indirect(struct obj obj);
/* Gives the indirect object `old` another value; `old` and handles like it are good for nothing
 * then. */
void obj_replace(struct obj old, struct obj value);
/* The object in document q, copied there with all it refers to the first time it is asked for.
 * Pages are not followed: what refers to another page holds null there. */
struct obj obj_copy(qpdf_data q, struct obj indirect);

/* The same; whether it was there before, because something else that was copied refers to it. What
 * was not, and is left alone, is not written. `copy` becomes the caller's. */
bool obj_was_copied(qpdf_data q, struct obj indirect, struct obj *copy);

/* The dictionary of a stream. */
struct obj obj_dict(struct obj stream);
/* The object as PDF syntax, what it refers to as "12 0 R". Borrowed until the next call for this
 * document. */
const char *obj_text(struct obj obj);
/*
 * The bytes of a stream as they are in the file, decrypted, or with all filters undone that lose
 * nothing (Flate, LZW, ASCII and run lengths, with their predictors); false if that cannot be done,
 * or not in reasonable time (pdf/run_lengths.h). The caller frees them.
 */
bool obj_stream_raw(struct obj stream, unsigned char **data, size_t *n);
bool obj_stream_data(struct obj stream, unsigned char **data, size_t *n);
/* Gives a stream other bytes, which are copied, under the filter and parameters its dictionary has
 * then: set those first. */
void obj_set_stream(struct obj stream, const void *data, size_t n);
/* Whether a page's content is of more streams, or unpacks to more (pdf/run_lengths.h), than anyone
 * would wait for. */
#define OBJ_CONTENTS 100000
bool obj_content_is_excessive(struct obj page);
/* A page's content, its streams joined. False if it cannot be unpacked, or is excessive. */
bool obj_page_content(struct obj page, unsigned char **data, size_t *n);
/* Another dictionary with the same values. Null when out of memory. */
struct obj obj_shallow_copy(struct obj dict);

void obj_set(struct obj dict, const char *key, struct obj value);
void obj_set_int(struct obj dict, const char *key, long long value);
void obj_set_name(struct obj dict, const char *key, const char *name);
void obj_remove(struct obj dict, const char *key);
void obj_append(struct obj array, struct obj value);
void obj_set_item(struct obj array, int index, struct obj value);

/*
 * Keys of a dictionary, NULL-terminated; the caller frees the list with obj_keys_free. NULL when
 * out of memory.
 */
char **obj_keys(struct obj dict);
void obj_keys_free(char ***keys);
#define AUTO_KEYS __attribute__((cleanup(obj_keys_free)))
