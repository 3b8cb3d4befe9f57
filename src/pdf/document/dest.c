#include "pdf/document/dest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/object/tree.h"

#define MAX_DEPTH 32
#define MAX_NAMES 500000

struct fit {
    const char *name;
    int numbers;
};

/* ISO 32000-2, table 149. */
static const struct fit fits[] = {
    { "/XYZ", 3 },  { "/Fit", 0 },  { "/FitH", 1 },  { "/FitV", 1 },
    { "/FitR", 4 }, { "/FitB", 0 }, { "/FitBH", 1 }, { "/FitBV", 1 }
};

/* Adds a number or null. */
static void add_number(char *view, struct obj number)
{
    size_t n = strlen(view);
    double value = 0;

    if (!number.q || !qpdf_oh_get_value_as_number(number.q, number.oh, &value) ||
        !(value > -1e7 && value < 1e7))
        snprintf(view + n, DEST_VIEW - n, " null");
    else if (value == (double) (int) value)
        snprintf(view + n, DEST_VIEW - n, " %d", (int) value);
    else
        snprintf(view + n, DEST_VIEW - n, " %.3f", value);
}

static void read_view(struct obj array, char view[static DEST_VIEW])
{
    AUTO_OBJ struct obj kind = obj_item(array, 1);

    snprintf(view, DEST_VIEW, "/Fit");
    for (size_t i = 0; i < COUNT(fits); i++) {
        if (!obj_name_is(kind, fits[i].name))
            continue;
        snprintf(view, DEST_VIEW, "%s", fits[i].name);
        for (int k = 0; k < fits[i].numbers; k++) {
            AUTO_OBJ struct obj number = obj_item(array, 2 + k);
            add_number(view, number);
        }
        return;
    }
}

/* An array that says its page by reference, or, against the rules, by number. */
static void read_explicit(const struct dest_names *names, struct obj array, struct dest *dest)
{
    AUTO_OBJ struct obj page = obj_item(array, 0);
    long long number;

    if (obj_is_int(page, &number)) {
        if (number >= 0 && number < (long long) names->n_pages)
            dest->page = (size_t) number;
    } else {
        size_t found = idmap_find(names->pages, obj_id(page));
        if (found != IDMAP_NONE)
            dest->page = found;
    }
    read_view(array, dest->view);
}

static int compare_dests(const void *x, const void *y)
{
    const struct dest_name *a = x, *b = y;
    int order = a->old - b->old;

    if (order == 0)
        order = memcmp(a->text, b->text, a->n < b->n ? a->n : b->n);
    return order ? order : (a->n > b->n) - (a->n < b->n);
}

/* The bytes of a string or name, the caller's; NULL if it is neither. The library's own do not
 * outlive the next call. */
static char *copy_bytes(struct obj value, size_t *n)
{
    const char *bytes = obj_bytes(value, n);
    char *copy = bytes ? malloc(*n + 1) : NULL;

    if (copy) {
        memcpy(copy, bytes, *n);
        copy[*n] = '\0';
    }
    return copy;
}

void dest_resolve(const struct dest_names *names, struct obj value, struct dest *dest)
{
    *dest = (struct dest){ .page = DEST_NOWHERE, .name = DEST_NOWHERE };
    if (obj_is_dict(value)) {
        AUTO_OBJ struct obj inner = obj_key(value, "/D");
        read_explicit(names, inner, dest);
    } else if (obj_is_array(value)) {
        read_explicit(names, value, dest);
    } else {
        struct dest_name key = { .old = obj_is_name(value) };
        AUTO_FREE char *text = copy_bytes(value, &key.n);
        struct dest_name *found = NULL;

        key.text = text;
        if (text && names->n)
            found = bsearch(&key, names->items, names->n, sizeof key, compare_dests);
        if (found) {
            dest->page = found->page;
            dest->name = (size_t) (found - names->items);
            memcpy(dest->view, found->view, DEST_VIEW);
        }
    }
}

/* Takes `text` over. */
static bool add_dest(struct dest_names *names, char *text, size_t n, bool old, struct obj value)
{
    AUTO_FREE char *owned = text;
    struct dest dest = { .page = DEST_NOWHERE };

    /* A name cannot stand for another. */
    if (obj_is_dict(value) || obj_is_array(value))
        dest_resolve(names, value, &dest);
    if (!text || dest.page == DEST_NOWHERE || names->n >= MAX_NAMES)
        return text != NULL;
    if (!LIST_ROOM(names->items, names->n, names->cap))
        return false;
    struct dest_name *item = &names->items[names->n++];
    *item = (struct dest_name){ .n = n, .old = old, .page = dest.page };
    memcpy(item->view, dest.view, DEST_VIEW);
    item->text = scope_take_ptr(&owned);
    return true;
}

static int visit_dest(void *arg, struct obj key, struct obj value)
{
    size_t n = 0;
    char *text = obj_is_string(key) ? copy_bytes(key, &n) : NULL;

    return !obj_is_string(key) || add_dest(arg, text, n, false, value) ? 0 : -1;
}

static bool read_old(struct dest_names *names, struct obj dests)
{
    AUTO_KEYS char **keys = obj_keys(dests);

    for (size_t i = 0; keys && keys[i]; i++) {
        AUTO_OBJ struct obj value = obj_key(dests, keys[i]);

        if (!add_dest(names, strdup(keys[i]), strlen(keys[i]), true, value))
            return false;
    }
    return keys != NULL;
}

int dest_names_read(struct dest_names *names, qpdf_data q, const struct idmap *pages,
                    size_t n_pages, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj trees = obj_key(root, "/Names");
    AUTO_OBJ struct obj tree = obj_key(trees, "/Dests");
    AUTO_OBJ struct obj old = obj_key(root, "/Dests");
    size_t n = 0;

    *names = (struct dest_names){ .pages = pages, .n_pages = n_pages };
    if (tree_walk(tree, "/Names", visit_dest, names, err) < 0 || !read_old(names, old))
        return pdf_doc_no_memory(err);
    if (names->n)
        qsort(names->items, names->n, sizeof *names->items, compare_dests);
    for (size_t i = 0; i < names->n; i++) {
        if (n && compare_dests(&names->items[n - 1], &names->items[i]) == 0)
            free(names->items[i].text);
        else
            names->items[n++] = names->items[i];
    }
    names->n = n;
    return 0;
}

void dest_names_free(struct dest_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->items[i].text);
    free(names->items);
    *names = (struct dest_names){ 0 };
}

struct obj dest_array(struct obj page, const char *view)
{
    char text[DEST_VIEW + 16];
    struct obj array;

    snprintf(text, sizeof text, "[null %s]", view);
    array = obj_parse(page.q, text);
    obj_set_item(array, 0, page);
    return array;
}

struct obj dest_value(const struct dest_names *names, const struct dest *dest, struct obj page)
{
    if (dest->name == DEST_NOWHERE)
        return dest_array(page, dest->view);
    const struct dest_name *name = &names->items[dest->name];
    return name->old ? obj_new_name(page.q, name->text)
                     : obj_new_string(page.q, name->text, name->n);
}
