/* idmap: maps ids of objects (pdf/object/obj.h), or any other 64-bit keys but 0, to small numbers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idmap {
    struct idmap_slot *slots;
    size_t n, n_slots;
};

#define IDMAP_NONE SIZE_MAX

/* The number of a key, IDMAP_NONE if there is none. */
size_t idmap_find(const struct idmap *map, int64_t key);
/* Adds a key with a number; an existing key is not changed. False when out of memory. */
bool idmap_add(struct idmap *map, int64_t key, size_t number);
/* Changes the number of an existing key. */
void idmap_set(struct idmap *map, int64_t key, size_t number);
void idmap_free(struct idmap *map);
#define AUTO_IDMAP __attribute__((cleanup(idmap_free)))
