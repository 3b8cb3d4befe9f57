#include "pdf/document/layers.h"

#include <string.h>

#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"

#define MAX_DEPTH 32
#define MAX_ORDER 100000 /* items in all lists within lists */

struct copier {
    qpdf_data to;
    struct idmap all;  /* of the source: those its catalog lists */
    struct idmap used; /* among them */
    struct obj groups; /* of the target: /OCGs */
    size_t n_order;
    bool no_memory;
};

static void use(struct copier *c, struct obj group)
{
    AUTO_OBJ struct obj copy = obj_copy(c->to, group);

    if (idmap_find(&c->used, obj_id(group)) != IDMAP_NONE)
        return;
    c->no_memory |= !idmap_add(&c->used, obj_id(group), 0);
    obj_append(c->groups, copy);
}

static bool is_used(const struct copier *c, struct obj group)
{
    return idmap_find(&c->used, obj_id(group)) != IDMAP_NONE;
}

/* Those that came along with the pages. */
static void find_used(struct copier *c, struct obj groups)
{
    int n = obj_count(groups);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj group = obj_item(groups, i);
        AUTO_OBJ struct obj copy = OBJ_NONE;

        if (!obj_is_indirect(group) || !obj_is_dict(group))
            continue;
        c->no_memory |= !idmap_add(&c->all, obj_id(group), 0);
        if (obj_was_copied(c->to, group, &copy))
            use(c, group);
    }
}

/* An array of groups without those not used. */
static struct obj filter(struct copier *c, struct obj groups)
{
    struct obj out = obj_new_array(c->to);
    int n = obj_count(groups);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj group = obj_item(groups, i);

        if (!is_used(c, group))
            continue;
        AUTO_OBJ struct obj copy = obj_copy(c->to, group);
        obj_append(out, copy);
    }
    return out;
}

/* The list that readers show: an array after a group contains its children, a string at the
 * start of an array of groups is its title. */
static struct obj filter_order(struct copier *c, struct obj order, int depth)
{
    struct obj out = obj_new_array(c->to);
    AUTO_OBJ struct obj above = OBJ_NONE;
    int n = depth < MAX_DEPTH ? obj_count(order) : 0;

    for (int i = 0; i < n && c->n_order < MAX_ORDER; i++, c->n_order++) {
        AUTO_OBJ struct obj item = obj_item(order, i);

        if (obj_is_array(item)) {
            AUTO_OBJ struct obj below = filter_order(c, item, depth + 1);

            if (obj_count(below) == 0)
                continue;
            if (above.q && !is_used(c, above)) {
                AUTO_OBJ struct obj copy = obj_copy(c->to, above);
                use(c, above);
                obj_append(out, copy);
            }
            obj_append(out, below);
        } else if (idmap_find(&c->all, obj_id(item)) != IDMAP_NONE) {
            obj_drop(&above);
            above = obj_same(item);
            if (is_used(c, item)) {
                AUTO_OBJ struct obj copy = obj_copy(c->to, item);
                obj_append(out, copy);
            }
        }
    }
    AUTO_OBJ struct obj title = obj_item(order, 0);
    size_t n_title;
    if (obj_is_string(title) && obj_count(out) > 0) {
        const char *bytes = obj_bytes(title, &n_title);
        AUTO_OBJ struct obj copy = obj_new_string(c->to, bytes, n_title);
        qpdf_oh_insert_item(c->to, out.oh, 0, copy.oh);
    }
    return out;
}

static void copy_list(struct copier *c, struct obj to, struct obj from, const char *key)
{
    AUTO_OBJ struct obj list = obj_key(from, key);

    if (!obj_is_array(list))
        return;
    AUTO_OBJ struct obj kept = filter(c, list);
    obj_set(to, key, kept);
}

/* Names and text strings. */
static void copy_value(struct obj to, struct obj from, const char *key)
{
    AUTO_OBJ struct obj value = obj_key(from, key);
    size_t n;
    const char *bytes = obj_bytes(value, &n);

    if (!bytes)
        return;
    AUTO_OBJ struct obj copy =
        obj_is_name(value) ? obj_new_name(to.q, bytes) : obj_new_string(to.q, bytes, n);
    obj_set(to, key, copy);
}

/* Arrays of groups within an array: /RBGroups, where one shown hides the others. */
static void copy_radio(struct copier *c, struct obj to, struct obj from)
{
    AUTO_OBJ struct obj sets = obj_key(from, "/RBGroups");
    AUTO_OBJ struct obj out = obj_new_array(c->to);
    int n = obj_count(sets);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj set = obj_item(sets, i);
        AUTO_OBJ struct obj kept = filter(c, set);

        if (obj_count(kept) > 0)
            obj_append(out, kept);
    }
    if (obj_count(out) > 0)
        obj_set(to, "/RBGroups", out);
}

