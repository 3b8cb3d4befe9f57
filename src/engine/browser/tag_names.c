#include "engine/browser/tag_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/document/tags.h"
#include "pdf/object/obj.h"
#include "pdf/object/tree.h"

#define NAME_BYTES 24 /* "node00000053" */

struct named {
    char name[NAME_BYTES];
    struct obj element;
};

struct names {
    qpdf_data q;
    struct named *items;
    size_t n, cap;
    bool other; /* a name that Chromium does not write: all stay as they are */
};

static void names_free(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        obj_drop(&names->items[i].element);
    free(names->items);
}

static bool read_tag_name(struct obj text, char name[static NAME_BYTES])
{
    size_t n = 0;
    const char *bytes = obj_is_string(text) ? obj_bytes(text, &n) : NULL;

    if (!bytes || n == 0 || n >= NAME_BYTES)
        return false;
    memset(name, 0, NAME_BYTES);
    memcpy(name, bytes, n);
    return true;
}

static int add_name(void *arg, struct obj key, struct obj value)
{
    struct names *names = arg;

    if (names->n == names->cap) {
        size_t cap = names->cap ? 2 * names->cap : 64;
        struct named *more = reallocarray(names->items, cap, sizeof *more);

        if (!more)
            return -1;
        names->items = more;
        names->cap = cap;
    }
    if (!read_tag_name(key, names->items[names->n].name) || !obj_is_dict(value))
        names->other = true;
    else
        names->items[names->n++].element = obj_same(value);
    return 0;
}

static int compare_tag_names(const void *a, const void *b)
{
    const struct named *x = a, *y = b;

    return memcmp(x->name, y->name, NAME_BYTES);
}

static struct obj tag_name(const struct names *names, size_t i)
{
    char name[NAME_BYTES];

    snprintf(name, sizeof name, "node%08zu", i + 1);
    return obj_new_string(names->q, name, strlen(name));
}

static void give_tag_name(void *arg, size_t i, struct obj *key, struct obj *value)
{
    const struct names *names = arg;

    *key = tag_name(names, i);
    *value = obj_same(names->items[i].element);
}

/* The attributes of a table's cell name its header cells. */
static void settle_headers(const struct names *names, struct obj attributes)
{
    AUTO_OBJ struct obj headers = obj_key(attributes, "/Headers");
    int n = obj_count(headers);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj header = obj_item(headers, i);
        struct named wanted = { .element = OBJ_NONE };
        const struct named *found =
            read_tag_name(header, wanted.name)
                ? bsearch(&wanted, names->items, names->n, sizeof wanted, compare_tag_names)
                : NULL;

        if (found) {
            AUTO_OBJ struct obj name = tag_name(names, (size_t) (found - names->items));

            obj_set_item(headers, i, name);
        }
    }
}

static void settle_element(const struct names *names, struct obj element)
{
    AUTO_OBJ struct obj attributes = obj_key(element, "/A");
    int n = obj_count(attributes);

    if (obj_is_dict(attributes))
        settle_headers(names, attributes);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj one = obj_item(attributes, i);

        if (obj_is_dict(one))
            settle_headers(names, one);
    }
}

static int settle_elements(const struct names *names, struct err *err)
{
    AUTO_IDMAP struct idmap pages = { 0 };
    struct tags tags = { 0 };
    int read = tags_read(&tags, names->q, &pages, 0, err);

    for (size_t i = 0; read == 0 && i < tags.n; i++)
        if (tags.items[i].kind == TAG_ELEMENT && tags.items[i].id != 0) {
            AUTO_OBJ struct obj element =
                obj_by_id(names->q, OBJ_NUMBER(tags.items[i].id), OBJ_GEN(tags.items[i].id));

            settle_element(names, element);
        }
    tags_free(&tags);
    return read;
}

int tag_names_settle(struct pdf_doc *doc, struct err *err)
{
    __attribute__((cleanup(names_free))) struct names names = { .q = doc->q };
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj tree = obj_key(root, "/StructTreeRoot");
    AUTO_OBJ struct obj old = obj_key(tree, "/IDTree");

    if (!obj_is_dict(tree) || !obj_is_dict(old))
        return 0;
    if (tree_walk(old, "/Names", add_name, &names, err) < 0)
        return pdf_doc_no_memory(err);
    if (names.other || names.n == 0)
        return 0;
    qsort(names.items, names.n, sizeof *names.items, compare_tag_names);
    for (size_t i = 0; i < names.n; i++) {
        AUTO_OBJ struct obj name = tag_name(&names, i);

        obj_set(names.items[i].element, "/ID", name);
    }
    {
        AUTO_OBJ struct obj settled = tree_build(doc->q, "/Names", names.n, give_tag_name, &names);

        if (obj_is_null(settled))
            return pdf_doc_no_memory(err);
        obj_set(tree, "/IDTree", settled);
    }
    return settle_elements(&names, err);
}
