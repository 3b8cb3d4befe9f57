#include "pdf/object/depth.h"

#define MAX_LEVELS 1000 /* sound documents stay below 50 */

/* How many levels are below an object; more than MAX_LEVELS as soon as there are too many. */
static size_t measure_depth(struct depth *d, struct obj obj, size_t level);

static size_t measure_dict(struct depth *d, struct obj dict, size_t level)
{
    AUTO_KEYS char **keys = obj_keys(dict);
    size_t height = 0;

    for (size_t i = 0; keys && keys[i] && height <= MAX_LEVELS; i++) {
        AUTO_OBJ struct obj value = obj_key(dict, keys[i]);
        size_t below = measure_depth(d, value, level + 1);

        height = below + 1 > height ? below + 1 : height;
    }
    return height;
}

static size_t measure_array(struct depth *d, struct obj array, size_t level)
{
    int n = obj_count(array);
    size_t height = 0;

    for (int i = 0; i < n && height <= MAX_LEVELS; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);
        size_t below = measure_depth(d, item, level + 1);

        height = below + 1 > height ? below + 1 : height;
    }
    return height;
}

static size_t measure_depth(struct depth *d, struct obj obj, size_t level)
{
    int64_t id = obj_id(obj);
    size_t known = idmap_find(&d->heights, id), height = 0;
    bool is_array = obj_is_array(obj);

    if (known != IDMAP_NONE)
        return known;
    if (!is_array && !obj_is_dict(obj) && !obj_is_stream(obj))
        return 0;
    if (level > MAX_LEVELS)
        return MAX_LEVELS + 1;
    if (level > 0 && (obj_key_is(obj, "/Type", "/Page") || obj_key_is(obj, "/Type", "/Pages")))
        return 0;
    /* Met again below itself it counts as nothing: the copy ends there too. */
    idmap_add(&d->heights, id, 0);
    height = is_array ? measure_array(d, obj, level) : measure_dict(d, obj, level);
    idmap_set(&d->heights, id, height);
    return height;
}

bool depth_is_safe(struct depth *depth, struct obj obj)
{
    return measure_depth(depth, obj, 0) <= MAX_LEVELS;
}

void depth_free(struct depth *depth)
{
    idmap_free(&depth->heights);
}
