#include "pdf/object/action.h"

#include "base/scope.h"

#define MAX_FOLLOWING 50 /* actions after one another */
#define MAX_FIELDS    10000

/* Whether a list of fields or annotations holds names alone, and no objects. */
static bool holds_names(struct obj action, const char *key)
{
    AUTO_OBJ struct obj list = obj_key(action, key);
    int n = obj_count(list);

    if (obj_is_dict(list) || n > MAX_FIELDS)
        return false;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(list, i);

        if (!obj_is_string(item))
            return false;
    }
    return true;
}

static bool is_confined(struct obj action)
{
    static const char *const harmless[] = { "/URI",        "/GoToR",      "/Launch", "/Named",
                                            "/JavaScript", "/ImportData", "/Trans",  "/Sound" };

    for (size_t i = 0; i < COUNT(harmless); i++)
        if (obj_key_is(action, "/S", harmless[i]))
            return true;
    if (obj_key_is(action, "/S", "/Hide"))
        return holds_names(action, "/T");
    if (obj_key_is(action, "/S", "/SubmitForm") || obj_key_is(action, "/S", "/ResetForm"))
        return holds_names(action, "/Fields");
    return false;
}

static void confine_action(struct obj holder, const char *key, int depth)
{
    AUTO_OBJ struct obj action = obj_key(holder, key);

    if (obj_is_null(action))
        return;
    if (!obj_is_dict(action) || depth > MAX_FOLLOWING || !is_confined(action)) {
        obj_remove(holder, key);
        return;
    }
    AUTO_OBJ struct obj next = obj_key(action, "/Next");
    /* A list of following actions may branch without end: only a chain is kept. */
    if (obj_is_array(next))
        obj_remove(action, "/Next");
    else
        confine_action(action, "/Next", depth + 1);
}

void action_confine(struct obj holder, const char *key)
{
    confine_action(holder, key, 0);
}

void action_confine_triggers(struct obj holder)
{
    AUTO_OBJ struct obj triggers = obj_key(holder, "/AA");
    AUTO_KEYS char **keys = NULL;

    if (obj_is_null(triggers))
        return;
    keys = obj_is_dict(triggers) ? obj_keys(triggers) : NULL;
    if (!keys)
        obj_remove(holder, "/AA");
    for (size_t i = 0; keys && keys[i]; i++)
        action_confine(triggers, keys[i]);
}
