/*
 * Logical structure (ISO 32000-1, 14.7; ISO 32000-2, 14.7): the trees of all files below one
 * /Document, with one parent tree with new keys.
 */
#include <string.h>

#include "base/scope.h"
#include "pdf/merge/merge_part.h"
#include "pdf/object/tree.h"

/* The standard types of ISO 32000-1 and -2: a file that maps one of them means only its own. */
static const char *const standard_types[] = {
    "Document",   "DocumentFragment",
    "Part",       "Art",
    "Sect",       "Div",
    "BlockQuote", "Caption",
    "TOC",        "TOCI",
    "Index",      "NonStruct",
    "Private",    "P",
    "H",          "H1",
    "H2",         "H3",
    "H4",         "H5",
    "H6",         "Title",
    "Sub",        "L",
    "LI",         "Lbl",
    "LBody",      "Table",
    "TR",         "TH",
    "TD",         "THead",
    "TBody",      "TFoot",
    "Span",       "Quote",
    "Note",       "FENote",
    "Reference",  "BibEntry",
    "Code",       "Link",
    "Annot",      "Em",
    "Strong",     "Ruby",
    "RB",         "RT",
    "RP",         "Warichu",
    "WT",         "WP",
    "Figure",     "Formula",
    "Form",       "Aside",
    "Artifact",
};

struct adding {
    struct merge *m;
    struct merge_source *s;
    struct obj values;
    struct err *err;
};

static int add_parent(void *arg, struct obj key, struct obj value)
{
    struct adding *t = arg;
    long long number;
    int64_t known;

    if (!obj_is_int(key, &number) || obj_is_null(value) ||
        key_map_find_id(&t->s->parents, number, &known))
        return 0;
    key_map_put_id(&t->s->parents, number, t->m->n_parents + obj_count(t->values));
    obj_append(t->values, value);
    return t->s->parents.failed ? merge_no_memory(t->err) : 0;
}

static int add_id(void *arg, struct obj key, struct obj value)
{
    struct adding *t = arg;
    AUTO_BUF struct buf old = BUF_EMPTY;
    AUTO_BUF struct buf new = BUF_EMPTY;
    size_t n;
    const char *bytes = obj_is_string(key) ? obj_bytes(key, &n) : NULL;

    if (!bytes || !obj_is_dict(value))
        return 0;
    buf_put(&old, bytes, n);
    if (renames_find(&t->s->ids, buf_text(&old), old.len))
        return 0;
    merge_claim(&t->m->trees[MERGE_IDS], buf_text(&old), old.len, t->s->number, &new);
    renames_put(&t->s->ids, buf_text(&old), old.len, &new);
    if (merge_names_add(&t->m->trees[MERGE_IDS], &new, obj_count(t->values), t->err) < 0)
        return -1;
    obj_append(t->values, value);
    return renames_failed(&t->s->ids) ? merge_no_memory(t->err) : 0;
}

static bool is_standard(const char *type)
{
    for (size_t i = 0; i < COUNT(standard_types); i++)
        if (strcmp(type, standard_types[i]) == 0)
            return true;
    return false;
}

/* What a role or class means, as text: only direct values are ever the same. */
static bool same_meaning(struct obj a, struct obj b)
{
    AUTO_FREE char *text = strdup(qpdf_oh_unparse(a.q, a.oh));

    return text && !strstr(text, " R") && strcmp(text, qpdf_oh_unparse(b.q, b.oh)) == 0;
}

/* Gives a role or a class of this file another name where it means something else in the result. */
static int claim_roles(struct merge *m, struct merge_source *s, const char *map_key,
                       struct obj from, struct renames *renames, struct err *err)
{
    struct obj to = obj_key(merge_at(m, m->structure), map_key);
    bool roles = strcmp(map_key, "/RoleMap") == 0;
    AUTO_KEYS char **keys = obj_keys(from);

