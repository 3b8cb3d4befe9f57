#include "pdf/redact/redact_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/list.h"
#include "base/scope.h"
#include "pdf/redact/redact_known.h"
#include "syntax/pdf/lex.h"

#define DEEPEST 60 /* direct containers in one another */

/* What the keys of a dictionary are. */
enum role {
    PLAIN,     /* entries */
    DONE,      /* names that redact_names has renamed where they have to be */
    RESOURCES, /* categories of resources (7.8.3) */
    CATEGORY,  /* names of resources, by which content refers to them */
    FIELDS,    /* as RESOURCES and CATEGORY, of the form: strings of fields refer to them, too */
    FIELD_NAMES,
    OWN, /* not a dictionary: what is in it belongs to a private key */
};

struct keys {
    struct redact_rename *rename;
    struct pdf_doc *doc;
    const struct idmap *contents;
    struct idmap roles; /* of indirect objects, by id */
    struct idmap live;  /* objects that are reached from the trailer; its numbers mean nothing */
    bool listed;        /* `used` is complete */
    char **used;        /* names with a text that content in use has */
    size_t n, cap;
};

bool redact_keys_have(struct redact_keys_seen *seen, struct redact_words *words, const char *name)
{
    size_t slot = (fnv_text(FNV_START, name) * FNV_SPREAD >> 32) & (REDACT_KEYS_SLOTS - 1);

    if (strlen(name) >= sizeof seen->at[0].name)
        return redact_rename_has(words, name);
    if (strcmp(seen->at[slot].name, name) != 0) {
        memcpy(seen->at[slot].name, name, strlen(name) + 1);
        seen->at[slot].has = redact_rename_has(words, name);
    }
    return seen->at[slot].has;
}

static bool is_listed_key(const char *key, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(key, list[i]) == 0)
            return true;
    return false;
}

static enum role role_below(enum role role, const char *key)
{
    static const char *const categories[] = { "/Font",    "/XObject", "/ExtGState", "/ColorSpace",
                                              "/Pattern", "/Shading", "/Properties" };
    static const char *const done[] = { "/RoleMap",   "/RoleMapNS", "/ClassMap", "/CharProcs",
                                        "/Colorants", "/DotGain",   "/Dests",    "/Solidities" };

    if (role == RESOURCES || role == FIELDS)
        return !is_listed_key(key, categories, COUNT(categories)) ? PLAIN
               : role == FIELDS                                   ? FIELD_NAMES
                                                                  : CATEGORY;
    if (role != PLAIN)
        return PLAIN;
    return strcmp(key, "/Resources") == 0          ? RESOURCES
           : strcmp(key, "/DR") == 0               ? FIELDS
           : is_listed_key(key, done, COUNT(done)) ? DONE
                                                   : PLAIN;
}

/* A key that somebody made up, with which everything below it is private. */
static bool is_own(enum role role, const char *key)
{
    return (role == PLAIN || role == RESOURCES || role == FIELDS) &&
           !redact_known_key(key + 1, strlen(key + 1));
}

/* Keys that PDF defines, of names that it does not: levels of a hierarchy of parts (14.12.4.1),
 * what a collection is sorted by (7.11.6), the ink of a separated page (14.11.4). */
static bool has_own_values(struct obj dict, const char *key)
{
    static const char *const keys[] = { "/NodeNameList", "/Sort", "/DeviceColorant" };

    return is_listed_key(key, keys, COUNT(keys)) ||
           (strcmp(key, "/S") == 0 && obj_key_is(dict, "/Type", "/CollectionSort"));
}

/* False: it was known. */
static bool note_role(struct keys *k, struct obj value, enum role role)
{
    size_t known = idmap_find(&k->roles, obj_id(value));

    if (known == IDMAP_NONE) {
        k->rename->words->failed |= !idmap_add(&k->roles, obj_id(value), role);
        return true;
    }
    if (known == (size_t) role || (role != FIELDS && role != FIELD_NAMES))
        return false;
    idmap_set(&k->roles, obj_id(value), role);
    return true;
}

static enum role role_of(const struct keys *k, struct obj value)
{
    size_t role = idmap_find(&k->roles, obj_id(value));

    return role == IDMAP_NONE ? PLAIN : (enum role) role;
}

/* Notes what the dictionaries are that are objects of their own, by what refers to them. */
static void find_roles(struct keys *k, struct obj value, enum role role, int depth)
{
    AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : obj_same(value);
    AUTO_KEYS char **keys = obj_is_dict(dict) ? obj_keys(dict) : NULL;

    for (int i = 0; i < obj_count(value) && depth < DEEPEST; i++) {
        AUTO_OBJ struct obj item = obj_item(value, i);

        if (!obj_is_indirect(item))
            find_roles(k, item, PLAIN, depth + 1);
    }
    for (size_t i = 0; keys && keys[i] && depth < DEEPEST; i++) {
        AUTO_OBJ struct obj item = obj_key(dict, keys[i]);
        enum role below = role_below(role, keys[i]);
        bool new = obj_is_indirect(item) && below != PLAIN &&obj_is_dict(item) &&
                   note_role(k, item, below);

        if (!obj_is_indirect(item) || (new && (below == RESOURCES || below == FIELDS)))
            find_roles(k, item, below, depth + 1);
    }
}

