#include "pdf/redact/redact_names.h"

#include <string.h>

#include "base/scope.h"
#include "pdf/object/obj.h"

struct naming {
    struct redact_words *words;
    bool only_count;
    size_t n;
    int now, object; /* the numbers of the object that is looked at, and of the first found */
};

/* Appends the name in place of one that has a text in it; false: it stays. The same name always
 * becomes the same one, so that what refers to it still does. */
static bool name_anew(struct naming *naming, const char *name, struct buf *out)
{
    if (strcmp(name, "/Off") == 0 || *name != '/')
        return false;
    buf_putc(out, '/');
    if (!redact_words_replace(naming->words, name + 1, strlen(name + 1), out))
        return false;
    naming->object = naming->n++ == 0 ? naming->now : naming->object;
    return !naming->only_count;
}

static void rename_value(struct naming *naming, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj value = obj_key(dict, key);
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (obj_is_name(value) && name_anew(naming, obj_text(value), &out))
        obj_set_name(dict, key, buf_text(&out));
}

static void rename_keys(struct naming *naming, struct obj dict)
{
    AUTO_KEYS char **keys = obj_is_dict(dict) ? obj_keys(dict) : NULL;

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_BUF struct buf out = BUF_EMPTY;
        AUTO_OBJ struct obj value = { 0 };

        if (!name_anew(naming, keys[i], &out))
            continue;
        value = obj_key(dict, keys[i]);
        obj_set(dict, buf_text(&out), value);
        obj_remove(dict, keys[i]);
    }
}

/* The names of the states that a button can be in. */
static void rename_states(struct naming *naming, struct obj widget)
{
    static const char *const kinds[] = { "/N", "/R", "/D" };
    AUTO_OBJ struct obj appearances = obj_key(widget, "/AP");

    for (size_t i = 0; i < COUNT(kinds) && obj_is_dict(appearances); i++) {
        AUTO_OBJ struct obj states = obj_key(appearances, kinds[i]);

        if (!obj_is_stream(states))
            rename_keys(naming, states);
    }
    rename_value(naming, widget, "/AS");
}

static void rename_in(struct naming *naming, struct obj dict)
{
    AUTO_OBJ struct obj action = obj_key(dict, "/A");

    rename_value(naming, dict, "/Dest");
    rename_value(naming, dict, "/V");
    rename_value(naming, dict, "/DV");
    rename_states(naming, dict);
    if (obj_is_dict(action) && !obj_is_indirect(action) && obj_key_is(action, "/S", "/GoTo"))
        rename_value(naming, action, "/D");
    if (obj_key_is(dict, "/S", "/GoTo"))
        rename_value(naming, dict, "/D");
}

size_t redact_names_clean(struct pdf_doc *doc, struct redact_words *words, bool only_count,
                          int *object)
{
    struct naming naming = { .words = words, .only_count = only_count, .now = 1 };
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj places = obj_key(root, "/Dests");

    rename_keys(&naming, places);
    for (int i = 1, next = pdf_doc_next_number(doc); i < next; i++) {
        AUTO_OBJ struct obj value = obj_by_number(doc->q, i);

        naming.now = i;
        if (obj_is_dict(value) && !obj_is_stream(value))
            rename_in(&naming, value);
    }
    if (object)
        *object = naming.object;
    return naming.n;
}
