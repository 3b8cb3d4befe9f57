#include "pdf/content/page_resources.h"

#include <stdio.h>

#include "pdf/document/doc.h"
#include "pdf/object/page_view.h"

#define MAX_NAMES 100000 /* tried */

struct obj page_resources_copy(struct obj dict)
{
    AUTO_KEYS char **keys = obj_keys(dict);
    struct obj copy = obj_shallow_copy(dict);

    for (char **key = keys; copy.q && key && *key; key++) {
        AUTO_OBJ struct obj value = obj_key(dict, *key);

        if (!obj_is_dict(value) || obj_is_indirect(value))
            continue;
        AUTO_OBJ struct obj inner = obj_shallow_copy(value);
        if (inner.q)
            obj_set(copy, *key, inner);
        else
            obj_drop(&copy);
    }
    if (!keys)
        obj_drop(&copy);
    return copy;
}

/* The copy of a dictionary, made if there is none; `key` identifies it: its own id, or that of
 * the node that contains it. */
static struct obj copy_of(struct page_resources *r, struct obj dict, int64_t key)
{
    AUTO_OBJ struct obj plain = OBJ_NONE;
    struct obj copy;
    int64_t id;

    if (key_map_find_id(&r->copies, key, &id))
        return obj_by_id(dict.q, OBJ_NUMBER(id), OBJ_GEN(id));
    plain = page_resources_copy(dict);
    if (!plain.q) {
        r->copies.failed = true;
        return obj_new_dict(dict.q);
    }
    copy = obj_indirect(plain);
    key_map_put_id(&r->copies, key, obj_id(copy));
    /* So that it is known as a copy when it is met at another page. */
    key_map_put_id(&r->copies, obj_id(copy), obj_id(copy));
    return copy;
}

/* The page's resources, its own now. */
static struct obj own_resources(struct page_resources *r, struct obj page)
{
    AUTO_OBJ struct obj from = OBJ_NONE;
    struct obj found = page_view_inherited(page, "/Resources", &from), own;

    if (!obj_is_dict(found))
        own = obj_new_dict(page.q);
    else if (obj_is_indirect(found))
        own = copy_of(r, found, obj_id(found));
    else if (obj_id(from) != obj_id(page))
        own = copy_of(r, found, obj_id(from));
    else
        return found;
    obj_drop(&found);
    obj_set(page, "/Resources", own);
    return own;
}

/* A dictionary in one's own dictionary: its own too. */
static struct obj own_category(struct page_resources *r, struct obj resources, const char *key)
{
    struct obj found = obj_key(resources, key), own;

    if (!obj_is_dict(found))
        own = obj_new_dict(resources.q);
    else if (obj_is_indirect(found))
        own = copy_of(r, found, obj_id(found));
    else
        return found;
    obj_drop(&found);
    obj_set(resources, key, own);
    return own;
}

int page_resources_add(struct page_resources *resources, struct obj page, const char *category,
                       const char *wish, struct obj object, char name[static PAGE_RESOURCES_NAME],
                       struct err *err)
{
    AUTO_OBJ struct obj own = own_resources(resources, page);
    AUTO_OBJ struct obj dict = own_category(resources, own, category);

    if (resources->copies.failed)
        return pdf_doc_no_memory(err);
    snprintf(name, PAGE_RESOURCES_NAME, "%s", wish);
    for (int i = 1; i < MAX_NAMES; i++) {
        AUTO_OBJ struct obj there = obj_key(dict, name);

        if (obj_is_null(there)) {
            obj_set(dict, name, object);
            return 0;
        }
        if (obj_id(there) == obj_id(object))
            return 0;
        snprintf(name, PAGE_RESOURCES_NAME, "%s.%d", wish, i);
    }
    return err_set(err, ERR_LIMIT_EXCEEDED, "a page's resources have too many names");
}

void page_resources_free(struct page_resources *resources)
{
    key_map_free(&resources->copies);
}