/* The same for lists and names, which a private key has. */
static void find_own(struct keys *k, struct obj value, enum role role, int depth)
{
    AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : obj_same(value);
    AUTO_KEYS char **keys = obj_is_dict(dict) ? obj_keys(dict) : NULL;

    for (int i = 0; i < obj_count(value) && depth < DEEPEST; i++) {
        AUTO_OBJ struct obj item = obj_item(value, i);

        if (!obj_is_indirect(item))
            find_own(k, item, PLAIN, depth + 1);
    }
    for (size_t i = 0; keys && keys[i] && depth < DEEPEST; i++) {
        AUTO_OBJ struct obj item = obj_key(dict, keys[i]);

        if (!obj_is_indirect(item))
            find_own(k, item, role_below(role, keys[i]), depth + 1);
        else if ((is_own(role, keys[i]) || has_own_values(dict, keys[i])) &&
                 (obj_is_array(item) || obj_is_name(item)))
            note_role(k, item, OWN);
    }
}

struct reach {
    struct keys *k;
    int64_t *waiting;
    size_t n, cap;
};

static void reach(struct reach *r, struct obj value, int depth)
{
    AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : obj_same(value);
    AUTO_KEYS char **keys = obj_is_dict(dict) ? obj_keys(dict) : NULL;
    int count = obj_count(value);

    for (int i = 0; depth < DEEPEST && (i < count || (keys && keys[i])); i++) {
        AUTO_OBJ struct obj item = i < count ? obj_item(value, i) : obj_key(dict, keys[i]);

        if (!obj_is_indirect(item)) {
            reach(r, item, depth + 1);
        } else if (idmap_find(&r->k->live, obj_id(item)) == IDMAP_NONE) {
            if (!idmap_add(&r->k->live, obj_id(item), 0) || !LIST_ROOM(r->waiting, r->n, r->cap)) {
                r->k->rename->words->failed = true;
                return;
            }
            r->waiting[r->n++] = obj_id(item);
        }
    }
}

static void reach_all(struct keys *k)
{
    AUTO_OBJ struct obj trailer = obj_trailer(k->doc->q);
    struct reach r = { .k = k };

    reach(&r, trailer, 0);
    while (r.n && !k->rename->words->failed) {
        int64_t id = r.waiting[--r.n];
        AUTO_OBJ struct obj value = obj_by_id(k->doc->q, OBJ_NUMBER(id), OBJ_GEN(id));

        reach(&r, value, 0);
    }
    free(r.waiting);
}

static bool is_used(const struct keys *k, const char *name)
{
    for (size_t i = 0; i < k->n; i++)
        if (strcmp(k->used[i], name) == 0)
            return true;
    return false;
}

static void add_used(struct keys *k, const char *name)
{
    char *copy =
        is_used(k, name) || !redact_rename_has(k->rename->words, name) ? NULL : strdup(name);

    if (copy && LIST_ROOM(k->used, k->n, k->cap))
        k->used[k->n++] = copy;
    else
        free(copy);
}

/* Notes the names that content has. */
static void read_content_names(struct keys *k, struct obj stream)
{
    AUTO_FREE unsigned char *data = NULL;
    struct lex_token token;
    size_t n = 0;

    if (!obj_stream_data(stream, &data, &n))
        return;
    struct lex lex = lex_of(data, n);
    while (lex_next(&lex, &token)) {
        AUTO_FREE char *name = token.kind == LEX_NAME ? malloc(token.n + 1) : NULL;

        if (name) {
            name[lex_name(&token, name)] = '\0';
            add_used(k, name);
        } else if (lex_is(&token, "ID")) {
            lex_image(&lex, &token);
        }
    }
}

static bool content_names(struct keys *k, const char *name)
{
    if (!k->listed) {
        reach_all(k);
        for (int i = 1, next = pdf_doc_next_number(k->doc); i < next; i++) {
            AUTO_OBJ struct obj value = obj_by_number(k->doc->q, i);

            if (obj_is_stream(value) && idmap_find(k->contents, obj_id(value)) != IDMAP_NONE &&
                idmap_find(&k->live, obj_id(value)) != IDMAP_NONE)
                read_content_names(k, value);
        }
        k->listed = true;
    }
    return is_used(k, name);
}

