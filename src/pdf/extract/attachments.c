#include "pdf/extract/attachments.h"

#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"
#include "pdf/object/tree.h"

/* The file itself, for each system that it may be for. */
static struct obj files_of(struct obj specification)
{
    static const char *const systems[] = { "/F", "/UF", "/DOS", "/Mac", "/Unix" };
    AUTO_OBJ struct obj from = obj_key(specification, "/EF");
    struct obj to = obj_new_dict(specification.q);

    for (size_t i = 0; i < COUNT(systems); i++) {
        AUTO_OBJ struct obj file = obj_key(from, systems[i]);

        if (obj_is_stream(file))
            obj_set(to, systems[i], file);
    }
    return to;
}

static struct obj cut(struct obj specification)
{
    static const char *const described[] = { "/F", "/UF", "/Desc" };
    static const char *const named[] = { "/FS", "/AFRelationship" };
    AUTO_OBJ struct obj to = obj_parse(specification.q, "<</Type/Filespec>>");
    AUTO_OBJ struct obj files = files_of(specification);

    for (size_t i = 0; i < COUNT(described); i++) {
        AUTO_OBJ struct obj value = obj_key(specification, described[i]);

        if (obj_is_string(value))
            obj_set(to, described[i], value);
    }
    for (size_t i = 0; i < COUNT(named); i++) {
        AUTO_OBJ struct obj value = obj_key(specification, named[i]);

        if (obj_is_name(value))
            obj_set(to, named[i], value);
    }
    obj_set(to, "/EF", files);
    return obj_indirect(to);
}

struct collector {
    struct obj names;
    struct obj all;     /* specifications, each once */
    struct idmap index; /* from what they were to their places there */
};

static int keep_attachment(struct collector *c, struct obj specification, struct obj *taken,
                           struct err *err)
{
    int64_t id = obj_id(specification);
    size_t i = id ? idmap_find(&c->index, id) : IDMAP_NONE;

    if (i != IDMAP_NONE) {
        *taken = obj_item(c->all, (int) i);
        return 0;
    }
    if (id && !idmap_add(&c->index, id, (size_t) obj_count(c->all)))
        return pdf_doc_no_memory(err);
    *taken = cut(specification);
    obj_append(c->all, *taken);
    return 0;
}

struct adding {
    struct collector *collector;
    struct err *err;
};

static int add_attachment(void *arg, struct obj name, struct obj specification)
{
    const struct adding *a = arg;
    AUTO_OBJ struct obj taken = OBJ_NONE;

    if (!obj_is_string(name) || !obj_is_dict(specification))
        return 0;
    if (keep_attachment(a->collector, specification, &taken, a->err) < 0)
        return -1;
    obj_append(a->collector->names, name);
    obj_append(a->collector->names, taken);
    return 0;
}

static int collect_associated(struct collector *c, struct obj root, struct obj files,
                              struct err *err)
{
    AUTO_OBJ struct obj from = obj_key(root, "/AF");
    AUTO_OBJ struct obj to = obj_new_array(root.q);
    int n = obj_count(from);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj specification = obj_item(from, i);
        AUTO_OBJ struct obj taken = OBJ_NONE;

        if (!obj_is_dict(specification))
            continue;
        if (keep_attachment(c, specification, &taken, err) < 0)
            return -1;
        obj_append(to, taken);
    }
    if (obj_count(to) > 0)
        obj_set(files, "/AF", to);
    return 0;
}

struct obj attachments_collect(qpdf_data q, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj trees = obj_key(root, "/Names");
    AUTO_OBJ struct obj tree = obj_key(trees, "/EmbeddedFiles");
    AUTO_OBJ struct obj names = obj_new_array(q);
    AUTO_OBJ struct obj all = obj_new_array(q);
    struct collector c = { .names = names, .all = all };
    struct adding adding = { &c, err };
    struct obj files = obj_new_dict(q);

    if ((obj_is_dict(tree) && tree_walk(tree, "/Names", add_attachment, &adding, err) < 0) ||
        collect_associated(&c, root, files, err) < 0)
        obj_drop(&files);
    else if (obj_count(names) > 0)
        obj_set(files, "/Names", names);
    idmap_free(&c.index);
    return files;
}
