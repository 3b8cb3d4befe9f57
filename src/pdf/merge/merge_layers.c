/*
 * Layers (ISO 32000-1, 8.11.4). The result has one configuration, whose base state is ON: what a
 * file hides, by its base state or by name, is hidden by name, so that every file looks as before.
 */
#include <string.h>

#include "pdf/merge/merge_part.h"
#include "pdf/object/key_map.h"

static int read_layers(struct merge *m, struct merge_source *s, struct err *err)
{
    (void) m, (void) err;
    merge_put(s, "/OCProperties", obj_key(obj_root(s->doc.q), "/OCProperties"));
    return 0;
}

/* The array in dict[key], made if there is none. */
static struct obj array_of(struct obj dict, const char *key)
{
    struct obj array = obj_key(dict, key);

    if (obj_is_array(array))
        return array;
    array = obj_new_array(dict.q);
    obj_set(dict, key, array);
    return obj_key(dict, key);
}

static void append_key(struct obj to, struct obj from, const char *key)
{
    struct obj more = obj_key(from, key);

    if (obj_count(more) > 0)
        merge_append_all(array_of(to, key), more);
}

static struct obj without(struct obj groups, struct obj others)
{
    struct obj rest = obj_new_array(groups.q);
    struct key_map listed = { 0 };

    for (int i = 0; i < obj_count(others); i++)
        key_map_add_id(&listed, obj_id(obj_item(others, i)));
    for (int i = 0; i < obj_count(groups); i++)
        if (!key_map_has(&listed, &(int64_t){ obj_id(obj_item(groups, i)) }, sizeof(int64_t)))
            obj_append(rest, obj_item(groups, i));
    key_map_free(&listed);
    return rest;
}

/* The groups under the file's title, if the file shows them at all. */
static void add_order(struct merge_source *s, struct obj to, struct obj from)
{
    struct obj order = obj_key(from, "/Order"), group = obj_new_array(to.q);

    if (obj_count(order) == 0)
        return;
    obj_append(group, merge_text(to.q, s->title));
    merge_append_all(group, order);
    obj_append(array_of(to, "/Order"), group);
}

/* Which groups the configuration speaks of (/Intent): all that any file's did. */
static void add_intent(struct obj to, struct obj from)
{
    struct obj intent = obj_key(from, "/Intent"), all = array_of(to, "/Intent");

    if (obj_is_null(intent))
        obj_append(all, obj_new_name(to.q, "/View"));
    else if (obj_is_name(intent))
        obj_append(all, intent);
    merge_append_all(all, intent);
}

/* Another configuration to choose speaks of its own file's groups only. */
static void add_configs(struct obj properties, struct obj from, struct obj groups)
{
    struct obj configs = obj_key(from, "/Configs");

    for (int i = 0; i < obj_count(configs); i++) {
        struct obj config = obj_item(configs, i), base = obj_key(config, "/BaseState");
        if (!obj_is_dict(config))
            continue;
        if (obj_name_is(base, "/OFF"))
            obj_set(config, "/OFF", without(groups, obj_key(config, "/ON")));
        else if (!obj_name_is(base, "/Unchanged"))
            obj_set(config, "/ON", without(groups, obj_key(config, "/OFF")));
        obj_set_name(config, "/BaseState", "/Unchanged");
        obj_append(array_of(properties, "/Configs"), config);
    }
}

/*
 * Readers tell layers apart by what they say (MuPDF does): of two that say the same only one would
 * be hidden. So a layer that says the same as one before says in addition whose it is.
 */
static int rename_equal(struct merge *m, struct merge_source *s, struct obj groups, struct err *err)
{
    for (int i = 0; i < obj_count(groups); i++) {
        struct obj group = obj_item(groups, i);
        const char *text = qpdf_oh_unparse_resolved(group.q, group.oh);
        if (obj_is_dict(group) && !key_map_add(&m->layer_texts, text, strlen(text)))
            obj_set_int(group, "/PLTN_File", (long long) s->number + 1);
    }
    return m->layer_texts.failed ? merge_no_memory(err) : 0;
}

static int join_layers(struct merge *m, struct merge_source *s, struct err *err)
{
    struct obj from = obj_key(s->in, "/OCProperties"), groups = obj_key(from, "/OCGs");
    struct obj config = obj_key(from, "/D"), to = merge_at(m, m->layers), d = obj_key(to, "/D");

    if (obj_count(groups) == 0)
        return 0;
    if (rename_equal(m, s, groups, err) < 0)
        return -1;
    if (!obj_is_dict(d)) {
        obj_set(to, "/D", obj_new_dict(to.q));
        d = obj_key(to, "/D");
        obj_set_name(d, "/BaseState", "/ON");
        if (obj_has(config, "/ListMode"))
            obj_set(d, "/ListMode", obj_key(config, "/ListMode"));
    }
    merge_append_all(array_of(to, "/OCGs"), groups);
    add_configs(to, from, groups);
    append_key(d, config, "/ON");
    if (obj_key_is(config, "/BaseState", "/OFF"))
        merge_append_all(array_of(d, "/OFF"), without(groups, obj_key(config, "/ON")));
    else
        append_key(d, config, "/OFF");
    append_key(d, config, "/AS");
    append_key(d, config, "/RBGroups");
    append_key(d, config, "/Locked");
    add_order(s, d, config);
    add_intent(d, config);
    return 0;
}

/* One name for the common case that all mean /View. */
static void settle_intent(struct obj d)
{
    struct obj all = obj_key(d, "/Intent");

    for (int i = 0; i < obj_count(all); i++)
        if (!obj_name_is(obj_item(all, i), "/View"))
            return;
    obj_remove(d, "/Intent");
}

static int finish_layers(struct merge *m, struct err *err)
{
    struct obj layers = merge_at(m, m->layers);

    (void) err;
    if (obj_has(layers, "/OCGs")) {
        settle_intent(obj_key(layers, "/D"));
        obj_set(obj_root(m->to.q), "/OCProperties", layers);
    }
    return 0;
}

const struct merge_part merge_layers = { read_layers, join_layers, finish_layers };
