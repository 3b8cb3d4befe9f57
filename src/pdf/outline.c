#include "pdf/outline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/doc.h"
#include "pdf/list.h"

#define MAX_DEPTH   64
#define MAX_ENTRIES 200000

struct reader {
    struct outline *outline;
    const struct dest_names *names;
    struct idmap seen;
};

static void read_dest(const struct dest_names *names, struct obj item, struct outline_entry *entry)
{
    AUTO_OBJ struct obj action = obj_key(item, "/A");
    AUTO_OBJ struct obj value = obj_key(item, "/Dest");

    if (obj_is_null(value) && obj_key_is(action, "/S", "/GoTo")) {
        obj_drop(&value);
        value = obj_key(action, "/D");
    }
    entry->heading = obj_is_null(action) && obj_is_null(value);
    dest_resolve(names, value, &entry->dest);
}

static bool read_entry(struct reader *r, struct obj item, size_t parent, int level)
{
    struct outline *o = r->outline;
    long long count = 0;

    if (!LIST_ROOM(o->items, o->n, o->cap))
        return false;
    obj_key_int(item, "/Count", &count);
    struct outline_entry *entry = &o->items[o->n++];
    *entry = (struct outline_entry){ .item = obj_same(item), .parent = parent, .level = level };
    entry->open = count > 0;
    read_dest(r->names, item, entry);
    return true;
}

/* The children of `above`, and theirs. */
static bool read_below(struct reader *r, struct obj above, size_t parent, int level)
{
    AUTO_OBJ struct obj item = obj_key(above, "/First");

    while (obj_is_dict(item) && level <= MAX_DEPTH && r->outline->n < MAX_ENTRIES) {
        size_t self = r->outline->n;
        int64_t id = obj_id(item);

        if (!id || idmap_find(&r->seen, id) != IDMAP_NONE)
            return true;
        if (!idmap_add(&r->seen, id, 0) || !read_entry(r, item, parent, level) ||
            !read_below(r, item, self, level + 1))
            return false;
        struct obj next = obj_key(item, "/Next");
        obj_drop(&item);
        item = next;
    }
    return true;
}

int outline_read(struct outline *outline, qpdf_data q, const struct dest_names *names,
                 struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj top = obj_key(root, "/Outlines");
    struct reader r = { .outline = outline, .names = names };
    bool fits;

    *outline = (struct outline){ 0 };
    fits = idmap_add(&r.seen, obj_id(top), 0) && read_below(&r, top, OUTLINE_TOP, 1);
    idmap_free(&r.seen);
    return fits ? 0 : pdf_no_memory(err);
}

void outline_free(struct outline *outline)
{
    for (size_t i = 0; i < outline->n; i++)
        obj_drop(&outline->items[i].item);
    free(outline->items);
    *outline = (struct outline){ 0 };
}

const char *outline_title(const struct outline_entry *entry)
{
    AUTO_OBJ struct obj title = obj_key(entry->item, "/Title");

    return obj_is_string(title) ? qpdf_oh_get_utf8_value(title.q, title.oh) : "";
}

/* An entry on its way into the other document. */
struct placed {
    struct obj item;
    size_t above;             /* the nearest entry that is kept; OUTLINE_TOP */
    size_t first, last, next; /* among those kept */
    bool kept, some_below;    /* something below it is kept */
    long long shown;          /* entries below that are visible when it is open */
};

static bool leads(const struct outline_entry *entry, const size_t *at)
{
    return entry->dest.page != DEST_NOWHERE && at[entry->dest.page] != DEST_NOWHERE;
}

static size_t choose(const struct outline *outline, const size_t *at, struct placed *placed)
{
    size_t n = 0;

    for (size_t i = outline->n; i-- > 0;) {
        const struct outline_entry *entry = &outline->items[i];

        placed[i].kept = leads(entry, at) || (entry->heading && placed[i].some_below);
        if (entry->parent != OUTLINE_TOP)
            placed[entry->parent].some_below |= placed[i].kept || placed[i].some_below;
        n += placed[i].kept;
    }
    for (size_t i = 0; i < outline->n; i++) {
        size_t parent = outline->items[i].parent;

        placed[i].first = placed[i].last = placed[i].next = OUTLINE_TOP;
        placed[i].above = parent == OUTLINE_TOP ? OUTLINE_TOP
                          : placed[parent].kept ? parent
                                                : placed[parent].above;
    }
    return n;
}