    for (char **key = keys; key && *key; key++) {
        AUTO_BUF struct buf name = BUF_EMPTY;
        size_t number = s->number + 1;
        bool standard = roles && is_standard(*key + 1);
        if (!standard &&
            (!obj_has(to, *key) || same_meaning(obj_key(to, *key), obj_key(from, *key))))
            continue;
        do {
            name.len = 0;
            buf_printf(&name, "%s_%zu", *key, number++);
        } while (!name.failed && (obj_has(to, buf_text(&name)) || obj_has(from, buf_text(&name))));
        AUTO_BUF struct buf bare = BUF_EMPTY;
        buf_puts(&bare, buf_text(&name) + !name.failed);
        renames_put(renames, *key + 1, strlen(*key + 1), &bare);
    }
    return keys && !renames_failed(renames) ? 0 : merge_no_memory(err);
}

/* The roots of the structure, which no longer know of their own tree. */
static void add_roots(struct merge_source *s, struct obj tree)
{
    struct obj roots = merge_put_array(s, "/StructRoots"), kids = obj_key(tree, "/K");
    struct obj alone = obj_new_array(s->doc.q);

    if (!obj_is_array(kids)) {
        obj_append(alone, kids);
        kids = alone;
    }
    for (int i = 0; i < obj_count(kids); i++) {
        struct obj kid = obj_item(kids, i);
        if (!obj_is_dict(kid))
            continue;
        if (!obj_is_indirect(kid))
            kid = obj_indirect(kid);
        obj_remove(kid, "/P");
        obj_append(roots, kid);
    }
}

static bool is_true(struct obj o)
{
    QPDF_BOOL value = QPDF_FALSE;

    return qpdf_oh_get_value_as_bool(o.q, o.oh, &value) && value;
}

static int read_tags(struct merge *m, struct merge_source *s, struct err *err)
{
    struct obj root = obj_root(s->doc.q), tree = obj_key(root, "/StructTreeRoot");
    struct obj mark = obj_key(root, "/MarkInfo");
    struct adding parents = { m, s, merge_put_array(s, "/ParentTree"), err };
    struct adding ids = { m, s, merge_put_array(s, "/IDTree"), err };
    static const char *const rest[] = { "/RoleMap", "/ClassMap", "/Namespaces",
                                        "/PronunciationLexicon", "/AF" };

    if (!obj_is_dict(tree)) {
        m->suspects |= m->marked;
        return 0;
    }
    m->marked |= is_true(obj_key(mark, "/Marked"));
    m->suspects |= is_true(obj_key(mark, "/Suspects"));
    if (tree_walk(obj_key(tree, "/ParentTree"), "/Nums", add_parent, &parents, err) < 0 ||
        tree_walk(obj_key(tree, "/IDTree"), "/Names", add_id, &ids, err) < 0)
        return -1;
    m->n_parents += obj_count(parents.values);
    if (claim_roles(m, s, "/RoleMap", obj_key(tree, "/RoleMap"), &s->roles, err) < 0 ||
        claim_roles(m, s, "/ClassMap", obj_key(tree, "/ClassMap"), &s->classes, err) < 0)
        return -1;
    add_roots(s, tree);
    struct obj bag = obj_by_id(s->doc.q, s->bag, 0), kept = obj_new_dict(s->doc.q);
    for (size_t i = 0; i < COUNT(rest); i++)
        if (obj_has(tree, rest[i]))
            obj_set(kept, rest[i], obj_key(tree, rest[i]));
    obj_set(bag, "/Structure", kept);
    return 0;
}

/* The entries of a map under their new names, the values too where they are roles. */
static int join_map(struct merge *m, struct merge_source *s, const char *key,
                    const struct renames *renames, struct err *err)
{
    struct obj tree = merge_at(m, m->structure), to = obj_key(tree, key);
    struct obj from = obj_key(obj_key(s->in, "/Structure"), key);
    AUTO_KEYS char **keys = obj_keys(from);

    if (!keys)
        return merge_no_memory(err);
    if (*keys && !obj_is_dict(to)) {
        obj_set(tree, key, obj_new_dict(tree.q));
        to = obj_key(tree, key);
    }
    for (char **k = keys; *k; k++) {
        AUTO_BUF struct buf name = BUF_EMPTY;
        const struct buf *new = renames_find(renames, *k + 1, strlen(*k + 1));
        buf_printf(&name, "/%s", new ? buf_text(new) : *k + 1);
        if (name.failed)
            return merge_no_memory(err);
        obj_set(to, buf_text(&name), obj_key(from, *k));
    }
    return 0;
}

