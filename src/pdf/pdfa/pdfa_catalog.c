#include "pdf/pdfa/pdfa_catalog.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/document/doc.h"

#define NUMBER_MOST   2147483647.0
#define STRING_BYTES  32767
#define NAME_BYTES    127
#define OUTLINE_ITEMS 100000
#define OUTLINE_DEPTH 100

void pdfa_catalog_left(struct buf *left, const char *what)
{
    if (!memmem(left->data, left->len, what, strlen(what)))
        buf_printf(left, "%s%s", left->len ? ", " : "", what);
}

/* An address that is longer than a text may be (6.1.13) is left out with its link. */
static bool is_action(struct obj action)
{
    AUTO_OBJ struct obj address = obj_key(action, "/URI");
    size_t n = 0;

    if (obj_is_string(address))
        obj_bytes(address, &n);
    return n <= STRING_BYTES && !obj_has(action, "/Next") &&
           (obj_key_is(action, "/S", "/URI") || obj_key_is(action, "/S", "/GoTo"));
}

bool pdfa_catalog_is_link(const struct pdfa_walk *walk, struct obj annotation)
{
    AUTO_OBJ struct obj action = obj_key(annotation, "/A");
    AUTO_OBJ struct obj place = obj_key(annotation, "/Dest");

    if (!obj_key_is(annotation, "/Subtype", "/Link") || obj_has(annotation, "/AA") ||
        obj_has(annotation, "/OC") || obj_has(annotation, "/AP"))
        return false;
    if (obj_is_null(action) && obj_is_null(place))
        return walk->kind->printed;
    if (obj_is_null(action))
        /* The places that have names are kept of printed documents only. */
        return obj_is_array(place) ||
               (walk->kind->printed && (obj_is_name(place) || obj_is_string(place)));
    return is_action(action);
}

/* Removes actions from an outline's items, which are chained: a chain that comes back on itself
 * ends. */
static int clean_items(struct pdfa_walk *walk, struct obj parent, struct buf *left, int depth,
                       int *budget)
{
    struct obj item = obj_key(parent, "/First");
    int done = 0;

    while (done == 0 && obj_is_dict(item)) {
        AUTO_OBJ struct obj action = obj_key(item, "/A");
        struct obj next = obj_key(item, "/Next");

        if (--*budget < 0 || depth == OUTLINE_DEPTH)
            done = pdfa_walk_refuse(walk,
                                    "belongs to a document whose outline is too long or too deep");
        if (!obj_is_null(action) && !is_action(action)) {
            pdfa_catalog_left(left, "actions");
            obj_remove(item, "/A");
        }
        if (done == 0 && obj_has(item, "/First"))
            done = clean_items(walk, item, left, depth + 1, budget);
        obj_drop(&item);
        item = next;
    }
    obj_drop(&item);
    return done;
}

static int clean_outline(struct pdfa_walk *walk, struct obj root, struct buf *left)
{
    AUTO_OBJ struct obj outline = obj_key(root, "/Outlines");
    int budget = OUTLINE_ITEMS;

    return clean_items(walk, outline, left, 0, &budget);
}

