#include "compress/object_graph/device_spaces.h"

#include <string.h>

#include "base/scope.h"
#include "compress/icc/srgb.h"

#define MAX_DEPTH 12 /* arrays and dictionaries within an object */

enum kind { KIND_OTHER, KIND_GRAY, KIND_RGB };

static bool has_defaults(struct obj resources)
{
    AUTO_OBJ struct obj all = obj_key(resources, "/ColorSpace");

    return obj_has(all, "/DefaultGray") || obj_has(all, "/DefaultRGB") ||
           obj_has(all, "/DefaultCMYK");
}

/* Whether output intents define the device for the document, or for a page of it (14.11.5). */
static bool have_intents(struct pdf_doc *doc)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    bool have = obj_has(root, "/OutputIntents");

    for (size_t i = 0; !have && i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        have = obj_has(page, "/OutputIntents"); /* of one page: since PDF 2.0 */
    }
    return have;
}

void device_spaces_open(struct device_spaces *spaces, struct pdf_doc *doc,
                        const struct usage *usage)
{
    *spaces = (struct device_spaces){ .on = !usage->partial && !have_intents(doc) };
    for (size_t i = 0; spaces->on && i < usage->n_holders; i++) {
        AUTO_OBJ struct obj holder =
            obj_by_id(doc->q, OBJ_NUMBER(usage->holders[i]), OBJ_GEN(usage->holders[i]));
        AUTO_OBJ struct obj resources = obj_key(holder, "/Resources");

        spaces->on = !has_defaults(resources);
    }
}

void device_spaces_close(struct device_spaces *spaces)
{
    idmap_free(&spaces->profiles);
}

static enum kind kind_of(struct obj profile)
{
    AUTO_FREE unsigned char *data = NULL;
    long long channels = 0;
    size_t n;

    if (!obj_is_stream(profile) || !obj_key_int(profile, "/N", &channels) ||
        (channels != 1 && channels != 3) || !obj_stream_data(profile, &data, &n) ||
        !srgb_is_like(data, n, (int) channels))
        return KIND_OTHER;
    return channels == 1 ? KIND_GRAY : KIND_RGB;
}

/* The device space to be in its place; NULL for one that stays. */
static const char *plain(struct device_spaces *s, struct obj space)
{
    static const char *const names[] = { NULL, "/DeviceGray", "/DeviceRGB" };
    AUTO_OBJ struct obj first = obj_item(space, 0);
    AUTO_OBJ struct obj profile = obj_item(space, 1);
    size_t kind;

    if (obj_count(space) != 2 || !obj_name_is(first, "/ICCBased") || !obj_is_indirect(profile))
        return NULL;
    kind = idmap_find(&s->profiles, obj_id(profile));
    if (kind == IDMAP_NONE) {
        kind = kind_of(profile);
        s->no_memory |= !idmap_add(&s->profiles, obj_id(profile), kind);
    }
    return names[kind];
}

static bool replace_within(struct device_spaces *s, struct obj obj, int depth);

static bool replace_item(struct device_spaces *s, struct obj holder, const char *key, int index,
                         struct obj value, int depth)
{
    const char *name;

    if (obj_is_indirect(value))
        return false;
    if (!(name = plain(s, value)))
        return replace_within(s, value, depth - 1);
    if (key) {
        obj_set_name(holder, key, name);
    } else {
        AUTO_OBJ struct obj device = obj_new_name(holder.q, name);

        obj_set_item(holder, index, device);
    }
    return true;
}

static bool replace_within(struct device_spaces *s, struct obj obj, int depth)
{
    bool changed = false;

    if (depth == 0)
        return false;
    if (obj_is_array(obj)) {
        for (int i = 0; i < obj_count(obj); i++) {
            AUTO_OBJ struct obj value = obj_item(obj, i);

            changed |= replace_item(s, obj, NULL, i, value, depth);
        }
    } else if (obj_is_dict(obj) || obj_is_stream(obj)) {
        AUTO_KEYS char **keys = obj_keys(obj);

        for (size_t i = 0; keys && keys[i]; i++) {
            AUTO_OBJ struct obj value = obj_key(obj, keys[i]);

            changed |= replace_item(s, obj, keys[i], 0, value, depth);
        }
    }
    return changed;
}

bool device_spaces_replace(struct device_spaces *s, struct obj obj, const char *text)
{
    const char *name;

    if (!s->on || !text || !strstr(text, "/ICCBased"))
        return false;
    if (!(name = plain(s, obj)))
        return replace_within(s, obj, MAX_DEPTH);
    AUTO_OBJ struct obj device = obj_new_name(obj.q, name);
    obj_replace(obj, device);
    return true;
}
