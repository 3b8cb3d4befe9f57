/* redact_rename: gives names of a document (ISO 32000-1, 7.3.5) that have a removed text in them
 * other ones. The same name becomes the same one wherever it is, so that what refers to it still
 * does, and two names never become one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"
#include "pdf/redact/redact_words.h"

/* Called with a name, with its solidus, that has one of the texts. */
typedef void redact_rename_found(void *arg, const char *name);

struct redact_rename {
    struct redact_words *words;
    bool only_count;            /* nothing is renamed */
    redact_rename_found *found; /* with only_count: is called once for each name; or NULL */
    void *arg;
    int now;    /* the number of the object that is looked at */
    size_t n;   /* how many names were renamed, or would be */
    int object; /* that has the first such name; 0: there is no such name */
    struct redact_rename_pair {
        char *was, *is; /* with their solidus */
        size_t next;    /* the number of the next name that would be the same */
    } * pairs;
    size_t n_pairs, cap_pairs;
    struct idmap by_was, by_is; /* indexes of pairs, by hashes */
};

void redact_rename_free(struct redact_rename *rename);

/* The name, with its solidus and without escapes, until the next object of the document is looked
 * at. The result is "" if the object is not a name. */
const char *redact_rename_read(struct obj name);
/* Appends what a name says, without its solidus: UTF-8, or else Latin-1. */
void redact_rename_say(const char *name, size_t n, struct buf *out);
/* Whether one of the texts is in the name, which has its solidus. */
bool redact_rename_has(struct redact_words *words, const char *name);
/* Appends the name in place of one that has a text in it; false: it stays. */
bool redact_rename_name(struct redact_rename *rename, const char *name, struct buf *out);
/* Makes a name, which is to be in place of another one, `was`, different from those that are in
 * place of others; for the same `was` it is the same. Also for strings that are names: of
 * destinations, of fields. Without memory words->failed is set. */
void redact_rename_apart(struct redact_rename *rename, const char *was, struct buf *name);
/* The value of a key, if it is a name. */
void redact_rename_value(struct redact_rename *rename, struct obj dict, const char *key);
/* An item of an array, if it is a name. */
void redact_rename_item(struct redact_rename *rename, struct obj array, int index);
/* One key of a dictionary, whose value stays. */
void redact_rename_key(struct redact_rename *rename, struct obj dict, const char *key);
