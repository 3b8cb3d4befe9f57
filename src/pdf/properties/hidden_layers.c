#include "pdf/properties/hidden_layers.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/content/operators.h"
#include "pdf/object/idmap.h"
#include "pdf/object/page_view.h"

#define MAX_DEPTH  64
#define MAX_MARKED 1024 /* marked content in one another */

struct layers {
    qpdf_data q;
    struct idmap hidden; /* ids of groups that are not shown */
    struct idmap done;   /* forms that were cut */
    struct err *err;
};

static bool is_group_hidden(const struct layers *l, struct obj group)
{
    return obj_id(group) && idmap_find(&l->hidden, obj_id(group)) != IDMAP_NONE;
}

/* Whether a group, or a membership dictionary (8.11.2.2), is not shown. */
static bool is_hidden(const struct layers *l, struct obj oc)
{
    AUTO_OBJ struct obj groups = obj_key(oc, "/OCGs");
    int n = obj_count(groups), hidden = 0;

    if (!obj_key_is(oc, "/Type", "/OCMD"))
        return is_group_hidden(l, oc);
    if (obj_is_dict(groups))
        return is_group_hidden(l, groups) !=
               (obj_key_is(oc, "/P", "/AllOff") || obj_key_is(oc, "/P", "/AnyOff"));
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj group = obj_item(groups, i);

        hidden += is_group_hidden(l, group);
    }
    if (n == 0)
        return false;
    return obj_key_is(oc, "/P", "/AllOn")    ? hidden > 0
           : obj_key_is(oc, "/P", "/AnyOff") ? hidden == 0
           : obj_key_is(oc, "/P", "/AllOff") ? hidden < n
                                             : hidden == n;
}

/* Content that is copied without what is painted in hidden layers. What is not painted, such as
 * changes of the graphics state, stays: what comes later may depend on it. */
struct cutter {
    const struct layers *layers;
    struct obj resources;
    const unsigned char *data;
    struct buf out;
    size_t at;              /* copied up to here */
    bool marks[MAX_MARKED]; /* of each marked content: whether it is the one that hides */
    size_t n_marks, hiding;
    struct operators_place place;
};

static bool hides(const struct cutter *c, const struct operand *operands, size_t n)
{
    AUTO_OBJ struct obj properties = obj_key(c->resources, "/Properties");

    if (n < 2 || operands[0].type != OPERAND_NAME || strcmp(operands[0].bytes, "/OC") != 0 ||
        operands[1].type != OPERAND_NAME)
        return false;
    AUTO_OBJ struct obj oc = obj_key(properties, operands[1].bytes);
    return is_hidden(c->layers, oc);
}

static bool shows_hidden(const struct cutter *c, const struct operand *operands, size_t n)
{
    AUTO_OBJ struct obj objects = obj_key(c->resources, "/XObject");

    if (n == 0 || operands[0].type != OPERAND_NAME)
        return false;
    AUTO_OBJ struct obj object = obj_key(objects, operands[0].bytes);
    AUTO_OBJ struct obj oc = obj_key(object, "/OC");
    return obj_is_dict(oc) && is_hidden(c->layers, oc);
}

static void cut(struct cutter *c, const char *instead)
{
    buf_put(&c->out, c->data + c->at, c->place.begin - c->at);
    buf_putc(&c->out, ' ');
    buf_puts(&c->out, instead);
    buf_putc(&c->out, ' ');
    c->at = c->place.end;
}

/* What is left of an operator that paints; NULL for one that does not. */
static const char *unpainted(const char *op)
{
    static const char *const painting[] = { "S",  "s",  "f",  "F",  "f*", "B",  "B*", "b",
                                            "b*", "Tj", "TJ", "Do", "sh", "EI", "'",  "\"" };
    static const char *const left[] = { "n", "n", "n", "n", "n", "n", "n",  "n",
                                        "n", "",  "",  "",  "",  "",  "T*", "T*" };

    for (size_t i = 0; i < COUNT(painting); i++)
        if (strcmp(op, painting[i]) == 0)
            return left[i];
    return NULL;
}