int pdfa_catalog_clean(struct pdfa_walk *walk, struct buf *left)
{
    static const char kept[] = " /Type /Pages /PageLabels /PageLayout /Lang ";
    static const char of_printed[] =
        " /Outlines /Dests /StructTreeRoot /MarkInfo /ViewerPreferences /PageMode ";
    /* Of what is left out, what is not missed. */
    static const char quiet[] =
        " /Metadata /OutputIntents /Version /Extensions /PieceInfo /MarkInfo "
        "/PageMode /ViewerPreferences ";
    static const struct {
        const char *key, *name;
    } named[] = { { "/Outlines", "the outline" }, { "/Names", "named places and files" },
                  { "/Dests", "named places" },   { "/AcroForm", "the form" },
                  { "/OpenAction", "actions" },   { "/AA", "actions" },
                  { "/StructTreeRoot", "tags" },  { "/OCProperties", "layers" },
                  { "/AF", "attachments" },       { "/Collection", "attachments" } };
    AUTO_OBJ struct obj root = obj_root(walk->q);
    AUTO_KEYS char **keys = obj_keys(root);

    if (!keys)
        return pdf_doc_no_memory(walk->err);
    for (size_t i = 0; keys[i]; i++) {
        AUTO_BUF struct buf word = BUF_EMPTY;
        const char *name = "private data";

        buf_printf(&word, " %s ", keys[i]);
        if (strstr(kept, buf_text(&word)) ||
            (walk->kind->printed && strstr(of_printed, buf_text(&word))))
            continue;
        for (size_t k = 0; k < COUNT(named); k++)
            if (strcmp(keys[i], named[k].key) == 0)
                name = named[k].name;
        if (!strstr(quiet, buf_text(&word)))
            pdfa_catalog_left(left, name);
        obj_remove(root, keys[i]);
    }
    return walk->kind->printed ? clean_outline(walk, root, left) : 0;
}

/* Objects that are still to be checked; the list owns its handles. */
struct pending {
    struct obj *list;
    size_t n, cap;
    bool failed;
};

static void put_pending(struct pending *pending, struct obj obj)
{
    if (pending->n == pending->cap) {
        size_t cap = pending->cap ? pending->cap * 2 : 256;
        struct obj *list = realloc(pending->list, cap * sizeof *list);

        if (!list) {
            pending->failed = true;
            obj_drop(&obj);
            return;
        }
        pending->list = list;
        pending->cap = cap;
    }
    pending->list[pending->n++] = obj;
}

static int check_dict(struct pdfa_walk *walk, struct pending *pending, struct obj dict)
{
    static const char *const never[] = { "/AA", "/AF", "/JS", "/XFA", "/EF" };
    AUTO_KEYS char **keys = obj_keys(dict);

    for (size_t i = 0; i < COUNT(never); i++)
        if (obj_has(dict, never[i]))
            return pdfa_walk_refuse(walk, "belongs to a document with actions or attachments");
    for (size_t i = 0; keys && keys[i]; i++) {
        if (strlen(keys[i]) > NAME_BYTES)
            return pdfa_walk_refuse(walk, "belongs to a document with a name that is too long");
        put_pending(pending, obj_key(dict, keys[i]));
    }
    return keys ? 0 : pdf_doc_no_memory(walk->err);
}

static int check_value(struct pdfa_walk *walk, struct pending *pending, struct obj value)
{
    double number;
    size_t n = 0;

    if (obj_is_string(value) || obj_is_name(value)) {
        obj_bytes(value, &n);
        if (n > (obj_is_string(value) ? STRING_BYTES : NAME_BYTES + 1))
            return pdfa_walk_refuse(walk, "belongs to a document with a text that is too long");
    }
    if (obj_is_number(value, &number) && !(fabs(number) <= NUMBER_MOST))
        return pdfa_walk_refuse(walk, "belongs to a document with numbers that are too large");
    for (int i = 0; i < obj_count(value); i++)
        put_pending(pending, obj_item(value, i));
    if (obj_is_stream(value)) {
        AUTO_OBJ struct obj dict = obj_dict(value);

        return check_dict(walk, pending, dict);
    }
    return obj_is_dict(value) ? check_dict(walk, pending, value) : 0;
}

int pdfa_catalog_check_values(struct pdfa_walk *walk)
{
    AUTO_KEY_MAP struct key_map seen = { 0 };
    struct pending pending = { 0 };
    int done = 0;

    put_pending(&pending, obj_root(walk->q));
    while (done == 0 && pending.n > 0) {
        AUTO_OBJ struct obj value = pending.list[--pending.n];

        if (!obj_is_indirect(value) || key_map_add_id(&seen, obj_id(value)))
            done = check_value(walk, &pending, value);
    }
    if (done == 0 && (pending.failed || seen.failed))
        done = pdf_doc_no_memory(walk->err);
    for (size_t i = 0; i < pending.n; i++)
        obj_drop(&pending.list[i]);
    free(pending.list);
    return done;
}
