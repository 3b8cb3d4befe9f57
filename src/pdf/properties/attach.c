#include "pdf/properties/attach.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "pdf/object/idmap.h"
#include "pdf/object/tree.h"

/* A pair of the name tree as it is to be written. */
struct pair {
    const char *key;
    size_t n_key;
    struct obj file_spec;
};

static int by_key(const void *a, const void *b)
{
    const struct pair *one = a, *other = b;
    size_t n = one->n_key < other->n_key ? one->n_key : other->n_key;
    int order = memcmp(one->key, other->key, n);

    return order ? order : (one->n_key > other->n_key) - (one->n_key < other->n_key);
}

struct pairs {
    qpdf_data q;
    const struct pair *items;
};

static void give_pair(void *arg, size_t i, struct obj *key, struct obj *value)
{
    const struct pairs *pairs = arg;

    *key = obj_new_string(pairs->q, pairs->items[i].key, pairs->items[i].n_key);
    *value = obj_same(pairs->items[i].file_spec);
}

/* Writes the name tree of n files; without any there is none. */
static int write_tree(qpdf_data q, struct pair *items, size_t n, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj old = obj_key(root, "/Names");
    AUTO_OBJ struct obj names = obj_is_dict(old) ? obj_same(old) : obj_new_dict(q);
    struct pairs pairs = { q, items };

    if (n == 0) {
        obj_remove(names, "/EmbeddedFiles");
        return 0;
    }
    qsort(items, n, sizeof *items, by_key);
    AUTO_OBJ struct obj tree = tree_build(q, "/Names", n, give_pair, &pairs);
    if (!tree.q)
        return pdf_doc_no_memory(err);
    obj_set(names, "/EmbeddedFiles", tree);
    if (!obj_is_dict(old))
        obj_set(root, "/Names", names);
    return 0;
}

static int load_file(const char *path, struct buf *out, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    char *room;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(err, "the attachment");
    room = buf_room(out, (size_t) st.st_size + 1);
    if (!room)
        return pdf_doc_no_memory(err);
    for (off_t at = 0; at < st.st_size;) {
        ssize_t n = fdio_read_at(fd, room + at, (size_t) (st.st_size - at), at, err);

        if (n <= 0)
            return n < 0 ? -1 : err_set(err, ERR_INTERNAL, "the attachment became shorter");
        at += n;
    }
    buf_added(out, (size_t) st.st_size);
    return 0;
}

static struct obj text_string(qpdf_data q, const char *utf8)
{
    return (struct obj){ q, qpdf_oh_new_unicode_string(q, utf8) };
}

/* A media type is a name: a slash in it is written as such. */
static void set_type(struct obj stream, const char *type)
{
    char name[200] = "/";

    snprintf(name + 1, sizeof name - 1, "%s", type);
    obj_set_name(stream, "/Subtype", name);
}

static int new_stream(qpdf_data q, const struct attach_file *file, struct obj *stream,
                      struct err *err)
{
    AUTO_BUF struct buf data = BUF_EMPTY;
    AUTO_OBJ struct obj params = obj_new_dict(q);

    if (load_file(file->path, &data, err) < 0)
        return -1;
    *stream = obj_new_stream(q, buf_text(&data), data.len);
    obj_set_name(*stream, "/Type", "/EmbeddedFile");
    if (file->type)
        set_type(*stream, file->type);
    obj_set_int(params, "/Size", (long long) data.len);
    obj_set(*stream, "/Params", params);
    return 0;
}

static struct obj new_file_spec(qpdf_data q, const struct attach_file *file, struct obj stream)
{
    char relationship[64] = "/";
    AUTO_OBJ struct obj plain = obj_parse(q, "<</Type/Filespec>>");
    AUTO_OBJ struct obj files = obj_new_dict(q);
    AUTO_OBJ struct obj name = text_string(q, file->name);

    obj_set(files, "/F", stream);
    obj_set(files, "/UF", stream);
    obj_set(plain, "/F", name);
    obj_set(plain, "/UF", name);
    obj_set(plain, "/EF", files);
    snprintf(relationship + 1, sizeof relationship - 1, "%s", file->relationship);
    obj_set_name(plain, "/AFRelationship", relationship);
    if (file->description) {
        AUTO_OBJ struct obj description = text_string(q, file->description);
        obj_set(plain, "/Desc", description);
    }
    return obj_indirect(plain);
}

