#include "pdf/properties/attached.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/forms/sigfields.h"
#include "pdf/object/tree.h"
#include "pdf/properties/json_values.h"

struct reader {
    struct attached *attached;
    struct err *err;
};

/* The best of the names of a file: Unicode first (table 43). */
static char *file_name(struct obj file_spec)
{
    static const char *const keys[] = { "/UF", "/F", "/Unix", "/DOS", "/Mac" };

    for (size_t i = 0; i < COUNT(keys); i++) {
        AUTO_OBJ struct obj value = obj_key(file_spec, keys[i]);
        const char *text = sigfields_text(value);

        if (*text)
            return strndup(text, ATTACHED_NAME);
    }
    return strdup("");
}

static struct obj file_stream(struct obj file_spec)
{
    static const char *const keys[] = { "/UF", "/F", "/Unix", "/DOS", "/Mac" };
    AUTO_OBJ struct obj files = obj_key(file_spec, "/EF");

    for (size_t i = 0; i < COUNT(keys); i++) {
        struct obj value = obj_key(files, keys[i]);

        if (obj_is_stream(value))
            return value;
        obj_drop(&value);
    }
    return obj_key(file_spec, "/EF-none");
}

/* `key` may be borrowed from qpdf, which keeps it until the next call: it is copied first. */
static int add_attached(struct attached *a, const char *key, size_t n_key, struct obj file_spec,
                        size_t page, struct err *err)
{
    struct attached_file *file;

    if (a->n == ATTACHED_FILES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document has more than %d attachments",
                       ATTACHED_FILES);
    if (!LIST_ROOM(a->items, a->n, a->cap))
        return pdf_doc_no_memory(err);
    file = &a->items[a->n++];
    *file = (struct attached_file){ .key = malloc(n_key + 1), .n_key = n_key, .page = page };
    if (file->key)
        memcpy(file->key, key, n_key);
    file->name = file_name(file_spec);
    file->file_spec = obj_same(file_spec);
    file->stream = file_stream(file_spec);
    if (!file->key || !file->name)
        return pdf_doc_no_memory(err);
    file->key[n_key] = '\0';
    return 0;
}

static int visit_name(void *arg, struct obj key, struct obj value)
{
    const struct reader *r = arg;
    size_t n;
    const char *bytes = obj_is_string(key) ? obj_bytes(key, &n) : NULL;

    if (!bytes || !obj_is_dict(value))
        return 0;
    return add_attached(r->attached, bytes, n, value, 0, r->err);
}

static int read_page(struct attached *a, struct obj page, size_t number, struct err *err)
{
    AUTO_OBJ struct obj annots = obj_key(page, "/Annots");
    int n = obj_count(annots);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annot = obj_item_in(annots, i);

        if (!obj_key_is(annot, "/Subtype", "/FileAttachment"))
            continue;
        AUTO_OBJ struct obj file_spec = obj_key(annot, "/FS");
        if (obj_is_dict(file_spec) && add_attached(a, "", 0, file_spec, number, err) < 0)
            return -1;
    }
    return 0;
}

int attached_read(struct attached *a, qpdf_data q, size_t n_pages, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj trees = obj_key(root, "/Names");
    AUTO_OBJ struct obj tree = obj_key(trees, "/EmbeddedFiles");
    struct reader reader = { a, err };

    *a = (struct attached){ 0 };
    if (tree_walk(tree, "/Names", visit_name, &reader, err) < 0)
        return -1;
    for (size_t i = 0; i < n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(q, i);

        if (read_page(a, page, i + 1, err) < 0)
            return -1;
    }
    return 0;
}

void attached_free(struct attached *a)
{
    for (size_t i = 0; i < a->n; i++) {
        free(a->items[i].key);
        free(a->items[i].name);
        obj_drop(&a->items[i].file_spec);
        obj_drop(&a->items[i].stream);
    }
    free(a->items);
    *a = (struct attached){ 0 };
}

json_t *attached_json(const struct attached_file *file)
{
    AUTO_OBJ struct obj params = obj_key(file->stream, "/Params");
    json_t *out = json_object();
    long long size;

    json_object_set_new(out, "name", json_string(file->name));
    json_values_set_text(out, "description", file->file_spec, "/Desc");
    json_values_set_name(out, "relationship", file->file_spec, "/AFRelationship");
    json_values_set_name(out, "type", file->stream, "/Subtype");
    if (obj_key_int(params, "/Size", &size))
        json_object_set_new(out, "bytes", json_integer(size));
    json_values_set_date(out, "created", params, "/CreationDate");
    json_values_set_date(out, "modified", params, "/ModDate");
    if (file->page > 0)
        json_object_set_new(out, "page", json_integer((json_int_t) file->page));
    if (!obj_is_stream(file->stream))
        json_object_set_new(out, "embedded", json_false());
    return out;
}