static bool on_operator(void *arg, const char *op, const struct operand *operands, size_t n)
{
    struct cutter *c = arg;
    const char *left;

    if (strcmp(op, "BDC") == 0 || strcmp(op, "BMC") == 0) {
        bool hiding = strcmp(op, "BDC") == 0 && hides(c, operands, n);

        if (c->n_marks >= MAX_MARKED)
            return false;
        c->marks[c->n_marks++] = hiding;
        c->hiding += hiding;
    } else if (strcmp(op, "EMC") == 0 && c->n_marks > 0) {
        c->hiding -= c->marks[--c->n_marks];
    } else if (c->hiding > 0) {
        left = unpainted(op);
        if (left)
            cut(c, left);
    } else if (strcmp(op, "Do") == 0 && shows_hidden(c, operands, n)) {
        cut(c, "");
    }
    return !c->out.failed;
}

/* Cuts content; false if nothing of it is hidden, or it cannot be read to its end. */
static bool cut_content(const struct layers *l, struct obj resources, const unsigned char *data,
                        size_t n, struct buf *out)
{
    struct cutter *c = calloc(1, sizeof *c);
    bool read, changed;

    if (!c)
        return false;
    c->layers = l;
    c->resources = resources;
    c->data = data;
    read = operators_read_at(data, n, on_operator, c, &c->place);
    changed = c->at > 0;
    if (changed)
        buf_put(&c->out, data + c->at, n - c->at);
    (void) read; /* what comes after damage is kept as it is */
    *out = c->out;
    free(c);
    return changed;
}

static int cut_resources(struct layers *l, struct obj resources, int depth);

static int cut_form(struct layers *l, struct obj form, struct obj above, int depth)
{
    AUTO_OBJ struct obj own = obj_key(form, "/Resources");
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf out = BUF_EMPTY;
    size_t n;

    if (!obj_id(form) || idmap_find(&l->done, obj_id(form)) != IDMAP_NONE)
        return 0;
    if (!idmap_add(&l->done, obj_id(form), 0))
        return pdf_doc_no_memory(l->err);
    if (obj_stream_data(form, &data, &n) &&
        cut_content(l, obj_is_dict(own) ? own : above, data, n, &out)) {
        if (out.failed)
            return pdf_doc_no_memory(l->err);
        obj_remove(form, "/Filter");
        obj_remove(form, "/DecodeParms");
        obj_set_stream(form, buf_text(&out), out.len);
    }
    return obj_is_dict(own) ? cut_resources(l, own, depth + 1) : 0;
}

/* Forms and patterns, and objects of hidden layers, which no content shows any more. */
static int cut_resources(struct layers *l, struct obj resources, int depth)
{
    static const char *const kinds[] = { "/XObject", "/Pattern" };

    for (size_t k = 0; k < COUNT(kinds) && depth < MAX_DEPTH; k++) {
        AUTO_OBJ struct obj dict = obj_key(resources, kinds[k]);
        AUTO_KEYS char **names = obj_keys(dict);

        for (size_t i = 0; names && names[i]; i++) {
            AUTO_OBJ struct obj one = obj_key(dict, names[i]);
            AUTO_OBJ struct obj oc = obj_key(one, "/OC");
            bool image = obj_key_is(one, "/Subtype", "/Image");

            if (obj_is_dict(oc) && is_hidden(l, oc))
                obj_remove(dict, names[i]);
            else if (obj_is_stream(one) && !image && cut_form(l, one, resources, depth) < 0)
                return -1;
        }
    }
    return 0;
}

static void cut_annots(const struct layers *l, struct obj page)
{
    AUTO_OBJ struct obj old = obj_key(page, "/Annots");
    AUTO_OBJ struct obj list = obj_new_array(l->q);
    int n = obj_count(old);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annot = obj_item(old, i);
        AUTO_OBJ struct obj oc = obj_key(annot, "/OC");

        if (!obj_is_dict(oc) || !is_hidden(l, oc)) {
            obj_append(list, annot);
        } else if (obj_is_indirect(annot)) {
            AUTO_OBJ struct obj null = obj_parse(l->q, "null");
            obj_replace(annot, null);
        }
    }
    if (obj_count(list) < n)
        obj_set(page, "/Annots", list);
}

