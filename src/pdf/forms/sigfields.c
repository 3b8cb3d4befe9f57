#include "pdf/forms/sigfields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"

#define MAX_FIELDS 200000
#define MAX_DEPTH  64
#define MAX_REFS   16

struct walk {
    struct sigfields *fields;
    size_t left;
    struct err *err;
};

const char *sigfields_text(struct obj text)
{
    size_t n;

    return obj_is_string(text) ? qpdf_oh_get_binary_utf8_value(text.q, text.oh, &n) : "";
}

static int add_field(struct walk *walk, const char *name, struct obj field, struct obj kids)
{
    struct sigfields *fields = walk->fields;
    struct sigfield *item;

    if (!LIST_ROOM(fields->items, fields->n, fields->cap))
        return pdf_doc_no_memory(walk->err);
    item = &fields->items[fields->n++];
    *item = (struct sigfield){ .name = strdup(name),
                               .field = obj_same(field),
                               .widget = obj_count(kids) > 0 ? obj_item(kids, 0) : obj_same(field),
                               .value = obj_key(field, "/V") };
    if (!obj_is_dict(item->value))
        obj_drop(&item->value);
    fields->signed_ += obj_is_dict(item->value);
    return item->name ? 0 : pdf_doc_no_memory(walk->err);
}

/* Whether the kids are fields of their own, and not what shows this one. */
static bool has_fields(struct obj kids)
{
    int n = obj_count(kids);

    for (int i = 0; i < n && i < MAX_REFS; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);

        if (obj_has(kid, "/T"))
            return true;
    }
    return false;
}

/* `above`: the full name of the field above; `is_signature`: its type, which is inherited. */
static int walk_field(struct walk *walk, struct obj field, const char *above, bool is_signature,
                      int depth)
{
    AUTO_OBJ struct obj text = obj_key(field, "/T");
    AUTO_OBJ struct obj kids = obj_key(field, "/Kids");
    char name[SIGFIELDS_NAME];
    const char *own = sigfields_text(text);

    if (depth == MAX_DEPTH)
        return err_set(walk->err, ERR_CORRUPT_FILE,
                       "the fields of the document's form are nested in a circle, or more than %d "
                       "deep: it cannot be signed",
                       MAX_DEPTH);
    if (walk->left == 0)
        return err_set(walk->err, ERR_LIMIT_EXCEEDED, "the document has too many form fields");
    --walk->left;
    if (!obj_is_dict(field))
        return 0;
    snprintf(name, sizeof name, "%s%s%s", above, *above && *own ? "." : "", own);
    if (obj_has(field, "/FT"))
        is_signature = obj_key_is(field, "/FT", "/Sig");
    if (!has_fields(kids))
        return is_signature ? add_field(walk, name, field, kids) : 0;
    for (int i = 0, n = obj_count(kids); i < n; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);

        if (walk_field(walk, kid, name, is_signature, depth + 1) < 0)
            return -1;
    }
    return 0;
}

int sigfields_read(struct sigfields *fields, qpdf_data q, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    struct walk walk = { .fields = fields, .left = MAX_FIELDS, .err = err };

    *fields = (struct sigfields){ .form = obj_key(root, "/AcroForm") };
    AUTO_OBJ struct obj list = obj_key(fields->form, "/Fields");
    AUTO_OBJ struct obj rendering = obj_key(root, "/NeedsRendering");
    fields->xfa = obj_has(fields->form, "/XFA");
    fields->xfa_only = fields->xfa && !obj_is_null(rendering) &&
                       strcmp(qpdf_oh_unparse_resolved(q, rendering.oh), "true") == 0;
    for (int i = 0, n = obj_count(list); i < n; i++) {
        AUTO_OBJ struct obj field = obj_item(list, i);

        if (walk_field(&walk, field, "", false, 0) < 0) {
            sigfields_free(fields);
            return -1;
        }
    }
    return 0;
}

void sigfields_free(struct sigfields *fields)
{
    for (size_t i = 0; i < fields->n; i++) {
        obj_drop(&fields->items[i].field);
        obj_drop(&fields->items[i].widget);
        obj_drop(&fields->items[i].value);
        free(fields->items[i].name);
    }
    free(fields->items);
    obj_drop(&fields->form);
    *fields = (struct sigfields){ 0 };
}

const struct sigfield *sigfields_find(const struct sigfields *fields, const char *name)
{
    for (size_t i = 0; i < fields->n; i++)
        if (strcmp(fields->items[i].name, name) == 0)
            return &fields->items[i];
    return NULL;
}

