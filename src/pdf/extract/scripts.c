#include "pdf/extract/scripts.h"

#include <string.h>

#include "pdf/object/tree.h"

/* Leaves a stream what its bytes need. */
static void strip(struct obj stream)
{
    AUTO_KEYS char **keys = obj_keys(stream);

    for (size_t i = 0; keys && keys[i]; i++)
        if (strcmp(keys[i], "/Length") != 0 && strcmp(keys[i], "/Filter") != 0 &&
            strcmp(keys[i], "/DecodeParms") != 0)
            obj_remove(stream, keys[i]);
}

/* Sets to[key] to the script of an action; false if it has none. */
static bool put_script(struct obj to, const char *key, struct obj action)
{
    AUTO_OBJ struct obj script = obj_key(action, "/JS");
    AUTO_OBJ struct obj plain = obj_parse(to.q, "<</S/JavaScript>>");

    if (!obj_key_is(action, "/S", "/JavaScript") ||
        (!obj_is_string(script) && !obj_is_stream(script)))
        return false;
    if (obj_is_stream(script))
        strip(script);
    obj_set(plain, "/JS", script);
    obj_set(to, key, plain);
    return true;
}

static int add_script(void *arg, struct obj name, struct obj action)
{
    const struct obj *list = arg;
    AUTO_OBJ struct obj holder = obj_new_dict(list->q);

    if (!obj_is_string(name) || !put_script(holder, "/A", action))
        return 0;
    AUTO_OBJ struct obj plain = obj_key(holder, "/A");
    obj_append(*list, name);
    obj_append(*list, plain);
    return 0;
}

static void collect_triggers(struct obj scripts, struct obj root)
{
    AUTO_OBJ struct obj triggers = obj_key(root, "/AA");
    AUTO_OBJ struct obj kept = obj_new_dict(root.q);
    AUTO_KEYS char **keys = obj_is_dict(triggers) ? obj_keys(triggers) : NULL;
    bool any = false;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj action = obj_key(triggers, keys[i]);
        any |= put_script(kept, keys[i], action);
    }
    if (any)
        obj_set(scripts, "/AA", kept);
}

struct obj scripts_collect(qpdf_data q, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj names = obj_key(root, "/Names");
    AUTO_OBJ struct obj tree = obj_key(names, "/JavaScript");
    AUTO_OBJ struct obj opening = obj_key(root, "/OpenAction");
    AUTO_OBJ struct obj list = obj_new_array(q);

    if (obj_is_dict(tree) && tree_walk(tree, "/Names", add_script, &list, err) < 0)
        return OBJ_NONE;
    struct obj scripts = obj_new_dict(q);
    if (obj_count(list) > 0)
        obj_set(scripts, "/Names", list);
    collect_triggers(scripts, root);
    put_script(scripts, "/OpenAction", opening);
    return scripts;
}
