/* idmap: from the ids of objects (pdf/obj.h), or any other 64-bit keys but 0, to small numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idmap {
    struct idmap_slot *slots;
    size_t n, n_slots;
};

#define IDMAP_NONE SIZE_MAX

/* The number of a key, IDMAP_NONE if it has none. */
size_t idmap_find(const struct idmap *map, int64_t key);
/* Gives a key a number; one it has already stays. False when out of memory. */
bool idmap_add(struct idmap *map, int64_t key, size_t number);
/* Gives a key that is there another number. */
void idmap_set(struct idmap *map, int64_t key, size_t number);
void idmap_free(struct idmap *map);
#define AUTO_IDMAP __attribute__((cleanup(idmap_free)))
