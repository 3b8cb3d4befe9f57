#include "pdf/object/idmap.h"
#include "base/fnv.h"

#include <stdlib.h>

struct idmap_slot {
    int64_t key; /* 0: free */
    size_t number;
};

static struct idmap_slot *slot_of(const struct idmap *map, int64_t key)
{
    uint64_t hash = (uint64_t) key * FNV_SPREAD;
    size_t i = (hash ^ hash >> 32) & (map->n_slots - 1);

    while (map->slots[i].key && map->slots[i].key != key)
        i = (i + 1) & (map->n_slots - 1);
    return &map->slots[i];
}

size_t idmap_find(const struct idmap *map, int64_t key)
{
    struct idmap_slot *slot = map->n_slots ? slot_of(map, key) : NULL;

    return slot && slot->key ? slot->number : IDMAP_NONE;
}

/* Keeps it at most half full. */
static bool make_slots(struct idmap *map)
{
    struct idmap larger = { .n = map->n, .n_slots = map->n_slots ? map->n_slots * 2 : 64 };

    if (map->n * 2 < map->n_slots)
        return true;
    larger.slots = calloc(larger.n_slots, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < map->n_slots; i++)
        if (map->slots[i].key)
            *slot_of(&larger, map->slots[i].key) = map->slots[i];
    free(map->slots);
    *map = larger;
    return true;
}

bool idmap_add(struct idmap *map, int64_t key, size_t number)
{
    struct idmap_slot *slot;

    if (!key || !make_slots(map))
        return key == 0;
    slot = slot_of(map, key);
    if (!slot->key) {
        *slot = (struct idmap_slot){ key, number };
        map->n++;
    }
    return true;
}

void idmap_set(struct idmap *map, int64_t key, size_t number)
{
    struct idmap_slot *slot = map->n_slots ? slot_of(map, key) : NULL;

    if (slot && slot->key)
        slot->number = number;
}

void idmap_free(struct idmap *map)
{
    free(map->slots);
    *map = (struct idmap){ 0 };
}
