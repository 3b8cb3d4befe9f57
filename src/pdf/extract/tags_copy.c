/* tags_copy: the structure tree of a part of a document. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/document/tags.h"

#define MAX_GAPS 2000000 /* numbers of content that is not there, in the whole parent tree */

/* One entry of the parent tree: the element that has piece `mcid` of the object of `key`. */
struct belongs {
    long long key;
    long long mcid;   /* -1: `key` is for a single object */
    uint32_t element; /* place in kept */
};

struct copier {
    struct tags *tags;
    qpdf_data to;
    const size_t *at;
    struct kept {
        uint32_t tag;
        uint32_t content; /* how much of its content is kept */
        struct obj item;  /* an element's copy */
    } * kept;             /* sorted like the tags; tags->mark holds the place of each, plus one */
    size_t n, cap;
    struct belongs *belongs;
    size_t n_belongs, cap_belongs;
    struct element_id {
        char *text;
        size_t n;
        uint32_t element;
    } * ids;
    size_t n_ids, cap_ids;
    bool no_memory, too_deep;
};

static void keep_tag(struct copier *c, uint32_t tag)
{
    if (!LIST_ROOM(c->kept, c->n, c->cap)) {
        c->no_memory = true;
        return;
    }
    c->kept[c->n++] = (struct kept){ .tag = tag };
    c->tags->mark[tag] = (uint32_t) c->n;
}

/* Keeps a piece of content and all elements above it, and counts it for each. */
static void keep_content(struct copier *c, uint32_t tag)
{
    for (; tag != TAG_NONE && !c->no_memory; tag = c->tags->items[tag].parent) {
        if (!c->tags->mark[tag])
            keep_tag(c, tag);
        if (!c->no_memory)
            c->kept[c->tags->mark[tag] - 1].content++;
    }
}

static bool is_whole(const struct copier *c, uint32_t tag)
{
    return tag != TAG_NONE && c->tags->mark[tag] &&
           c->kept[c->tags->mark[tag] - 1].content == c->tags->items[tag].content;
}

/* Elements without content, such as empty table cells, stay where all around them stays. */
static void keep_empty(struct copier *c)
{
    size_t n = c->n;

    for (size_t i = 0; i < n && !c->no_memory; i++) {
        uint32_t top = c->kept[i].tag;

        if (!is_whole(c, top) || is_whole(c, c->tags->items[top].parent))
            continue;
        for (uint32_t tag = top; tag < c->tags->items[top].end && !c->no_memory; tag++)
            if (c->tags->items[tag].content == 0 && !c->tags->mark[tag])
                keep_tag(c, tag);
    }
}

static int compare_kept(const void *x, const void *y)
{
    const struct kept *a = x, *b = y;

    return (a->tag > b->tag) - (a->tag < b->tag);
}

static void choose_tags(struct copier *c, const size_t *list, size_t n_list)
{
    const struct tags *t = c->tags;

    for (size_t i = 0; i < n_list; i++)
        for (uint32_t k = t->first[list[i]]; k < t->first[list[i] + 1]; k++)
            keep_content(c, t->by_page[k]);
    keep_empty(c);
    if (c->n)
        qsort(c->kept, c->n, sizeof *c->kept, compare_kept);
    for (size_t i = 0; i < c->n; i++)
        t->mark[c->kept[i].tag] = (uint32_t) i + 1;
}

static void append_kid(struct obj parent, struct obj kid)
{
    AUTO_OBJ struct obj kids = obj_key(parent, "/K");

    if (obj_is_array(kids)) {
        obj_append(kids, kid);
        return;
    }
    AUTO_OBJ struct obj fresh = obj_new_array(parent.q);
    obj_append(fresh, kid);
    obj_set(parent, "/K", fresh);
}

/* Leaves an element of the source with what it says about itself (table 355). */
static void strip(struct copier *c, struct tag *tag, struct obj element)
{
    static const char *const own[] = { "/Type",
                                       "/S",
                                       "/ID",
                                       "/A",
                                       "/C",
                                       "/R",
                                       "/T",
                                       "/Lang",
                                       "/Alt",
                                       "/E",
                                       "/NS",
                                       "/ActualText",
                                       "/PhoneticAlphabet",
                                       "/Phoneme" };
    AUTO_KEYS char **keys = tag->stripped ? NULL : obj_keys(element);

    c->no_memory |= !tag->stripped && !keys;
    for (size_t i = 0; keys && keys[i]; i++) {
        bool stays = false;

        for (size_t k = 0; k < COUNT(own); k++)
            stays |= strcmp(keys[i], own[k]) == 0;
        if (!stays)
            obj_remove(element, keys[i]);
    }
    if (!tag->stripped && !depth_is_safe(&c->tags->depth, element))
        c->too_deep = true;
    tag->stripped = true;
}