/* A name of a resource. If content of another page uses it, fields find it by its other name. */
static void rename_resource(struct keys *k, struct obj dict, const char *key, bool of_fields)
{
    AUTO_BUF struct buf other = BUF_EMPTY;

    if (!redact_rename_has(k->rename->words, key) || redact_known_key(key + 1, strlen(key + 1)))
        return;
    /* A name that content uses now is listed: redact changes the content first. */
    if (k->rename->found || !content_names(k, key)) {
        redact_rename_key(k->rename, dict, key);
    } else if (of_fields && !k->rename->only_count && redact_rename_name(k->rename, key, &other)) {
        AUTO_OBJ struct obj value = obj_key(dict, key);

        obj_set(dict, buf_text(&other), value);
    }
}

/* Whether a name that is a value is one that somebody made up. */
static bool is_own_value(const char *key, const char *name, bool own)
{
    static const char *const fonts[] = { "/BaseFont", "/FontName", "/Encoding", "/BaseEncoding" };
    static const char *const types[] = { "/Type", "/Subtype" };

    if (*name != '/' || redact_known_value(name + 1, strlen(name + 1)))
        return false;
    if (own)
        return !is_listed_key(key, fonts, COUNT(fonts));
    /* Types of files (MIME) have a solidus. */
    return is_listed_key(key, types, COUNT(types)) && !strchr(name + 1, '/');
}

static void clean_value(struct keys *k, struct obj value, enum role role, bool own, int depth);

static void clean_dict(struct keys *k, struct obj dict, enum role role, bool own, int depth)
{
    AUTO_KEYS char **keys = obj_keys(dict);

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj item = obj_key(dict, keys[i]);
        bool mine = is_own(role, keys[i]);
        bool below = own || mine || has_own_values(dict, keys[i]);

        if (obj_is_name(item) && !obj_is_indirect(item)) {
            if (is_own_value(keys[i], redact_rename_read(item), below))
                redact_rename_value(k->rename, dict, keys[i]);
        } else if (!obj_is_indirect(item)) {
            clean_value(k, item, role_below(role, keys[i]), below, depth + 1);
        }
        if (mine)
            redact_rename_key(k->rename, dict, keys[i]);
        else if (role == CATEGORY || role == FIELD_NAMES)
            rename_resource(k, dict, keys[i], role == FIELD_NAMES);
    }
}

/* `own`: it is in something private. */
static void clean_value(struct keys *k, struct obj value, enum role role, bool own, int depth)
{
    AUTO_OBJ struct obj dict = obj_is_stream(value) ? obj_dict(value) : OBJ_NONE;

    if (depth > DEEPEST)
        return;
    if (dict.q || obj_is_dict(value)) {
        clean_dict(k, dict.q ? dict : value, role, own, depth);
        return;
    }
    for (int i = 0, n = obj_count(value); i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(value, i);

        if (obj_is_indirect(item))
            continue;
        if (!obj_is_name(item))
            clean_value(k, item, PLAIN, own, depth + 1);
        else if (is_own_value("", redact_rename_read(item), own))
            redact_rename_item(k->rename, value, i);
    }
}

/* An object that is a name, which a private key has. */
static void clean_name(struct keys *k, struct obj name)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (!is_own_value("", redact_rename_read(name), true) ||
        !redact_rename_name(k->rename, redact_rename_read(name), &out))
        return;
    AUTO_OBJ struct obj other = obj_new_name(name.q, buf_text(&out));
    obj_replace(name, other);
}

static void clean_object(struct keys *k, int number)
{
    AUTO_OBJ struct obj value = obj_by_number(k->doc->q, number);
    enum role role = role_of(k, value);

    k->rename->now = number;
    if (role == OWN && obj_is_name(value))
        clean_name(k, value);
    else
        clean_value(k, value, role == OWN ? PLAIN : role, role == OWN, 0);
}

void redact_keys_clean(struct redact_rename *rename, struct pdf_doc *doc,
                       const struct idmap *contents)
{
    struct keys k = { .rename = rename, .doc = doc, .contents = contents };
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_OBJ struct obj root = obj_root(doc->q);
    int next = pdf_doc_next_number(doc);

    for (int i = 1; i < next; i++) {
        AUTO_OBJ struct obj value = obj_by_number(doc->q, i);

        find_roles(&k, value, PLAIN, 0);
    }
    for (int i = 1; i < next; i++) {
        AUTO_OBJ struct obj value = obj_by_number(doc->q, i);

        find_own(&k, value, role_of(&k, value), 0);
    }
    find_own(&k, trailer, PLAIN, 0);
    rename->now = OBJ_NUMBER(obj_id(root));
    clean_value(&k, trailer, PLAIN, false, 0);
    for (int i = 1; i < next; i++)
        clean_object(&k, i);
    for (size_t i = 0; i < k.n; i++)
        free(k.used[i]);
    free(k.used);
    idmap_free(&k.roles);
    idmap_free(&k.live);
}
