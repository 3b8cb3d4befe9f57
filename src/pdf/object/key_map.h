/*
 * key_map: maps byte strings to numbers: a hash table with open addressing. Starts as a zeroed
 * struct.
 *
 * A failed allocation is remembered in `failed` instead of being reported by every call; check it
 * once, at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct key_map {
    struct key_map_slot *slots;
    size_t n, cap;
    bool failed;
};

/* Adds the key or changes its value. */
void key_map_put(struct key_map *map, const void *key, size_t n, int64_t value);
/* Stores the value of a key; false if the map does not have the key. */
bool key_map_find(const struct key_map *map, const void *key, size_t n, int64_t *value);
bool key_map_has(const struct key_map *map, const void *key, size_t n);
/* Adds the key; false if it existed. */
bool key_map_add(struct key_map *map, const void *key, size_t n);
void key_map_free(struct key_map *map);
#define AUTO_KEY_MAP __attribute__((cleanup(key_map_free)))

/* The same with numbers as keys. */
void key_map_put_id(struct key_map *map, int64_t id, int64_t value);
bool key_map_find_id(const struct key_map *map, int64_t id, int64_t *value);
bool key_map_add_id(struct key_map *map, int64_t id);
