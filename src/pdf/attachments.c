#include "pdf/attachments.h"

#include "base/scope.h"
#include "pdf/tree.h"

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

static int add(void *cls, struct obj name, struct obj specification)
{
    static const char *const described[] = { "/F", "/UF", "/Desc" };
    static const char *const named[] = { "/FS", "/AFRelationship" };
    const struct obj *list = cls;

    if (!obj_is_string(name) || !obj_is_dict(specification))
        return 0;
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
    obj_append(*list, name);
    obj_append(*list, to);
    return 0;
}

struct obj attachments_collect(qpdf_data q, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj names = obj_key(root, "/Names");
    AUTO_OBJ struct obj tree = obj_key(names, "/EmbeddedFiles");
    struct obj list = obj_new_array(q);

    if (obj_is_dict(tree) && tree_walk(tree, "/Names", add, &list, err) < 0) {
        obj_drop(&list);
        return (struct obj){ .q = NULL };
    }
    return list;
}
