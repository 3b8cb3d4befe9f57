/* What refers to names and numbers that are new in the result: destinations, actions, structure. */
#include <string.h>

#include "pdf/graft/graft_text.h"
#include "pdf/merge/merge_part.h"

#define MAX_NESTED 100

void merge_links_dest(struct merge_source *s, struct obj dest)
{
    struct obj array = obj_is_dict(dest) ? obj_key(dest, "/D") : dest;
    long long page;

    if (obj_count(array) == 0 || !obj_is_int(obj_item(array, 0), &page))
        return;
    if (page >= 0 && (size_t) page < s->doc.n_pages)
        obj_set_item(array, 0, obj_page(s->doc.q, (size_t) page));
}

/* A name or string in holder[key] becomes what it is called in the result. */
static void fix_dest(struct merge_visit *v, struct obj holder, const char *key)
{
    struct obj value = obj_key(holder, key);
    AUTO_BUF struct buf old = BUF_EMPTY;
    AUTO_BUF struct buf claimed = BUF_EMPTY;
    size_t n;
    const char *bytes = obj_is_array(value) ? NULL : obj_bytes(value, &n);

    if (!bytes) {
        merge_links_dest(v->s, value);
        return;
    }
    bool name = obj_is_name(value);
    buf_putc(&old, name ? 'n' : 's');
    buf_put(&old, bytes + name, n - name);
    const struct buf *new = renames_find(&v->s->dests, buf_text(&old), old.len);
    if (!new &&name) {
        /* Many files refer by a name object to an entry of the tree, and readers find it. */
        *old.data = 's';
        new = renames_find(&v->s->dests, buf_text(&old), old.len);
    }
    if (!new) {
        /* It leads nowhere, and shall not lead into another file. */
        merge_claim(&v->m->trees[MERGE_DESTS], buf_text(&old) + 1, old.len - 1, v->s->number,
                    &claimed);
        renames_put(&v->s->dests, buf_text(&old), old.len, &claimed);
        new = &claimed;
    }
    obj_set(holder, key, obj_new_string(holder.q, buf_text(new), new->len));
}

/* A string of `holder` that is a key of `renames`. */
static struct obj renamed(struct obj value, const struct renames *renames, bool utf8)
{
    size_t n;
    const char *text;

    if (!obj_is_string(value))
        return OBJ_NONE;
    text = utf8 ? qpdf_oh_get_binary_utf8_value(value.q, value.oh, &n) : obj_bytes(value, &n);
    const struct buf *new = renames_find(renames, text, n);
    if (!new)
        return OBJ_NONE;
    return utf8 ? merge_text(value.q, buf_text(new))
                : obj_new_string(value.q, buf_text(new), new->len);
}

/* A string, or an array with strings in it. */
static void fix_strings(struct obj holder, const char *key, const struct renames *renames,
                        bool utf8)
{
    struct obj value = obj_key(holder, key), new = renamed(value, renames, utf8);

    if (!obj_is_null(new))
        obj_set(holder, key, new);
    for (int i = 0; i < obj_count(value); i++) {
        new = renamed(obj_item(value, i), renames, utf8);
        if (!obj_is_null(new))
            obj_set_item(value, i, new);
    }
}

static struct obj renamed_name(struct obj value, const struct renames *renames)
{
    size_t n;
    AUTO_BUF struct buf name = BUF_EMPTY;
    const char *bytes = obj_is_name(value) ? obj_bytes(value, &n) : NULL;
    const struct buf *new = bytes ? renames_find(renames, bytes + 1, n - 1) : NULL;

    if (!new)
        return OBJ_NONE;
    buf_printf(&name, "/%s", buf_text(new));
    return obj_new_name(value.q, buf_text(&name));
}

/* Structure types and classes are names. */
static void fix_names(struct obj holder, const char *key, const struct renames *renames)
{
    struct obj value = obj_key(holder, key), new = renamed_name(value, renames);

    if (!obj_is_null(new))
        obj_set(holder, key, new);
    for (int i = 0; i < obj_count(value); i++) {
        new = renamed_name(obj_item(value, i), renames);
        if (!obj_is_null(new))
            obj_set_item(value, i, new);
    }
}

/* The key of the parent tree is another; without an entry there it means nothing. */
static void fix_parent(struct merge_visit *v, struct obj o, const char *key)
{
    long long old;
    int64_t new;

    if (!obj_has(o, key))
        return;
    if (obj_key_int(o, key, &old) && key_map_find_id(&v->s->parents, old, &new))
        obj_set_int(o, key, new);
    else
        obj_remove(o, key);
}

static void fix_action(struct merge_visit *v, struct obj o)
{
    struct obj kind = obj_key(o, "/S");

    if (obj_name_is(kind, "/GoTo")) {
        fix_dest(v, o, "/D");
    } else if (obj_name_is(kind, "/GoToE") && !obj_has(o, "/F")) {
        struct obj target = obj_key(o, "/T");
        if (obj_key_is(target, "/R", "/C"))
            fix_strings(target, "/N", &v->s->files, false);
    } else if (obj_name_is(kind, "/Hide")) {
        fix_strings(o, "/T", &v->s->fields, true);
    } else if (obj_name_is(kind, "/ResetForm") || obj_name_is(kind, "/SubmitForm")) {
        fix_strings(o, "/Fields", &v->s->fields, true);
    }
}

static void fix_dict(struct merge_visit *v, struct obj o, unsigned marks)
{
    if (marks & GRAFT_STRUCT_PARENT) {
        fix_parent(v, o, "/StructParent");
        fix_parent(v, o, "/StructParents");
    }
    if (marks & GRAFT_DEST && obj_has(o, "/Dest"))
        fix_dest(v, o, "/Dest");
    if (marks & (GRAFT_DEST | GRAFT_EMBEDDED | GRAFT_FIELD_ACTION))
        fix_action(v, o);
    if (marks & GRAFT_SCRIPT && obj_has(o, "/JS"))
        merge_scripts_fix(v->m, v->s, o);
    if (marks & GRAFT_TABLE)
        fix_strings(o, "/Headers", &v->s->ids, false);
}

/* Down to the direct containers, where annotations and actions may lie. */
static void fix(struct merge_visit *v, struct obj o, unsigned marks, int depth)
{
    char **keys = NULL;
    int n = obj_count(o);

    if (obj_is_dict(o) || obj_is_stream(o)) {
        fix_dict(v, o, marks);
        keys = obj_keys(o);
        while (keys && keys[n])
            n++;
    }
    for (int i = 0; i < n && depth < MAX_NESTED; i++) {
        AUTO_OBJ struct obj value = keys ? obj_key(o, keys[i]) : obj_item(o, i);
        if (!obj_is_indirect(value) && (obj_is_dict(value) || obj_is_array(value)))
            fix(v, value, marks, depth + 1);
    }
    obj_keys_free(&keys);
}

void merge_links_visit(void *arg, struct obj object, unsigned marks)
{
    struct merge_visit *v = arg;

    if (marks & ~(unsigned) GRAFT_STRUCT_ELEM & MERGE_LINKS_MARKS)
        fix(v, object, marks, 0);
    if (marks & GRAFT_STRUCT_ELEM && obj_has(object, "/P")) {
        fix_names(object, "/S", &v->s->roles);
        fix_names(object, "/C", &v->s->classes);
        fix_strings(object, "/ID", &v->s->ids, false);
    }
}