static void note_id(struct copier *c, struct obj copy, uint32_t element)
{
    AUTO_OBJ struct obj id = obj_key(copy, "/ID");
    struct element_id entry = { .element = element };
    const char *bytes = obj_is_string(id) ? obj_bytes(id, &entry.n) : NULL;

    if (!bytes)
        return;
    entry.text = malloc(entry.n + 1);
    if (!entry.text || !LIST_ROOM(c->ids, c->n_ids, c->cap_ids)) {
        free(entry.text);
        c->no_memory = true;
        return;
    }
    memcpy(entry.text, bytes, entry.n);
    c->ids[c->n_ids++] = entry;
}

static void copy_element(struct copier *c, uint32_t place, struct obj root)
{
    static const char *const about_all[] = { "/Alt", "/ActualText", "/E", "/T" };
    struct kept *kept = &c->kept[place];
    struct tag *tag = &c->tags->items[kept->tag];
    AUTO_OBJ struct obj element = obj_by_id(c->tags->q, OBJ_NUMBER(tag->id), OBJ_GEN(tag->id));

    strip(c, tag, element);
    if (c->too_deep)
        return;
    kept->item = obj_copy(c->to, element);
    if (kept->content != tag->content)
        for (size_t i = 0; i < COUNT(about_all); i++)
            obj_remove(kept->item, about_all[i]);
    struct obj above =
        tag->parent == TAG_NONE ? root : c->kept[c->tags->mark[tag->parent] - 1].item;
    obj_set(kept->item, "/P", above);
    append_kid(above, kept->item);
    note_id(c, kept->item, place);
}

static void note_parent(struct copier *c, long long key, long long mcid, uint32_t element)
{
    if (key < 0)
        return;
    if (!LIST_ROOM(c->belongs, c->n_belongs, c->cap_belongs)) {
        c->no_memory = true;
        return;
    }
    c->belongs[c->n_belongs++] = (struct belongs){ key, mcid, element };
}

/* A piece of content in a page's own content stream: a bare number if the element's page is this
 * one already. */
static void copy_mcid(struct copier *c, const struct tag *tag, struct obj above, struct obj page)
{
    AUTO_OBJ struct obj set = obj_key(above, "/Pg");
    AUTO_OBJ struct obj number = obj_new_int(c->to, tag->mcid);

    if (obj_is_null(set))
        obj_set(above, "/Pg", page);
    if (obj_is_null(set) || obj_id(set) == obj_id(page)) {
        append_kid(above, number);
        return;
    }
    AUTO_OBJ struct obj reference = obj_parse(c->to, "<</Type/MCR>>");
    obj_set(reference, "/Pg", page);
    obj_set(reference, "/MCID", number);
    append_kid(above, reference);
}

/* Content in a form XObject, or an annotation or XObject as a whole: only what is in the part. */
static bool copy_reference(struct copier *c, const struct tag *tag, struct obj above,
                           struct obj page, struct obj *copy)
{
    AUTO_OBJ struct obj object = obj_by_id(c->tags->q, OBJ_NUMBER(tag->id), OBJ_GEN(tag->id));

    if (!obj_was_copied(c->to, object, copy))
        return false;
    AUTO_OBJ struct obj reference =
        obj_parse(c->to, tag->kind == TAG_OBJECT ? "<</Type/OBJR>>" : "<</Type/MCR>>");
    obj_set(reference, "/Pg", page);
    obj_set(reference, tag->kind == TAG_OBJECT ? "/Obj" : "/Stm", *copy);
    if (tag->kind == TAG_CONTENT)
        obj_set_int(reference, "/MCID", tag->mcid);
    append_kid(above, reference);
    return true;
}

static void copy_content(struct copier *c, const struct tag *tag)
{
    uint32_t element = c->tags->mark[tag->parent] - 1;
    struct obj above = c->kept[element].item;
    AUTO_OBJ struct obj page = obj_page(c->to, c->at[tag->page]);
    AUTO_OBJ struct obj copy = OBJ_NONE;
    long long key;

    if (tag->id == 0) {
        copy_mcid(c, tag, above, page);
        if (obj_key_int(page, "/StructParents", &key))
            note_parent(c, key, tag->mcid, element);
    } else if (copy_reference(c, tag, above, page, &copy)) {
        bool whole = tag->kind == TAG_OBJECT;

        if (obj_key_int(copy, whole ? "/StructParent" : "/StructParents", &key))
            note_parent(c, key, whole ? -1LL : tag->mcid, element);
    }
}

