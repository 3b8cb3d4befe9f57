/* redact_tags: removes from structure elements the texts that replace removed content. */
#include <string.h>

#include "base/scope.h"
#include "pdf/object/tree.h"
#include "pdf/redact/redact_clean.h"

#define HIGHEST 100 /* levels of elements above one another */

struct tags {
    const int64_t *marked;
    size_t n, removed;
};

static void clean_element(struct tags *tags, struct obj first)
{
    static const char *const texts[] = { "/ActualText", "/Alt", "/E", "/T" };
    struct obj element = obj_same(first);

    for (int level = 0; level < HIGHEST && obj_is_dict(element); level++) {
        struct obj above = obj_key(element, "/P");

        for (size_t i = 0; i < COUNT(texts) && !obj_key_is(element, "/Type", "/StructTreeRoot");
             i++)
            if (obj_has(element, texts[i])) {
                obj_remove(element, texts[i]);
                tags->removed++;
            }
        obj_drop(&element);
        element = above;
    }
    obj_drop(&element);
}

static int visit_parents(void *arg, struct obj key, struct obj value)
{
    struct tags *tags = arg;
    long long number;

    if (!obj_is_int(key, &number) || !obj_is_array(value))
        return 0;
    for (size_t i = 0; i < tags->n; i++)
        if (tags->marked[i] >> 32 == number) {
            AUTO_OBJ struct obj element = obj_item(value, (int) (tags->marked[i] & 0xffffffff));

            clean_element(tags, element);
        }
    return 0;
}

size_t redact_clean_tags(struct pdf_doc *doc, const int64_t *marked, size_t n)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj structure = obj_key(root, "/StructTreeRoot");
    AUTO_OBJ struct obj parents = obj_key(structure, "/ParentTree");
    struct tags tags = { .marked = marked, .n = n };
    struct err err;

    if (n && obj_is_dict(parents))
        tree_walk(parents, "/Nums", visit_parents, &tags, &err);
    return tags.removed;
}
