#include "pdf/document/outline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/object/action.h"

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

/* Sorts the entries by the pages they lead to. */
static bool index_pages(struct outline *o, size_t n_pages)
{
    o->by_page = calloc(o->n + 1, sizeof *o->by_page);
    o->first = calloc(n_pages + 2, sizeof *o->first);
    o->mark = calloc(o->n + 1, sizeof *o->mark);
    if (!o->by_page || !o->first || !o->mark)
        return false;
    for (size_t i = 0; i < o->n; i++)
        if (o->items[i].dest.page != DEST_NOWHERE)
            o->first[o->items[i].dest.page + 2]++;
    for (size_t page = 2; page < n_pages + 2; page++)
        o->first[page] += o->first[page - 1];
    for (size_t i = 0; i < o->n; i++)
        if (o->items[i].dest.page != DEST_NOWHERE)
            o->by_page[o->first[o->items[i].dest.page + 1]++] = i;
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
    fits = idmap_add(&r.seen, obj_id(top), 0) && read_below(&r, top, OUTLINE_TOP, 1) &&
           index_pages(outline, names->n_pages);
    idmap_free(&r.seen);
    return fits ? 0 : pdf_doc_no_memory(err);
}

void outline_free(struct outline *outline)
{
    for (size_t i = 0; i < outline->n; i++)
        obj_drop(&outline->items[i].item);
    free(outline->items);
    free(outline->by_page);
    free(outline->first);
    free(outline->mark);
    *outline = (struct outline){ 0 };
}

void outline_keep_actions(struct outline *outline, struct depth *depth)
{
    for (size_t i = 0; i < outline->n; i++) {
        struct outline_entry *entry = &outline->items[i];

        if (entry->heading || entry->dest.page != DEST_NOWHERE)
            continue;
        action_confine(entry->item, "/A");
        AUTO_OBJ struct obj action = obj_key(entry->item, "/A");
        entry->acts = obj_is_dict(action) && depth_is_safe(depth, action);
        if (entry->acts && !obj_is_indirect(action)) {
            AUTO_OBJ struct obj indirect = obj_indirect(action);
            obj_set(entry->item, "/A", indirect);
        }
    }
}

const char *outline_title(const struct outline_entry *entry)
{
    AUTO_OBJ struct obj title = obj_key(entry->item, "/Title");

    return obj_is_string(title) ? qpdf_oh_get_utf8_value(title.q, title.oh) : "";
}

/* An entry on its way into the other document. */
struct placed {
    size_t entry;
    struct obj item;
    size_t above;    /* place of the nearest one that is kept; OUTLINE_TOP */
    size_t last;     /* place of its last child; OUTLINE_TOP */
    long long shown; /* entries below that are visible when it is open */
};

struct writer {
    struct outline *outline;
    qpdf_data to;
    const struct dest_names *names;
    const size_t *at;
    struct placed *placed; /* in order; outline->mark holds the place of each, plus one */
    size_t n, cap;
};

static bool keep_entry(struct writer *w, size_t entry)
{
    if (w->outline->mark[entry])
        return true;
    if (!LIST_ROOM(w->placed, w->n, w->cap))
        return false;
    w->placed[w->n++] = (struct placed){ .entry = entry, .last = OUTLINE_TOP };
    w->outline->mark[entry] = w->n;
    return true;
}

/* Keeps an entry and the headings above it. */
static bool keep_with_headings(struct writer *w, size_t entry)
{
    bool fits = keep_entry(w, entry);

    for (size_t above = w->outline->items[entry].parent; fits && above != OUTLINE_TOP;
         above = w->outline->items[above].parent)
        if (w->outline->items[above].heading)
            fits = keep_entry(w, above);
    return fits;
}

static int compare_entries(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;

    return (a->entry > b->entry) - (a->entry < b->entry);
}