/* The document's associated files: those that are there, without some, and a new one. */
static void set_associated(qpdf_data q, const struct idmap *without, struct obj added)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj old = obj_key(root, "/AF");
    AUTO_OBJ struct obj list = obj_new_array(q);
    int n = obj_count(old);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj one = obj_item(old, i);

        if (!obj_id(one) || idmap_find(without, obj_id(one)) == IDMAP_NONE)
            obj_append(list, one);
    }
    if (added.q)
        obj_append(list, added);
    if (obj_count(list) > 0)
        obj_set(root, "/AF", list);
    else
        obj_remove(root, "/AF");
}

int attach_add(struct pdf_doc *doc, const struct attached *attached, const struct attach_file *file,
               bool *replaced, struct err *err)
{
    AUTO_FREE struct pair *items = calloc(attached->n + 1, sizeof *items);
    AUTO_IDMAP struct idmap without = { 0 };
    AUTO_OBJ struct obj stream = OBJ_NONE;
    size_t n = 0;

    *replaced = false;
    if (!items)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < attached->n; i++) {
        const struct attached_file *one = &attached->items[i];

        if (one->page > 0)
            continue;
        if (strcmp(one->name, file->name) == 0 || strcmp(one->key, file->name) == 0) {
            *replaced = true;
            if (obj_id(one->file_spec) && !idmap_add(&without, obj_id(one->file_spec), 0))
                return pdf_doc_no_memory(err);
            continue;
        }
        items[n++] = (struct pair){ one->key, one->n_key, one->file_spec };
    }
    if (new_stream(doc->q, file, &stream, err) < 0)
        return -1;
    AUTO_OBJ struct obj file_spec = new_file_spec(doc->q, file, stream);
    AUTO_OBJ struct obj text = text_string(doc->q, file->name);
    AUTO_BUF struct buf key = BUF_EMPTY;
    size_t n_key;
    const char *bytes = obj_bytes(text, &n_key);
    buf_put(&key, bytes, n_key);
    if (key.failed)
        return pdf_doc_no_memory(err);
    items[n++] = (struct pair){ buf_text(&key), n_key, file_spec };
    set_associated(doc->q, &without, file_spec);
    return write_tree(doc->q, items, n, err);
}

/* Removes the annotations that show these files. */
static void remove_annots(struct pdf_doc *doc, const struct idmap *removed)
{
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        AUTO_OBJ struct obj old = obj_key(page, "/Annots");
        AUTO_OBJ struct obj list = obj_new_array(doc->q);
        int n = obj_count(old);

        for (int k = 0; k < n; k++) {
            AUTO_OBJ struct obj annot = obj_item(old, k);
            AUTO_OBJ struct obj file_spec = obj_key(annot, "/FS");

            if (!obj_key_is(annot, "/Subtype", "/FileAttachment") || !obj_id(file_spec) ||
                idmap_find(removed, obj_id(file_spec)) == IDMAP_NONE)
                obj_append(list, annot);
        }
        if (obj_count(list) < n)
            obj_set(page, "/Annots", list);
    }
}

int attach_remove(struct pdf_doc *doc, const struct attached *attached, const bool *chosen,
                  size_t *removed, struct err *err)
{
    AUTO_FREE struct pair *items = calloc(attached->n + 1, sizeof *items);
    AUTO_IDMAP struct idmap gone = { 0 };
    size_t n = 0;

    *removed = 0;
    if (!items)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < attached->n; i++) {
        const struct attached_file *one = &attached->items[i];

        if (chosen[i]) {
            ++*removed;
            obj_remove(one->file_spec, "/EF");
            if (obj_id(one->file_spec) && !idmap_add(&gone, obj_id(one->file_spec), 0))
                return pdf_doc_no_memory(err);
        } else if (one->page == 0) {
            items[n++] = (struct pair){ one->key, one->n_key, one->file_spec };
        }
    }
    set_associated(doc->q, &gone, OBJ_NONE);
    remove_annots(doc, &gone);
    return write_tree(doc->q, items, n, err);
}