static void append_key(struct obj to, struct obj from, const char *key)
{
    struct obj array = obj_key(to, key);

    if (obj_count(obj_key(from, key)) == 0)
        return;
    if (!obj_is_array(array)) {
        obj_set(to, key, obj_new_array(to.q));
        array = obj_key(to, key);
    }
    merge_append_all(array, obj_key(from, key));
}

static int join_tags(struct merge *m, struct merge_source *s, struct err *err)
{
    struct obj roots = obj_key(s->in, "/StructRoots"), elements = merge_at(m, m->elements);
    struct obj kept = obj_key(s->in, "/Structure"), tree = merge_at(m, m->structure);

    for (int i = 0; i < obj_count(roots); i++) {
        struct obj element = obj_item(roots, i);
        obj_append(elements, element);
        obj_append(merge_at(m, m->languages), obj_key(s->in, "/Lang"));
    }
    merge_append_all(merge_at(m, m->parents), obj_key(s->in, "/ParentTree"));
    merge_names_held(&m->trees[MERGE_IDS], obj_key(s->in, "/IDTree"));
    append_key(tree, kept, "/Namespaces");
    append_key(tree, kept, "/PronunciationLexicon");
    append_key(tree, kept, "/AF");
    if (join_map(m, s, "/RoleMap", &s->roles, err) < 0)
        return -1;
    return join_map(m, s, "/ClassMap", &s->classes, err);
}

static void give_pair(void *arg, size_t i, struct obj *key, struct obj *value)
{
    const struct obj *values = arg;

    *key = obj_new_int(values->q, (long long) i);
    *value = obj_item(*values, (int) i);
}

/* One root: readers warn of several. If the files are in several languages, each says its own. */
static void hang(struct merge *m, struct obj tree)
{
    struct obj elements = merge_at(m, m->elements), top = tree;
    struct obj languages = merge_at(m, m->languages);
    int n = obj_count(elements);

    if (n > 1) {
        top = obj_indirect(obj_new_dict(m->to.q));
        obj_set_name(top, "/Type", "/StructElem");
        obj_set_name(top, "/S", "/Document");
        obj_set(top, "/P", tree);
        obj_set(tree, "/K", top);
        obj_set(top, "/K", elements);
    } else {
        obj_set(tree, "/K", obj_item(elements, 0));
    }
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj element = obj_item(elements, i);
        AUTO_OBJ struct obj language = obj_item(languages, i);
        obj_set(element, "/P", top);
        if (!m->same_language && !obj_is_null(language) && !obj_has(element, "/Lang"))
            obj_set(element, "/Lang", language);
    }
}

static int finish_tags(struct merge *m, struct err *err)
{
    struct obj tree = merge_at(m, m->structure), root = obj_root(m->to.q);
    struct obj values = merge_at(m, m->parents), mark = obj_new_dict(m->to.q);

    (void) err;
    if (obj_count(merge_at(m, m->elements)) == 0)
        return 0;
    hang(m, tree);
    obj_set_name(tree, "/Type", "/StructTreeRoot");
    obj_set(tree, "/ParentTree",
            tree_build(m->to.q, "/Nums", (size_t) obj_count(values), give_pair, &values));
    obj_set_int(tree, "/ParentTreeNextKey", m->n_parents);
    struct obj ids = merge_names_build(m, &m->trees[MERGE_IDS]);
    if (!obj_is_null(ids))
        obj_set(tree, "/IDTree", ids);
    obj_set(root, "/StructTreeRoot", tree);
    if (m->marked)
        obj_set(mark, "/Marked", obj_parse(m->to.q, "true"));
    if (m->suspects)
        obj_set(mark, "/Suspects", obj_parse(m->to.q, "true"));
    if (m->marked)
        obj_set(root, "/MarkInfo", mark);
    return 0;
}

const struct merge_part merge_tags = { read_tags, join_tags, finish_tags };