static int cut_page(struct layers *l, struct obj page)
{
    AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", NULL);
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf out = BUF_EMPTY;
    size_t n;

    if (obj_page_content(page, &data, &n) && cut_content(l, resources, data, n, &out)) {
        if (out.failed)
            return pdf_doc_no_memory(l->err);
        AUTO_OBJ struct obj stream = obj_new_stream(l->q, buf_text(&out), out.len);
        obj_set(page, "/Contents", stream);
    }
    cut_annots(l, page);
    return cut_resources(l, resources, 0);
}

/* Removes the hidden groups from the lists of the document's layers. */
static struct obj without_hidden(const struct layers *l, struct obj list, int depth)
{
    struct obj out = obj_new_array(l->q);
    int n = depth < MAX_DEPTH ? obj_count(list) : 0;

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(list, i);

        if (obj_is_array(item)) {
            AUTO_OBJ struct obj inner = without_hidden(l, item, depth + 1);
            obj_append(out, inner);
        } else if (!is_group_hidden(l, item)) {
            obj_append(out, item);
        }
    }
    return out;
}

static void cut_lists(const struct layers *l, struct obj properties)
{
    static const char *const keys[] = { "/Order", "/ON", "/OFF", "/Locked", "/RBGroups" };
    AUTO_OBJ struct obj config = obj_key(properties, "/D");
    AUTO_OBJ struct obj groups = obj_key(properties, "/OCGs");
    AUTO_OBJ struct obj left = without_hidden(l, groups, 0);

    for (size_t i = 0; i < COUNT(keys); i++) {
        AUTO_OBJ struct obj list = obj_key(config, keys[i]);

        if (!obj_is_array(list))
            continue;
        AUTO_OBJ struct obj rest = without_hidden(l, list, 0);
        obj_set(config, keys[i], rest);
    }
    /* Content still names the groups, whose names may say what was in them. */
    for (int i = 0; i < obj_count(groups); i++) {
        AUTO_OBJ struct obj group = obj_item(groups, i);
        AUTO_OBJ struct obj name = obj_new_string(l->q, "", 0);

        if (!is_group_hidden(l, group))
            continue;
        obj_set(group, "/Name", name);
        obj_remove(group, "/Usage");
    }
    obj_set(properties, "/OCGs", left);
    obj_remove(properties, "/Configs");
    obj_remove(config, "/AS");
}

/* The groups that are off at first. */
static int find_hidden(struct layers *l, struct obj properties, size_t *n_hidden)
{
    AUTO_OBJ struct obj config = obj_key(properties, "/D");
    AUTO_OBJ struct obj groups = obj_key(properties, "/OCGs");
    bool base_off = obj_key_is(config, "/BaseState", "/OFF");
    AUTO_OBJ struct obj list = obj_key(config, base_off ? "/ON" : "/OFF");
    AUTO_IDMAP struct idmap listed = { 0 };

    for (int i = 0; i < obj_count(list); i++) {
        AUTO_OBJ struct obj group = obj_item(list, i);

        if (obj_id(group) && !idmap_add(&listed, obj_id(group), 0))
            return pdf_doc_no_memory(l->err);
    }
    for (int i = 0; i < obj_count(groups); i++) {
        AUTO_OBJ struct obj group = obj_item(groups, i);
        bool in = obj_id(group) && idmap_find(&listed, obj_id(group)) != IDMAP_NONE;

        if (!obj_id(group) || in == base_off)
            continue;
        if (!idmap_add(&l->hidden, obj_id(group), 0))
            return pdf_doc_no_memory(l->err);
        ++*n_hidden;
    }
    return 0;
}

int hidden_layers_remove(struct pdf_doc *doc, size_t *removed, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj properties = obj_key(root, "/OCProperties");
    struct layers layers = { .q = doc->q, .err = err };
    int done;

    *removed = 0;
    done = find_hidden(&layers, properties, removed);
    for (size_t i = 0; i < doc->n_pages && done == 0 && *removed > 0; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        done = cut_page(&layers, page);
    }
    if (done == 0 && *removed > 0)
        cut_lists(&layers, properties);
    idmap_free(&layers.hidden);
    idmap_free(&layers.done);
    return done;
}
