/*
 * objects: every object that a scan of the bytes finds, wherever it lies and whatever the
 * cross-reference table says of it. Of two with one number the later and whole one counts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf_syntax/dict.h"

#define OBJECTS_MAX   2000000U     /* in one document */
#define OBJECTS_BYTES (512U << 20) /* of their texts, and of what their streams unpack to */

struct object {
    uint32_t number;
    size_t place;        /* in the file: of the header, or of the object stream that holds it */
    size_t text, text_n; /* clean form, in struct objects' text */
    bool is_stream;
    bool whole;            /* nothing had to be guessed */
    bool from_stream;      /* from an object stream */
    bool damaged;          /* parts of it may be missing */
    bool unusable;         /* damaged so that it is better not there: written as null */
    bool dead;             /* another with its number counts */
    size_t data, data_n;   /* of a stream, in the file */
    unsigned char *mended; /* data to write instead, or NULL; owned */
    size_t mended_n;
};

struct objects {
    const unsigned char *file; /* borrowed, or `plain` */
    size_t file_n;
    char *plain;   /* what takes the place of a file that is encrypted, or NULL; owned */
    bool unlocked; /* the document is encrypted, and its objects are not any more */
    bool sealed;   /* it is, and they still are: those in object streams cannot be seen */
    struct object *list;
    size_t n, cap;
    struct buf text;
    uint32_t *by_number; /* index + 1 of the one that counts, 0: none; `numbers` entries */
    size_t numbers;
    size_t trailers[64]; /* texts of trailer dictionaries: offset and length in `text`, in pairs */
    size_t n_trailers;
    uint32_t free_from; /* for objects_new_number */
    size_t headers;     /* "N G obj" seen */
    size_t unpacked;    /* bytes, against OBJECTS_BYTES */
    size_t checked;     /* bytes unpacked only to see whether streams are sound */
    /* What is left to find out what streams were (inflate_repair/zstream.h), of which a search that
     * succeeds gives back what it took: damage in one file is mostly of one kind. */
    size_t effort;       /* where the file shows what may have happened, */
    size_t guess_effort; /* where nothing does, */
    size_t flip_effort;  /* and for bits that changed (inflate_repair/flip_search.h) */
};

/* Scans the whole of a file. ERR_LIMIT_EXCEEDED beyond what is stated above. */
int objects_scan(struct objects *objects, const void *file, size_t n, struct err *err);
void objects_free(struct objects *objects);
#define AUTO_OBJECTS __attribute__((cleanup(objects_free)))

/* The one that counts, or NULL. Borrowed until the next objects_add. */
struct object *objects_find(const struct objects *objects, uint32_t number);
struct text object_text(const struct objects *objects, const struct object *object);
struct text objects_trailer(const struct objects *objects, size_t i);
/* The value with a reference followed, as far as it leads. */
struct text objects_resolve(const struct objects *objects, struct text value);
/* A key's value, a reference followed. */
struct text objects_key(const struct objects *objects, struct text dict, const char *key);

/* Adds one whose text was appended to objects->text from `text` on. number 0: it has lost its own,
 * and objects_number_rest gives it a new one. NULL with err filled. */
struct object *objects_add(struct objects *objects, uint32_t number, size_t place, size_t text,
                           bool whole, struct err *err);
/* From now on the i-th counts, of those with its number. */
void objects_prefer(struct objects *objects, size_t i);
/* It counts no more. */
void objects_bury(struct objects *objects, struct object *object);
/* Replaces an object's text. */
void object_rewrite(struct objects *objects, struct object *object, const struct buf *text);
/* Gives its dictionary other pairs, as dict_write does. False when out of memory. */
bool object_change(struct objects *objects, struct object *object, const char *const *without,
                   struct text extra);
int objects_number_rest(struct objects *objects, struct err *err);
/* A number no object has: for when all objects of the file have been added. */
uint32_t objects_new_number(struct objects *objects);
