/*
 * obj: handles of PDF objects (ISO 32000-1, section 7.3) that release themselves. qpdf keeps every
 * handle until it is released or the document closed, so a loop over a large document must not leak
 * one.
 *
 * Nothing here fails: an object that is missing, or has another type than requested, reads as null.
 * A function that returns a struct obj makes a new handle, which the caller owns (AUTO_OBJ, or
 * obj_forget_all); functions that store an object in another one do not take ownership of its
 * handle.
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

/* Releases the handle, and sets it to OBJ_NONE. */
void obj_drop(struct obj *obj);
/* Some handles are made only for the effect of the call, and never used. */
#define AUTO_OBJ __attribute__((cleanup(obj_drop), unused))
/* Releases all handles of the document at once, for code that makes many in one step. */
void obj_forget_all(qpdf_data q);

/* Returns another handle of the same object. */
struct obj obj_same(struct obj obj);
struct obj obj_root(qpdf_data q);
struct obj obj_trailer(qpdf_data q);
struct obj obj_page(qpdf_data q, size_t index); /* from 0 */
struct obj obj_by_id(qpdf_data q, int id, int gen);
/* The object with this number, of generation 0, 1 or 2: higher ones hardly occur. Null if there is
 * none. */
struct obj obj_by_number(qpdf_data q, int id);

/* The value of a key of a dictionary, or of a stream's dictionary. */
struct obj obj_key(struct obj dict, const char *key);
/* The same of what is known to be a dictionary: saves one of two calls of qpdf. */
struct obj obj_key_in(struct obj dict, const char *key);
struct obj obj_item(struct obj array, int index);
/* The same of an array that is known to be longer than index: saves two of three calls of qpdf. */
struct obj obj_item_in(struct obj array, int index);
int obj_count(struct obj array); /* 0 if it is not an array */

bool obj_is_null(struct obj obj);
bool obj_is_dict(struct obj obj);
bool obj_is_stream(struct obj obj);
bool obj_is_array(struct obj obj);
bool obj_is_string(struct obj obj);
bool obj_is_name(struct obj obj);
/* Like the three other functions that read a value, sets *value only if it returns true. */
bool obj_is_int(struct obj obj, long long *value);
/* Whether the object is an integer or a real. */
bool obj_is_number(struct obj obj, double *value);
/* Whether the first n items of an array are numbers. */
bool obj_numbers(struct obj array, double *values, int n);
bool obj_is_indirect(struct obj obj);
/* The object's number and generation as one id: 0 for a direct object. */
int64_t obj_id(struct obj obj);
#define OBJ_ID(number, gen) ((int64_t) (number) << 20 | ((gen) &0xfffff))
#define OBJ_NUMBER(id)      ((int) ((id) >> 20))
#define OBJ_GEN(id)         ((int) ((id) &0xfffff))

bool obj_is_bool(struct obj obj, bool *value);

bool obj_name_is(struct obj obj, const char *name);
bool obj_has(struct obj dict, const char *key);
bool obj_key_is(struct obj dict, const char *key, const char *name);
bool obj_key_int(struct obj dict, const char *key, long long *value);
/* The bytes of a string or name ("/Name"). Borrowed until the next call for this document; NULL
 * if it is neither. */
const char *obj_bytes(struct obj obj, size_t *n);

/* New objects. obj_parse is for PDF syntax that we wrote ourselves. */
struct obj obj_new_dict(qpdf_data q);
struct obj obj_new_array(qpdf_data q);
struct obj obj_new_string(qpdf_data q, const char *bytes, size_t n);
struct obj obj_new_name(qpdf_data q, const char *name);
struct obj obj_new_int(qpdf_data q, long long value);
struct obj obj_new_stream(qpdf_data q, const void *data, size_t n);
struct obj obj_parse(qpdf_data q, const char *text);
/* The same for text from the document: null if it is not an object, or has references. */
struct obj obj_try_parse(qpdf_data q, const char *text);
/* A new indirect object with obj's value. */
struct obj obj_indirect(struct obj obj);
/* Replaces the value of the indirect object `old`; `old` and other handles of it are invalid
 * afterwards. */
void obj_replace(struct obj old, struct obj value);
/* The object's copy in document q, made with all that it refers to on the first call. Pages are
 * not followed: references to other pages become null. */
struct obj obj_copy(qpdf_data q, struct obj indirect);

/* Like obj_copy. True if the copy existed before, because another copied object refers to it; a
 * copy that is not used is not written. The caller owns `copy`. */
bool obj_was_copied(qpdf_data q, struct obj indirect, struct obj *copy);

/* The dictionary of a stream. */
struct obj obj_dict(struct obj stream);
/* The object as PDF syntax, with references as "12 0 R". Borrowed until the next call for this
 * document. */
const char *obj_text(struct obj obj);
/* The same with the value of an indirect object in place of its reference. */
const char *obj_value_text(struct obj obj);
/* Whether one of the names, a NULL-terminated list, is written as a key in the object or in what is
 * directly in it, at any depth. Costs less than to look at each value; a text may have the name,
 * too. */
bool obj_mentions(struct obj obj, const char *const *names);
/*
 * The bytes of a stream: decrypted and otherwise as in the file, or with all lossless filters
 * decoded (Flate, LZW, ASCII and run lengths, with their predictors); false if that is impossible,
 * or not possible in reasonable time (pdf/object/run_lengths.h). The caller frees them.
 */
bool obj_stream_raw(struct obj stream, unsigned char **data, size_t *n);
bool obj_stream_data(struct obj stream, unsigned char **data, size_t *n);
/* The same without run lengths, which qpdf's writer keeps, too. */
bool obj_stream_unpacked(struct obj stream, unsigned char **data, size_t *n);
/* The decoded size of a stream's run lengths, without decoding them: 0 if it has none. */
uint64_t obj_run_lengths(struct obj stream);
/* Gives a stream other bytes, which are copied, under the filter and parameters its dictionary has
 * then: set those first. */
void obj_set_stream(struct obj stream, const void *data, size_t n);
/* Whether a page's content exceeds its limits: OBJ_CONTENTS streams, and the decoded size of
 * pdf/object/run_lengths.h. */
#define OBJ_CONTENTS 100000
bool obj_content_is_excessive(struct obj page);
/* A page's content, with its streams joined. False if it cannot be decoded, or exceeds the
 * limits. */
bool obj_page_content(struct obj page, unsigned char **data, size_t *n);
/* Whether the Flate data of a page's content streams is whole, as far as no other filter comes
 * before it. */
bool obj_content_is_whole(struct obj page);
/* A new dictionary with the same values. Null when out of memory. */
struct obj obj_shallow_copy(struct obj dict);

void obj_set(struct obj dict, const char *key, struct obj value);
void obj_set_int(struct obj dict, const char *key, long long value);
void obj_set_name(struct obj dict, const char *key, const char *name);
void obj_remove(struct obj dict, const char *key);
void obj_append(struct obj array, struct obj value);
void obj_set_item(struct obj array, int index, struct obj value);

/*
 * The keys of a dictionary, NULL-terminated; free the list with obj_keys_free. NULL when out of
 * memory.
 */
char **obj_keys(struct obj dict);
void obj_keys_free(char ***keys);
#define AUTO_KEYS __attribute__((cleanup(obj_keys_free)))