static bool choose_entries(struct writer *w, const size_t *list, size_t n_list)
{
    const struct outline *o = w->outline;

    for (size_t i = 0; i < n_list; i++)
        for (size_t k = o->first[list[i]]; k < o->first[list[i] + 1]; k++)
            if (!keep_with_headings(w, o->by_page[k]))
                return false;
    for (size_t i = 0; i < o->n; i++)
        if (o->items[i].acts && !keep_with_headings(w, i))
            return false;
    if (w->n)
        qsort(w->placed, w->n, sizeof *w->placed, compare_entries);
    for (size_t i = 0; i < w->n; i++)
        o->mark[w->placed[i].entry] = i + 1;
    for (size_t i = 0; i < w->n; i++) {
        size_t above = o->items[w->placed[i].entry].parent;

        while (above != OUTLINE_TOP && !o->mark[above])
            above = o->items[above].parent;
        w->placed[i].above = above == OUTLINE_TOP ? OUTLINE_TOP : o->mark[above] - 1;
    }
    return true;
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

static void make_entry(struct writer *w, struct placed *placed)
{
    const struct outline_entry *entry = &w->outline->items[placed->entry];

    placed->item = make_item(entry, w->to);
    if (entry->acts) {
        AUTO_OBJ struct obj action = obj_key(entry->item, "/A");
        AUTO_OBJ struct obj copy = obj_copy(w->to, action);
        obj_set(placed->item, "/A", copy);
    }
    if (entry->dest.page == DEST_NOWHERE)
        return;
    AUTO_OBJ struct obj page = obj_page(w->to, w->at[entry->dest.page]);
    AUTO_OBJ struct obj value = dest_value(w->names, &entry->dest, page);
    obj_set(placed->item, "/Dest", value);
}

/* Puts entry i at the end of its siblings. */
static void append_entry(struct writer *w, struct placed *top, size_t i)
{
    struct placed *p = &w->placed[i];
    struct placed *above = p->above == OUTLINE_TOP ? top : &w->placed[p->above];

    obj_set(p->item, "/Parent", above->item);
    if (above->last == OUTLINE_TOP) {
        obj_set(above->item, "/First", p->item);
    } else {
        struct obj before = w->placed[above->last].item;
        obj_set(before, "/Next", p->item);
        obj_set(p->item, "/Prev", before);
    }
    above->last = i;
    obj_set(above->item, "/Last", p->item);
}

static void count_entries(struct writer *w, struct placed *top)
{
    for (size_t i = w->n; i-- > 0;) {
        struct placed *p = &w->placed[i];
        struct placed *above = p->above == OUTLINE_TOP ? top : &w->placed[p->above];
        bool open = w->outline->items[p->entry].open;

        if (p->shown)
            obj_set_int(p->item, "/Count", open ? p->shown : -p->shown);
        above->shown += 1 + (open ? p->shown : 0);
    }
    obj_set_int(top->item, "/Count", top->shown);
}

static void write_all(struct writer *w)
{
    AUTO_OBJ struct obj root = obj_root(w->to);
    AUTO_OBJ struct obj plain = obj_parse(w->to, "<</Type/Outlines>>");
    AUTO_OBJ struct obj tree = obj_indirect(plain);
    struct placed top = { .item = tree, .last = OUTLINE_TOP };

    for (size_t i = 0; i < w->n; i++) {
        make_entry(w, &w->placed[i]);
        append_entry(w, &top, i);
    }
    count_entries(w, &top);
    obj_set(root, "/Outlines", tree);
}

int outline_write(struct outline *outline, qpdf_data to, const struct dest_names *names,
                  const size_t *list, size_t n_list, const size_t *at, struct err *err)
{
    struct writer w = { .outline = outline, .to = to, .names = names, .at = at };
    bool fits = choose_entries(&w, list, n_list);

    if (fits && w.n > 0)
        write_all(&w);
    for (size_t i = 0; i < w.n; i++) {
        outline->mark[w.placed[i].entry] = 0;
        obj_drop(&w.placed[i].item);
    }
    free(w.placed);
    return fits ? 0 : pdf_doc_no_memory(err);
}
