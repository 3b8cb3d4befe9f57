#include "compress/compress/inventory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define MAX_OBJECTS 8000000 /* as many as a file can hold numbers for */

struct walk {
    struct inventory *objects;
    struct pdf_doc *doc;
    struct spaces *spaces;
};

/* Only the value of objects under these names matters. Others may be identified by the objects
 * that refer to them: pages, fields, annotations, structure elements, layers. */
static bool names_values(const char *name)
{
    static const char *const names[] = {
        "/Resources", "/Font",      "/XObject",  "/ExtGState",     "/ColorSpace",
        "/Pattern",   "/Shading",   "/ProcSet",  "/CIDSystemInfo", "/Widths",
        "/W",         "/W2",        "/Encoding", "/ICCBased",      "/DecodeParms",
        "/Function",  "/Functions", "/CalRGB",   "/Separation",    "/DeviceN",
        "/CharProcs", "/Lab",       "/CalGray",  "/Decode",        "/Group",
    };

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool is_value(const struct object *object)
{
    static const char *const types[] = { "/Type/Font", "/Type/ExtGState", "/Type/Encoding",
                                         "/Type/Pattern" };
    const struct buf *text = &object->value.text;

    if (object->stream)
        return true;
    for (size_t i = 0; i < COUNT(types); i++)
        if (text->data && memmem(text->data, text->len, types[i], strlen(types[i])))
            return true;
    return false;
}

static bool see(void *cls, int id, int gen, const char *name, uint32_t *target)
{
    struct walk *w = cls;
    struct inventory *all = w->objects;
    int64_t key = (int64_t) id << 20 | gen;
    size_t i = idmap_find(&all->index, key);

    if (i == IDMAP_NONE) {
        if (all->n == all->cap) {
            size_t cap = all->cap ? all->cap * 2 : 1024;
            struct object *more =
                cap > MAX_OBJECTS ? NULL : reallocarray(all->list, cap, sizeof *more);

            if (!more)
                return false;
            all->list = more;
            all->cap = cap;
        }
        i = all->n++;
        all->list[i] = (struct object){ .id = key, .same = (uint32_t) i };
        if (!idmap_add(&all->index, key, i))
            return false;
    }
    *target = (uint32_t) i;
    all->list[i].sharable |= names_values(name);
    all->list[i].other_use |= strcmp(name, "/ICCBased") != 0;
    return true;
}

struct obj inventory_handle(struct pdf_doc *doc, const struct object *object)
{
    return obj_by_id(doc->q, OBJ_NUMBER(object->id), OBJ_GEN(object->id));
}

/* Keys of an XObject with the values that it has without them (tables 87 and 93). */
static void drop_defaults(struct obj xobject)
{
    static const double identity[6] = { 1, 0, 0, 1, 0, 0 };
    AUTO_OBJ struct obj matrix = obj_key(xobject, "/Matrix");
    bool form = obj_key_is(xobject, "/Subtype", "/Form");
    bool same = form && obj_count(matrix) == COUNT(identity);
    long long type = 0;

    if ((form || obj_key_is(xobject, "/Subtype", "/Image")) &&
        obj_key_is(xobject, "/Type", "/XObject"))
        obj_remove(xobject, "/Type");
    for (size_t i = 0; same && i < COUNT(identity); i++) {
        AUTO_OBJ struct obj item = obj_item(matrix, (int) i);
        double value = 2;

        same = obj_is_number(item, &value) && fabs(value - identity[i]) < 1e-9;
    }
    if (same)
        obj_remove(xobject, "/Matrix");
    if (form && obj_key_int(xobject, "/FormType", &type) && type == 1)
        obj_remove(xobject, "/FormType");
}

static int read_object(struct walk *w, size_t i, struct err *err)
{
    AUTO_OBJ struct obj obj = inventory_handle(w->doc, &w->objects->list[i]);
    AUTO_OBJ struct obj dict = OBJ_NONE;
    struct compact value = { 0 };
    bool stream = obj_is_stream(obj);
    long long length = 0;

    if (stream || obj_is_dict(obj)) {
        obj_remove(obj, "/PieceInfo");
        obj_remove(obj, "/Thumb");
    }
    if (stream) {
        obj_key_int(obj, "/Length", &length);
        drop_defaults(obj);
        obj_remove(obj, "/Length"); /* the library has its own; this one may be an object */
    }
    dict = stream ? obj_dict(obj) : obj_same(obj);
    if (spaces_replace(w->spaces, dict, obj_text(dict)) && !stream) {
        obj_drop(&dict);
        dict = inventory_handle(w->doc, &w->objects->list[i]);
    }
    if (!compact_read(&value, obj_text(dict), see, w)) {
        compact_free(&value);
        return pdf_doc_no_memory(err);
    }
    /* Only now: the list may have moved. */
    w->objects->list[i].value = value;
    w->objects->list[i].stream = stream;
    w->objects->list[i].length = length;
    w->objects->list[i].sharable |= is_value(&w->objects->list[i]);
    return 0;
}

static bool see_root(struct walk *w, const char *key, uint32_t *index)
{
    AUTO_OBJ struct obj trailer = obj_trailer(w->doc->q);
    AUTO_OBJ struct obj obj = obj_key(trailer, key);

    *index = COMPACT_NULL;
    return !obj_is_indirect(obj) || !obj_is_dict(obj) ||
           see(w, OBJ_NUMBER(obj_id(obj)), OBJ_GEN(obj_id(obj)), "", index);
}

/* Viewers rewrite appearances of fields in place, so that equal ones stay separate. An
 * appearance is a stream, or below dictionaries of kinds and states (12.5.5). */
static void keep_apart(struct inventory *objects, uint32_t index, int depth)
{
    struct object *object = index == COMPACT_NULL ? NULL : &objects->list[index];

    if (!object || object->appearance)
        return;
    object->appearance = true;
    object->sharable = false;
    if (object->stream || depth == 0)
        return;
    for (size_t k = 0; k < object->value.n_refs; k++)
        keep_apart(objects, object->value.refs[k].target, depth - 1);
}

static void keep_appearances_apart(struct inventory *objects)
{
    for (size_t i = 0; i < objects->n; i++) {
        const struct compact *value = &objects->list[i].value;

        for (size_t k = 0; k < value->n_refs; k++)
            if (value->refs[k].appearance)
                keep_apart(objects, value->refs[k].target, 2);
    }
}

int inventory_read(struct inventory *objects, struct pdf_doc *doc, struct spaces *spaces,
                   struct err *err)
{
    struct walk w = { objects, doc, spaces };

    *objects = (struct inventory){ 0 };
    if (!see_root(&w, "/Root", &objects->root) || !see_root(&w, "/Info", &objects->info))
        return pdf_doc_no_memory(err);
    if (objects->root == COMPACT_NULL)
        return err_set(err, ERR_CORRUPT_FILE, "the document has no catalog");
    for (size_t i = 0; i < objects->n; i++)
        if (read_object(&w, i, err) < 0)
            return -1;
    if (spaces->no_memory)
        return pdf_doc_no_memory(err);
    keep_appearances_apart(objects);
    return 0;
}

void inventory_free(struct inventory *objects)
{
    for (size_t i = 0; i < objects->n; i++)
        compact_free(&objects->list[i].value);
    free(objects->list);
    idmap_free(&objects->index);
    *objects = (struct inventory){ 0 };
}

struct object *inventory_find(const struct inventory *objects, int64_t id)
{
    size_t i = id ? idmap_find(&objects->index, id) : IDMAP_NONE;

    return i == IDMAP_NONE ? NULL : &objects->list[objects->list[i].same];
}
