/*
 * Outlines (ISO 32000-1, 12.3.3). The links between items are not trusted: they are followed once,
 * and set again.
 */
#include <stdlib.h>

#include "pdf/merge/merge_part.h"
#include "pdf/object/key_map.h"

#define MAX_ITEMS 1000000
#define MAX_DEPTH 128

struct outline {
    struct key_map seen;
    size_t n;
};

static int read_outline(struct merge *m, struct merge_source *s, struct err *err)
{
    (void) err;
    if (m->options->bookmarks == MERGE_BOOKMARKS_KEEP ||
        m->options->bookmarks == MERGE_BOOKMARKS_FLAT)
        merge_put(s, "/Outlines", obj_key(obj_root(s->doc.q), "/Outlines"));
    return 0;
}

/* Links the items of one level, which begins with `first`, below `parent`. Returns how many items
 * show when the parent is open; adds them to `items`, if it is an array. */
static long long link_level(struct outline *o, struct obj parent, struct obj first,
                            struct obj items, int depth)
{
    struct obj item = first, last = OBJ_NONE;
    long long visible = 0, count;

    obj_remove(parent, "/First");
    obj_remove(parent, "/Last");
    while (obj_is_dict(item) && obj_is_indirect(item) && o->n < MAX_ITEMS &&
           key_map_add_id(&o->seen, obj_id(item))) {
        o->n++;
        struct obj next = obj_key(item, "/Next");
        bool open = obj_key_int(item, "/Count", &count) && count > 0;
        obj_set(item, "/Parent", parent);
        obj_remove(item, "/Prev");
        obj_remove(item, "/Next");
        if (obj_is_null(last)) {
            obj_set(parent, "/First", item);
        } else {
            obj_set(last, "/Next", item);
            obj_set(item, "/Prev", last);
        }
        struct obj kids = obj_key(item, "/First");
        long long below = depth < MAX_DEPTH ? link_level(o, item, kids, OBJ_NONE, depth + 1) : 0;
        obj_remove(item, "/Count");
        if (below > 0)
            obj_set_int(item, "/Count", open ? below : -below);
        visible += 1 + (open ? below : 0);
        if (!obj_is_null(items))
            obj_append(items, item);
        last = item;
        item = next;
    }
    if (!obj_is_null(last))
        obj_set(parent, "/Last", last);
    return visible;
}

/* The entry of a file: a dictionary that represents the first of its pages that is used. */
static struct obj new_entry(struct merge *m, struct merge_source *s)
{
    struct obj entry = obj_indirect(obj_new_dict(m->to.q)), dest = obj_new_array(m->to.q);

    obj_set(entry, "/Title", merge_text(m->to.q, s->title));
    obj_append(dest, obj_item(obj_key(s->in, "/Kids"), (int) s->first));
    obj_append(dest, obj_new_name(m->to.q, "/Fit"));
    obj_set(entry, "/Dest", dest);
    return entry;
}

static int join_outline(struct merge *m, struct merge_source *s, struct err *err)
{
    struct obj items = merge_at(m, m->items), root = obj_key(s->in, "/Outlines");
    struct obj first = obj_key(root, "/First");
    struct outline o = { 0 };

    if (m->options->bookmarks == MERGE_BOOKMARKS_NONE)
        return 0;
    key_map_add_id(&o.seen, obj_id(root)); /* the root is not an item */
    if (m->options->bookmarks == MERGE_BOOKMARKS_FLAT) {
        link_level(&o, obj_new_dict(m->to.q), first, items, 0);
    } else {
        struct obj entry = new_entry(m, s);
        long long below = link_level(&o, entry, first, OBJ_NONE, 0);
        if (below > 0)
            obj_set_int(entry, "/Count", below);
        obj_append(items, entry);
    }
    bool failed = o.seen.failed;
    key_map_free(&o.seen);
    return failed ? merge_no_memory(err) : 0;
}

static int finish_outline(struct merge *m, struct err *err)
{
    struct obj root = obj_indirect(obj_new_dict(m->to.q)), items = merge_at(m, m->items);
    struct obj last = OBJ_NONE;
    long long visible = 0, count;

    (void) err;
    for (int i = 0; i < obj_count(items); i++) {
        struct obj item = obj_item(items, i);
        obj_set(item, "/Parent", root);
        obj_remove(item, "/Next");
        obj_remove(item, "/Prev");
        if (i == 0) {
            obj_set(root, "/First", item);
        } else {
            obj_set(last, "/Next", item);
            obj_set(item, "/Prev", last);
        }
        visible += 1 + (obj_key_int(item, "/Count", &count) && count > 0 ? count : 0);
        last = item;
    }
    if (visible > 0) {
        obj_set_name(root, "/Type", "/Outlines");
        obj_set(root, "/Last", last);
        obj_set_int(root, "/Count", visible);
        obj_set(obj_root(m->to.q), "/Outlines", root);
    }
    return 0;
}

const struct merge_part merge_outline = { read_outline, join_outline, finish_outline };