void sigfields_new_name(const struct sigfields *fields, char *out, size_t cap)
{
    static const char stem[] = "Signature";
    AUTO_OBJ struct obj list = obj_key(fields->form, "/Fields");
    AUTO_FREE bool *taken = NULL;
    size_t n = (size_t) obj_count(list), number = 1;

    /* One of the first n + 1 numbers is free. */
    taken = calloc(n + 2, sizeof *taken);
    for (size_t i = 0; taken && i < n; i++) {
        AUTO_OBJ struct obj field = obj_item(list, (int) i);
        AUTO_OBJ struct obj text = obj_key(field, "/T");
        const char *name = sigfields_text(text);

        if (strncmp(name, stem, sizeof stem - 1) != 0)
            continue;
        unsigned long k = strtoul(name + sizeof stem - 1, NULL, 10);
        if (k <= n)
            taken[k] = true;
    }
    while (taken && taken[number])
        number++;
    snprintf(out, cap, "%s%zu", stem, taken ? number : n + 1);
}

/* Whether a lock's list has the field, or one above it. */
static bool lists(struct obj names, const char *name)
{
    for (int i = 0, n = obj_count(names); i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(names, i);
        const char *text = sigfields_text(item);
        size_t len = strlen(text);

        if (len > 0 && strncmp(name, text, len) == 0 && (name[len] == 0 || name[len] == '.'))
            return true;
    }
    return false;
}

/* Whether a dictionary with /Action and /Fields (a FieldMDP's parameters, or a /Lock) locks the
 * field. */
static bool locks(struct obj dict, const char *name)
{
    AUTO_OBJ struct obj names = obj_key(dict, "/Fields");

    if (obj_key_is(dict, "/Action", "/Include"))
        return lists(names, name);
    if (obj_key_is(dict, "/Action", "/Exclude"))
        return !lists(names, name);
    return obj_key_is(dict, "/Action", "/All");
}

struct lock {
    long long allows; /* DocMDP's P: 1 nothing, 2 forms, 3 comments too; 0: all */
    bool field;
};

static void restrict_to(struct lock *lock, long long p)
{
    if (p < 1 || p > 3)
        p = 2;
    if (lock->allows == 0 || p < lock->allows)
        lock->allows = p;
}

static void read_references(struct obj value, const char *name, struct lock *lock)
{
    AUTO_OBJ struct obj references = obj_key(value, "/Reference");

    for (int i = 0, n = obj_count(references); i < n && i < MAX_REFS; i++) {
        AUTO_OBJ struct obj reference = obj_item(references, i);
        AUTO_OBJ struct obj params = obj_key(reference, "/TransformParams");
        long long p = 2;

        if (obj_key_is(reference, "/TransformMethod", "/DocMDP")) {
            obj_key_int(params, "/P", &p);
            restrict_to(lock, p);
        } else if (obj_key_is(reference, "/TransformMethod", "/FieldMDP")) {
            lock->field |= locks(params, name);
        }
    }
}

/* What the document's signatures restrict; `name`: the full name of a field. */
static struct lock read_locks(const struct sigfields *fields, qpdf_data q, const char *name)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj permissions = obj_key(root, "/Perms");
    AUTO_OBJ struct obj certification = obj_key(permissions, "/DocMDP");
    struct lock lock = { 0 };

    read_references(certification, name, &lock);
    for (size_t i = 0; i < fields->n; i++) {
        AUTO_OBJ struct obj own = obj_key(fields->items[i].field, "/Lock");
        long long p = 0;

        if (!obj_is_dict(fields->items[i].value))
            continue;
        read_references(fields->items[i].value, name, &lock);
        lock.field |= locks(own, name);
        if (obj_key_int(own, "/P", &p))
            restrict_to(&lock, p);
    }
    return lock;
}

int sigfields_check_locks(const struct sigfields *fields, qpdf_data q, const char *name,
                          bool *certified, struct err *err)
{
    struct lock lock = read_locks(fields, q, name);

    *certified = lock.allows == 2 || lock.allows == 3;
    if (lock.allows == 1)
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "an earlier signature certifies that the document does not change at all: "
                       "another one would break it");
    if (lock.field)
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "an earlier signature locks the form field this one would go into: another "
                       "one would break it");
    return 0;
}

int sigfields_check_annotations(const struct sigfields *fields, qpdf_data q, struct err *err)
{
    struct lock lock = read_locks(fields, q, "");

    if (lock.allows == 1 || lock.allows == 2)
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "an earlier signature certifies that %s: a mark on a page would break it",
                       lock.allows == 1 ? "the document does not change at all"
                                        : "nothing but forms and signatures is changed");
    return 0;
}
