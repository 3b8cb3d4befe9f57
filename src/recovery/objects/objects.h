/*
 * objects: finds all objects by scanning the bytes of a file, ignoring the cross-reference table.
 * Of two objects with the same number the later intact one is used.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "syntax/pdf/dict.h"

#define OBJECTS_MAX 2000000U /* limit of a document */
/* limit of their texts, and of the decoded size of their streams */
#define OBJECTS_BYTES (512U << 20)

struct object {
    uint32_t number;
    /* offset in the file: of the header, or of the object stream that contains it */
    size_t place;
    size_t text, text_n; /* in clean form, in struct objects' text */
    bool is_stream;
    bool whole;            /* nothing had to be guessed */
    bool from_stream;      /* from an object stream */
    bool damaged;          /* parts of it may be missing */
    bool unusable;         /* damaged so much that it is better left out: written as null */
    bool dead;             /* another object with its number is used */
    size_t data, data_n;   /* of a stream, in the file */
    unsigned char *mended; /* replacement for the data, or NULL; owned */
    size_t mended_n;
};

struct objects {
    const unsigned char *file; /* borrowed, or equal to `plain` */
    size_t file_n;
    char *plain;   /* decrypted replacement for an encrypted file, or NULL; owned */
    bool unlocked; /* the document is encrypted, and its objects were decrypted */
    /* it is encrypted and could not be decrypted: objects in object streams are not visible */
    bool sealed;
    struct object *list;
    size_t n, cap;
    struct buf text;
    uint32_t *by_number; /* index + 1 of the object that is used, 0: none; `numbers` entries */
    size_t numbers;
    size_t trailers[64]; /* texts of trailer dictionaries: offset and length in `text`, in pairs */
    size_t n_trailers;
    uint32_t free_from; /* for objects_new_number */
    size_t attached;    /* number of streams that are PDFs (recovery/objects/attached.h) */
    size_t second;      /* offset of the header of another document after the first, or 0 */
    size_t second_text; /* where its texts begin in `text` */
    bool cut;           /* the file ends within the last object */
    size_t headers;     /* number of "N G obj" that were seen */
    size_t unpacked;    /* decoded bytes so far, up to OBJECTS_BYTES */
    size_t checked;     /* bytes unpacked only to see whether streams are sound */
    /* What searches for the original of damaged streams may still cost, in the units of
     * recovery/inflate_repair/zstream.h. A search that succeeds gives back what it took: damage in
     * one file is mostly of one kind. */
    size_t effort;       /* for streams where the file shows what may have happened */
    size_t guess_effort; /* for streams where nothing does */
    size_t flip_effort;  /* for changed bits (recovery/inflate_repair/flip_search.h) */
};

/* Scans the whole file. ERR_LIMIT_EXCEEDED beyond the limits above. */
int scan_objects(struct objects *objects, const void *file, size_t n, struct err *err);
void objects_free(struct objects *objects);
#define AUTO_OBJECTS __attribute__((cleanup(objects_free)))

/* Whether more streams may be checked for damage (objects->checked): in a document of bombs, those
 * after the first ones are not changed. */
bool objects_may_check(const struct objects *objects);
/* The object with this number, or NULL. Borrowed until the next objects_add. */
struct object *objects_find(const struct objects *objects, uint32_t number);
/* The text of an object in clean form; for a stream, its dictionary. */
struct text objects_text(const struct objects *objects, const struct object *object);
/* The text of the object with this number; its `at` is NULL for a stream, or if there is none. */
struct text objects_dict(const struct objects *objects, uint32_t number);
/* The i-th trailer dictionary that was found, i < n_trailers. */
struct text objects_trailer(const struct objects *objects, size_t i);
/* The value, with references followed as far as possible. */
struct text objects_resolve(const struct objects *objects, struct text value);
/* A key's value, with references followed. */
struct text objects_key(const struct objects *objects, struct text dict, const char *key);

/* Adds an object whose text was appended to objects->text from `text` on. number 0: its number
 * was lost, and objects_number_rest gives it a new one. NULL with err filled. */
struct object *objects_add(struct objects *objects, uint32_t number, size_t place, size_t text,
                           bool whole, struct err *err);
/* From now on the i-th object is the one that is used for its number. */
void objects_prefer(struct objects *objects, size_t i);
/* Excludes the object from the document. */
void objects_bury(struct objects *objects, struct object *object);
/* Replaces an object's text. */
void objects_rewrite(struct objects *objects, struct object *object, const struct buf *text);
/* Changes pairs of the dictionary of an object or stream, as dict_write does. False when out of
 * memory. */
bool objects_change(struct objects *objects, struct object *object, const char *const *without,
                    struct text extra);
/* Gives a new number to each object whose own was lost. */
int objects_number_rest(struct objects *objects, struct err *err);
/* A number that no object has; may be called when all objects of the file have been added. */
uint32_t objects_new_number(struct objects *objects);