static int compare_belongs(const void *x, const void *y)
{
    const struct belongs *a = x, *b = y;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->mcid > b->mcid) - (a->mcid < b->mcid);
}

/* The parent tree (14.7.5.4): from the keys in pages and objects to elements. */
static void write_parents(struct copier *c, struct obj root)
{
    AUTO_OBJ struct obj plain = obj_new_dict(c->to);
    AUTO_OBJ struct obj pairs = obj_new_array(c->to);
    AUTO_OBJ struct obj null = obj_parse(c->to, "null");
    long long next = 0, gaps = 0;

    if (c->n_belongs)
        qsort(c->belongs, c->n_belongs, sizeof *c->belongs, compare_belongs);
    for (size_t i = 0; i < c->n_belongs; next = c->belongs[i - 1].key + 1) {
        AUTO_OBJ struct obj key = obj_new_int(c->to, c->belongs[i].key);
        AUTO_OBJ struct obj pieces = obj_new_array(c->to);
        size_t first = i;
        long long n = 0;

        obj_append(pairs, key);
        for (; i < c->n_belongs && c->belongs[i].key == c->belongs[first].key; i++) {
            for (; n < c->belongs[i].mcid && gaps < MAX_GAPS; n++, gaps++)
                obj_append(pieces, null);
            if (n == c->belongs[i].mcid) { /* not a second time */
                obj_append(pieces, c->kept[c->belongs[i].element].item);
                n++;
            }
        }
        if (c->belongs[first].mcid < 0)
            obj_append(pairs, c->kept[c->belongs[first].element].item);
        else
            obj_append(pairs, pieces);
    }
    obj_set(plain, "/Nums", pairs);
    AUTO_OBJ struct obj tree = obj_indirect(plain);
    obj_set(root, "/ParentTree", tree);
    obj_set_int(root, "/ParentTreeNextKey", next);
}

static int compare_ids(const void *x, const void *y)
{
    const struct element_id *a = x, *b = y;
    int order = memcmp(a->text, b->text, a->n < b->n ? a->n : b->n);

    return order ? order : (a->n > b->n) - (a->n < b->n);
}

/* From the elements' names to the elements. */
static void write_ids(struct copier *c, struct obj root)
{
    AUTO_OBJ struct obj plain = obj_new_dict(c->to);
    AUTO_OBJ struct obj pairs = obj_new_array(c->to);

    if (c->n_ids == 0)
        return;
    qsort(c->ids, c->n_ids, sizeof *c->ids, compare_ids);
    for (size_t i = 0; i < c->n_ids; i++) {
        AUTO_OBJ struct obj text = obj_new_string(c->to, c->ids[i].text, c->ids[i].n);

        if (i && compare_ids(&c->ids[i - 1], &c->ids[i]) == 0)
            continue;
        obj_append(pairs, text);
        obj_append(pairs, c->kept[c->ids[i].element].item);
    }
    obj_set(plain, "/Names", pairs);
    obj_set(root, "/IDTree", plain);
}

static void free_copier(struct copier *c)
{
    for (size_t i = 0; i < c->n; i++) {
        c->tags->mark[c->kept[i].tag] = 0;
        obj_drop(&c->kept[i].item);
    }
    for (size_t i = 0; i < c->n_ids; i++)
        free(c->ids[i].text);
    free(c->kept);
    free(c->belongs);
    free(c->ids);
}

int tags_copy(struct tags *tags, qpdf_data to, const size_t *list, size_t n_list, const size_t *at,
              struct obj root, bool *tagged, struct err *err)
{
    struct copier c = { .tags = tags, .to = to, .at = at };

    choose_tags(&c, list, n_list);
    *tagged = c.n > 0;
    for (uint32_t i = 0; i < c.n && !c.no_memory && !c.too_deep; i++) {
        const struct tag *tag = &tags->items[c.kept[i].tag];

        if (tag->kind == TAG_ELEMENT)
            copy_element(&c, i, root);
        else
            copy_content(&c, tag);
    }
    if (*tagged && !c.no_memory && !c.too_deep) {
        write_parents(&c, root);
        write_ids(&c, root);
    }
    free_copier(&c);
    if (c.too_deep)
        return pdf_doc_too_deep(err);
    return c.no_memory ? pdf_doc_no_memory(err) : 0;
}