/* What switches layers by itself, such as printing (table 100). */
static void copy_automatic(struct copier *c, struct obj to, struct obj from)
{
    AUTO_OBJ struct obj rules = obj_key(from, "/AS");
    AUTO_OBJ struct obj out = obj_new_array(c->to);
    int n = obj_count(rules);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj rule = obj_item(rules, i);
        AUTO_OBJ struct obj copy = obj_new_dict(c->to);
        AUTO_OBJ struct obj categories = obj_key(rule, "/Category");
        AUTO_OBJ struct obj names = obj_new_array(c->to);
        int n_names = obj_count(categories);

        for (int k = 0; k < n_names && k < 16; k++) {
            AUTO_OBJ struct obj name = obj_item(categories, k);
            size_t length;
            const char *bytes = obj_is_name(name) ? obj_bytes(name, &length) : NULL;

            if (!bytes)
                continue;
            AUTO_OBJ struct obj same = obj_new_name(c->to, bytes);
            obj_append(names, same);
        }
        copy_value(copy, rule, "/Event");
        obj_set(copy, "/Category", names);
        copy_list(c, copy, rule, "/OCGs");
        obj_append(out, copy);
    }
    if (n > 0)
        obj_set(to, "/AS", out);
}

static struct obj copy_config(struct copier *c, struct obj from)
{
    static const char *const values[] = { "/Name", "/Creator", "/BaseState", "/Intent",
                                          "/ListMode" };
    static const char *const lists[] = { "/ON", "/OFF", "/Locked" };
    struct obj to = obj_new_dict(c->to);
    AUTO_OBJ struct obj order = obj_key(from, "/Order");

    if (obj_is_array(order)) {
        AUTO_OBJ struct obj kept = filter_order(c, order, 0);
        obj_set(to, "/Order", kept);
    }
    for (size_t i = 0; i < COUNT(values); i++)
        copy_value(to, from, values[i]);
    for (size_t i = 0; i < COUNT(lists); i++)
        copy_list(c, to, from, lists[i]);
    copy_radio(c, to, from);
    copy_automatic(c, to, from);
    return to;
}

static void copy_configs(struct copier *c, struct obj to, struct obj from)
{
    AUTO_OBJ struct obj configs = obj_key(from, "/Configs");
    AUTO_OBJ struct obj out = obj_new_array(c->to);
    int n = obj_count(configs);

    for (int i = 0; i < n && i < 100; i++) {
        AUTO_OBJ struct obj config = obj_item(configs, i);
        AUTO_OBJ struct obj copy = copy_config(c, config);
        obj_append(out, copy);
    }
    if (n > 0)
        obj_set(to, "/Configs", out);
}

/* The array or dictionary in dict[key], made if there is none. */
static struct obj ensure(struct obj dict, const char *key, bool array)
{
    struct obj value = obj_key(dict, key);

    if (array ? obj_is_array(value) : obj_is_dict(value))
        return value;
    obj_drop(&value);
    value = array ? obj_new_array(dict.q) : obj_new_dict(dict.q);
    obj_set(dict, key, value);
    return value;
}

struct obj layers_add(qpdf_data q, const char *name, bool foreground)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj properties = ensure(root, "/OCProperties", false);
    AUTO_OBJ struct obj groups = ensure(properties, "/OCGs", true);
    AUTO_OBJ struct obj config = ensure(properties, "/D", false);
    AUTO_OBJ struct obj order = ensure(config, "/Order", true);
    AUTO_OBJ struct obj on = ensure(config, "/ON", true);
    AUTO_OBJ struct obj title = obj_new_string(q, name, strlen(name));
    /* No more of its usage than that: MuPDF would heed it even if the layer is switched off. */
    AUTO_OBJ struct obj dict =
        obj_parse(q, foreground ? "<</Type/OCG/Usage<</PageElement<</Subtype/FG>>>>>>"
                                : "<</Type/OCG/Usage<</PageElement<</Subtype/BG>>>>>>");
    struct obj group;

    obj_set(dict, "/Name", title);
    group = obj_indirect(dict);
    obj_append(groups, group);
    obj_append(order, group);
    obj_append(on, group);
    return group;
}

int layers_copy(qpdf_data to, qpdf_data from, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(from);
    AUTO_OBJ struct obj properties = obj_key(root, "/OCProperties");
    AUTO_OBJ struct obj groups = obj_key(properties, "/OCGs");
    AUTO_OBJ struct obj config = obj_key(properties, "/D");
    AUTO_OBJ struct obj new_groups = obj_new_array(to);
    struct copier c = { .to = to, .groups = new_groups };

    find_used(&c, groups);
    if (obj_count(c.groups) > 0) {
        AUTO_OBJ struct obj new_root = obj_root(to);
        AUTO_OBJ struct obj copy = obj_new_dict(to);
        AUTO_OBJ struct obj shown = copy_config(&c, config);

        copy_configs(&c, copy, properties);
        obj_set(copy, "/OCGs", c.groups);
        obj_set(copy, "/D", shown);
        obj_set(new_root, "/OCProperties", copy);
    }
    idmap_free(&c.all);
    idmap_free(&c.used);
    return c.no_memory ? pdf_doc_no_memory(err) : 0;
}
