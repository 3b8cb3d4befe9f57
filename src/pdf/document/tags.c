/* Reading the tree into one array; tags_copy.c writes parts of it. */
#include "pdf/document/tags.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"

#define MAX_DEPTH 200
#define MAX_TAGS  2000000

struct reader {
    struct tags *tags;
    const struct idmap *pages;
    struct idmap seen;
    bool no_memory;
};

/* The place of a new one; TAG_NONE if there is no room. */
static uint32_t add_tag(struct reader *r, struct tag tag)
{
    struct tags *t = r->tags;

    if (t->n >= MAX_TAGS) {
        t->too_many = true;
        return TAG_NONE;
    }
    if (!LIST_ROOM(t->items, t->n, t->cap)) {
        r->no_memory = true;
        return TAG_NONE;
    }
    t->items[t->n] = tag;
    t->items[t->n].end = (uint32_t) t->n + 1;
    return (uint32_t) t->n++;
}

static uint32_t page_of(struct reader *r, struct obj dict, uint32_t inherited)
{
    AUTO_OBJ struct obj page = obj_key(dict, "/Pg");
    size_t found = idmap_find(r->pages, obj_id(page));

    return found == IDMAP_NONE ? inherited : (uint32_t) found;
}

static void add_content(struct reader *r, long long mcid, int64_t stream, uint32_t parent,
                        uint32_t page)
{
    if (mcid >= 0 && mcid < UINT32_MAX)
        add_tag(r, (struct tag){ .kind = TAG_CONTENT,
                                 .parent = parent,
                                 .page = page,
                                 .content = 1,
                                 .mcid = (uint32_t) mcid,
                                 .id = stream });
}

static void read_element(struct reader *r, struct obj element, uint32_t parent, int depth);

/* One of the things in /K: a number, a marked-content or object reference, or an element. */
static void read_kid(struct reader *r, struct obj kid, uint32_t parent, int depth)
{
    uint32_t page = r->tags->items[parent].page;
    long long mcid;

    if (obj_is_int(kid, &mcid)) {
        add_content(r, mcid, 0, parent, page);
    } else if (obj_key_int(kid, "/MCID", &mcid)) {
        AUTO_OBJ struct obj stream = obj_key(kid, "/Stm");
        add_content(r, mcid, obj_id(stream), parent, page_of(r, kid, page));
    } else if (obj_key_is(kid, "/Type", "/OBJR")) {
        AUTO_OBJ struct obj object = obj_key(kid, "/Obj");
        if (obj_is_indirect(object))
            add_tag(r, (struct tag){ .kind = TAG_OBJECT,
                                     .parent = parent,
                                     .content = 1,
                                     .page = page_of(r, kid, page),
                                     .id = obj_id(object) });
    } else if (obj_is_dict(kid)) {
        read_element(r, kid, parent, depth);
    }
}

static void read_kids(struct reader *r, struct obj holder, uint32_t parent, int depth,
                      void (*read)(struct reader *, struct obj, uint32_t, int))
{
    AUTO_OBJ struct obj kids = obj_key(holder, "/K");
    int n = obj_count(kids);

    if (obj_is_dict(kids) && !obj_is_indirect(kids) && obj_has(kids, "/S")) {
        AUTO_OBJ struct obj indirect = obj_indirect(kids);
        read(r, indirect, parent, depth);
    } else if (!obj_is_array(kids)) {
        read(r, kids, parent, depth);
    }
    for (int i = 0; i < n && !r->no_memory && !r->tags->too_many; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);

        if (obj_is_dict(kid) && !obj_is_indirect(kid) && obj_has(kid, "/S")) {
            AUTO_OBJ struct obj indirect = obj_indirect(kid);
            obj_set_item(kids, i, indirect);
            read(r, indirect, parent, depth);
        } else {
            read(r, kid, parent, depth);
        }
    }
}

static void read_element(struct reader *r, struct obj element, uint32_t parent, int depth)
{
    uint32_t self, page = parent == TAG_NONE ? TAG_NONE : r->tags->items[parent].page;
    int64_t id = obj_id(element);

    /* Each belongs to one parent; a second time is a mistake, or a circle. */
    if (depth > MAX_DEPTH || !id || !obj_is_dict(element) || idmap_find(&r->seen, id) != IDMAP_NONE)
        return;
    r->no_memory |= !idmap_add(&r->seen, id, 0);
    self =
        add_tag(r, (struct tag){ .parent = parent, .id = id, .page = page_of(r, element, page) });
    if (self == TAG_NONE)
        return;
    read_kids(r, element, self, depth + 1, read_kid);
    r->tags->items[self].end = (uint32_t) r->tags->n;
}

/* Counts content upwards and sorts it by page. */
static bool index_content(struct tags *t, size_t n_pages)
{
    size_t n = 0;

    t->mark = calloc(t->n + 1, sizeof *t->mark);
    t->by_page = calloc(t->n + 1, sizeof *t->by_page);
    t->first = calloc(n_pages + 2, sizeof *t->first);
    if (!t->mark || !t->by_page || !t->first)
        return false;
    for (size_t i = t->n; i-- > 0;) {
        struct tag *tag = &t->items[i];

        if (tag->parent != TAG_NONE)
            t->items[tag->parent].content += tag->content;
        if (tag->kind != TAG_ELEMENT && tag->page != TAG_NONE)
            t->first[tag->page + 2]++;
    }
    for (size_t page = 2; page < n_pages + 2; page++)
        t->first[page] += t->first[page - 1];
    for (n = 0; n < t->n; n++)
        if (t->items[n].kind != TAG_ELEMENT && t->items[n].page != TAG_NONE)
            t->by_page[t->first[t->items[n].page + 1]++] = (uint32_t) n;
    return true;
}

int tags_read(struct tags *tags, qpdf_data q, const struct idmap *pages, size_t n_pages,
              struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj tree = obj_key(root, "/StructTreeRoot");
    struct reader r = { .tags = tags, .pages = pages };

    *tags = (struct tags){ .q = q };
    if (obj_is_dict(tree))
        read_kids(&r, tree, TAG_NONE, 0, read_element);
    idmap_free(&r.seen);
    if (tags->too_many)
        tags->n = 0;
    return !r.no_memory && index_content(tags, n_pages) ? 0 : pdf_doc_no_memory(err);
}

void tags_free(struct tags *tags)
{
    free(tags->items);
    free(tags->mark);
    free(tags->by_page);
    free(tags->first);
    depth_free(&tags->depth);
    *tags = (struct tags){ 0 };
}