/* Title, colour and style. */
static struct obj make_item(const struct outline_entry *entry, qpdf_data to)
{
    AUTO_OBJ struct obj plain = obj_new_dict(to);
    AUTO_OBJ struct obj title = obj_key(entry->item, "/Title");
    AUTO_OBJ struct obj color = obj_key(entry->item, "/C");
    long long flags;
    size_t n = 0;
    const char *bytes = obj_is_string(title) ? obj_bytes(title, &n) : "";
    AUTO_OBJ struct obj same = obj_new_string(to, bytes, n);

    obj_set(plain, "/Title", same);
    if (obj_key_int(entry->item, "/F", &flags))
        obj_set_int(plain, "/F", flags);
    if (obj_count(color) == 3) {
        double rgb[3] = { 0 };
        char text[64];

        for (int i = 0; i < 3; i++) {
            AUTO_OBJ struct obj part = obj_item(color, i);
            qpdf_oh_get_value_as_number(part.q, part.oh, &rgb[i]);
            rgb[i] = rgb[i] >= 0 && rgb[i] <= 1 ? rgb[i] : 0;
        }
        snprintf(text, sizeof text, "[%.4f %.4f %.4f]", rgb[0], rgb[1], rgb[2]);
        AUTO_OBJ struct obj values = obj_parse(to, text);
        obj_set(plain, "/C", values);
    }
    return obj_indirect(plain);
}

static void make(const struct outline_entry *entry, struct placed *placed, qpdf_data to,
                 const struct dest_names *names, const size_t *at)
{
    placed->item = make_item(entry, to);
    if (entry->dest.page == DEST_NOWHERE)
        return;
    AUTO_OBJ struct obj page = obj_page(to, at[entry->dest.page]);
    AUTO_OBJ struct obj value = dest_value(names, &entry->dest, page);
    obj_set(placed->item, "/Dest", value);
}

/* Puts entry i at the end of its siblings. */
static void append(struct placed *placed, struct placed *top, size_t i)
{
    struct placed *above = placed[i].above == OUTLINE_TOP ? top : &placed[placed[i].above];

    obj_set(placed[i].item, "/Parent", above->item);
    if (above->last == OUTLINE_TOP) {
        above->first = i;
        obj_set(above->item, "/First", placed[i].item);
    } else {
        struct obj before = placed[above->last].item;
        obj_set(before, "/Next", placed[i].item);
        obj_set(placed[i].item, "/Prev", before);
    }
    above->last = i;
    obj_set(above->item, "/Last", placed[i].item);
}

static void count(const struct outline *outline, struct placed *placed, struct placed *top)
{
    for (size_t i = outline->n; i-- > 0;) {
        struct placed *p = &placed[i];

        if (!p->kept)
            continue;
        struct placed *above = p->above == OUTLINE_TOP ? top : &placed[p->above];
        bool open = outline->items[i].open;
        if (p->shown)
            obj_set_int(p->item, "/Count", open ? p->shown : -p->shown);
        above->shown += 1 + (open ? p->shown : 0);
    }
    obj_set_int(top->item, "/Count", top->shown);
}

int outline_write(const struct outline *outline, qpdf_data to, const struct dest_names *names,
                  const size_t *at, struct err *err)
{
    AUTO_FREE struct placed *placed = calloc(outline->n + 1, sizeof *placed);

    if (!placed)
        return pdf_no_memory(err);
    if (choose(outline, at, placed) == 0)
        return 0;
    AUTO_OBJ struct obj root = obj_root(to);
    AUTO_OBJ struct obj plain = obj_parse(to, "<</Type/Outlines>>");
    AUTO_OBJ struct obj tree = obj_indirect(plain);
    struct placed top = { .item = tree, .first = OUTLINE_TOP, .last = OUTLINE_TOP };
    for (size_t i = 0; i < outline->n; i++) {
        if (!placed[i].kept)
            continue;
        make(&outline->items[i], &placed[i], to, names, at);
        append(placed, &top, i);
    }
    count(outline, placed, &top);
    obj_set(root, "/Outlines", tree);
    for (size_t i = 0; i < outline->n; i++)
        obj_drop(&placed[i].item);
    return 0;
}
