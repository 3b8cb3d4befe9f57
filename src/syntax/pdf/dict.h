/* dict: reads and rewrites dictionaries in clean form (syntax/pdf/syntax.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "syntax/pdf/text.h"

/* The value of a key ("/Type") at top level; its `at` is NULL if there is none. */
struct text dict_find(struct text dict, const char *key);
bool dict_has(struct text dict, const char *key);
bool dict_name_is(struct text dict, const char *key, const char *name);
/* The object number of the reference that a key has, 0 if it has none. */
uint32_t dict_ref(struct text dict, const char *key);
/* Reads the non-negative integer that a key has; false if it has none. */
bool dict_number(struct text dict, const char *key, uint64_t *number);

/* Calls `each` for every pair of a dictionary; returning false stops. */
void dict_walk(struct text dict, bool (*each)(void *arg, struct text key, struct text value),
               void *arg);
/* Calls `each` for every element of an array; returning false stops. */
void dict_walk_array(struct text array, bool (*each)(void *arg, struct text value), void *arg);
/* The number of elements of an array; 0 for anything else. */
size_t dict_array_size(struct text array);
/* The first element of an array; its `at` is NULL if there is none. */
struct text dict_array_first(struct text array);

/* Writes `dict` without the keys of the NULL-terminated list, and with the pairs of `extra`
 * ("/Type /Page ..."). Anything but a dictionary counts as an empty one. */
void dict_write(struct buf *out, struct text dict, const char *const *without, struct text extra);
