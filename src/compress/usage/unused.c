#include "compress/usage/unused.h"

#include <string.h>

#include "base/scope.h"
#include "compress/usage/font_program.h"

static const char *const categories[] = { "/XObject",    "/Font",    "/Pattern",
                                          "/ColorSpace", "/Shading", "/ExtGState" };

struct strip {
    const struct usage *usage;
    const struct form_fonts *form_fonts;
    struct idmap kept; /* resources that forms may need: by id, or by usage_name_key */
    struct idmap seen; /* dictionaries that were looked through, by id */
    bool no_memory;
};

/* Colour spaces that hold without being named (ISO 32000-2, 8.6.5.6). */
static bool is_default(const char *name)
{
    return strncmp(name, "/Default", 8) == 0;
}

static bool is_named(const struct strip *s, const char *category, const char *name,
                     struct obj value)
{
    int64_t keys[2] = { obj_is_indirect(value) ? obj_id(value) : 0,
                        usage_name_key(category, name) };

    for (size_t i = 0; i < COUNT(keys); i++)
        if (keys[i] && (idmap_find(&s->usage->drawn, keys[i]) != IDMAP_NONE ||
                        idmap_find(&s->kept, keys[i]) != IDMAP_NONE))
            return true;
    return false;
}

/* Whether the dictionary is looked at for the first time. */
static bool is_new(struct strip *s, struct obj dict)
{
    int64_t id = obj_is_indirect(dict) ? obj_id(dict) : 0;

    if (!obj_is_dict(dict) || (id && idmap_find(&s->seen, id) != IDMAP_NONE))
        return false;
    s->no_memory |= id && !idmap_add(&s->seen, id, 0);
    return true;
}

static void strip_category(struct strip *s, struct obj resources, const char *category)
{
    AUTO_OBJ struct obj all = obj_key(resources, category);
    AUTO_KEYS char **keys = NULL;

    if (!is_new(s, all) || !(keys = obj_keys(all)))
        return;
    for (size_t i = 0; keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(all, keys[i]);

        if (!is_default(keys[i]) && !is_named(s, category, keys[i], value))
            obj_remove(all, keys[i]);
    }
}

static void strip_holder(struct strip *s, struct obj holder)
{
    AUTO_OBJ struct obj resources = obj_key(holder, "/Resources");

    if (!is_new(s, resources))
        return;
    for (size_t i = 0; i < COUNT(categories); i++)
        if (!s->usage->inline_image || strcmp(categories[i], "/ColorSpace") != 0)
            strip_category(s, resources, categories[i]);
}

/* Whether an entry of a form's default resources is an embedded font that nothing is set in, now or
 * later: viewers have fonts of their own for who edits the form. */
static bool is_idle(const struct strip *s, const char *category, const char *name, struct obj value)
{
    AUTO_OBJ struct obj program = OBJ_NONE;

    if (strcmp(category, "/Font") != 0 || form_fonts_may_set(s->form_fonts, name) ||
        is_named(s, category, name, value))
        return false;
    program = font_program(value);
    return obj_is_stream(program);
}

/* What a form's fields may be set in later is found in these by name, and so is what the same
 * dictionaries hold besides. */
static void keep_defaults(struct strip *s, struct obj root)
{
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj resources = obj_key(form, "/DR");

    for (size_t i = 0; i < COUNT(categories); i++) {
        AUTO_OBJ struct obj all = obj_key(resources, categories[i]);
        AUTO_KEYS char **keys = obj_is_dict(all) ? obj_keys(all) : NULL;

        for (size_t k = 0; keys && keys[k]; k++) {
            AUTO_OBJ struct obj value = obj_key(all, keys[k]);
            int64_t id = obj_is_indirect(value) ? obj_id(value) : 0;
            int64_t key = id ? id : usage_name_key(categories[i], keys[k]);

            if (is_idle(s, categories[i], keys[k], value))
                obj_remove(all, keys[k]);
            else
                s->no_memory |=
                    idmap_find(&s->kept, key) == IDMAP_NONE && !idmap_add(&s->kept, key, 0);
        }
    }
}

/* Pages and appearances that scripts and actions show; no content of a page draws them. */
static bool has_hidden(struct obj root)
{
    AUTO_OBJ struct obj names = obj_key(root, "/Names");

    return obj_has(names, "/Templates") || obj_has(names, "/AP");
}

int unused_drop(const struct usage *usage, struct form_fonts *form_fonts, struct pdf_doc *doc,
                struct err *err)
{
    struct strip s = { .usage = usage, .form_fonts = form_fonts };
    AUTO_OBJ struct obj root = obj_root(doc->q);

    if (usage->partial || has_hidden(root))
        return 0;
    s.no_memory = !form_fonts_read(form_fonts, doc);
    keep_defaults(&s, root);
    for (size_t i = 0; i < usage->n_holders && !s.no_memory; i++) {
        AUTO_OBJ struct obj holder =
            obj_by_id(doc->q, OBJ_NUMBER(usage->holders[i]), OBJ_GEN(usage->holders[i]));

        strip_holder(&s, holder);
    }
    idmap_free(&s.kept);
    idmap_free(&s.seen);
    return s.no_memory ? pdf_doc_no_memory(err) : 0;
}
