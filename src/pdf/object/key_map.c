#include "pdf/object/key_map.h"
#include "base/fnv.h"

#include <stdlib.h>
#include <string.h>

struct key_map_slot {
    char *key; /* NULL: empty */
    size_t n;
    uint64_t hash;
    int64_t value;
};

static uint64_t hash_of(const void *key, size_t n)
{
    uint64_t hash = fnv_bytes(FNV_START, key, n);

    /* Mixed for the low bits. */
    hash ^= hash >> 32;
    hash *= FNV_SPREAD;
    return hash ^ hash >> 29;
}

/* The key's slot, or the empty one where it belongs. */
static struct key_map_slot *slot_of(const struct key_map *map, const void *key, size_t n,
                                    uint64_t hash)
{
    size_t i = (size_t) hash & (map->cap - 1);

    while (map->slots[i].key && (map->slots[i].hash != hash || map->slots[i].n != n ||
                                 memcmp(map->slots[i].key, key, n) != 0))
        i = (i + 1) & (map->cap - 1);
    return &map->slots[i];
}

static bool grow_map(struct key_map *map)
{
    struct key_map larger = { .cap = map->cap ? map->cap * 2 : 64 };

    larger.slots = calloc(larger.cap, sizeof *larger.slots);
    if (!larger.slots) {
        map->failed = true;
        return false;
    }
    for (size_t i = 0; i < map->cap; i++) {
        const struct key_map_slot *s = &map->slots[i];
        if (s->key)
            *slot_of(&larger, s->key, s->n, s->hash) = *s;
    }
    free(map->slots);
    map->slots = larger.slots;
    map->cap = larger.cap;
    return true;
}

void key_map_put(struct key_map *map, const void *key, size_t n, int64_t value)
{
    uint64_t hash = hash_of(key, n);

    if (map->failed || (map->n * 4 >= map->cap * 3 && !grow_map(map)))
        return;
    struct key_map_slot *slot = slot_of(map, key, n, hash);
    if (!slot->key) {
        slot->key = malloc(n + 1);
        if (!slot->key) {
            map->failed = true;
            return;
        }
        memcpy(slot->key, key, n);
        slot->n = n;
        slot->hash = hash;
        map->n++;
    }
    slot->value = value;
}

bool key_map_find(const struct key_map *map, const void *key, size_t n, int64_t *value)
{
    if (map->n == 0)
        return false;
    const struct key_map_slot *slot = slot_of(map, key, n, hash_of(key, n));
    if (!slot->key)
        return false;
    *value = slot->value;
    return true;
}

bool key_map_has(const struct key_map *map, const void *key, size_t n)
{
    int64_t value;

    return key_map_find(map, key, n, &value);
}

bool key_map_add(struct key_map *map, const void *key, size_t n)
{
    if (key_map_has(map, key, n))
        return false;
    key_map_put(map, key, n, 0);
    return true;
}

void key_map_free(struct key_map *map)
{
    for (size_t i = 0; i < map->cap; i++)
        free(map->slots[i].key);
    free(map->slots);
    *map = (struct key_map){ 0 };
}

void key_map_put_id(struct key_map *map, int64_t id, int64_t value)
{
    key_map_put(map, &id, sizeof id, value);
}

bool key_map_find_id(const struct key_map *map, int64_t id, int64_t *value)
{
    return key_map_find(map, &id, sizeof id, value);
}

bool key_map_add_id(struct key_map *map, int64_t id)
{
    return key_map_add(map, &id, sizeof id);
}
