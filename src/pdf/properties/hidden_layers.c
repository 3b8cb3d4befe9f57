#include "pdf/properties/hidden_layers.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/content/operators.h"
#include "pdf/object/idmap.h"
#include "pdf/object/page_view.h"
#include "pdf/properties/layer_state.h"

#define MAX_DEPTH 64

struct layers {
    qpdf_data q;
    struct layer_state state;
    bool all;          /* what is shown belongs to no layer afterwards */
    struct idmap done; /* forms and resources that were cut */
    struct obj *resources;
    size_t n_resources, cap_resources;
    struct err *err;
};

enum mark {
    MARK_OTHER, /* marked content that belongs to no layer */
    MARK_HIDES, /* content of a hidden layer */
    MARK_LAYER, /* content of a layer that is shown, whose marks go */
};

/* Content that is copied without what is painted in hidden layers. What is not painted, such as
 * changes of the graphics state, stays: what comes later may depend on it. */
struct cutter {
    const struct layers *layers;
    struct obj resources;
    const unsigned char *data;
    struct buf out;
    size_t at;   /* copied up to here */
    char *marks; /* an enum mark of each marked content that is open */
    size_t n_marks, cap_marks, hiding;
    struct operators_place place;
};

static enum mark mark_of(const struct cutter *c, const struct operand *operands, size_t n)
{
    AUTO_OBJ struct obj properties = obj_key(c->resources, "/Properties");

    if (n == 0 || operands[0].type != OPERAND_NAME || strcmp(operands[0].bytes, "/OC") != 0)
        return MARK_OTHER;
    if (n > 1 && operands[1].type == OPERAND_NAME) {
        AUTO_OBJ struct obj oc = obj_key(properties, operands[1].bytes);

        if (layer_state_hides(&c->layers->state, oc))
            return MARK_HIDES;
    }
    return c->layers->all ? MARK_LAYER : MARK_OTHER;
}

static bool shows_hidden(const struct cutter *c, const struct operand *operands, size_t n)
{
    AUTO_OBJ struct obj objects = obj_key(c->resources, "/XObject");

    if (n == 0 || operands[0].type != OPERAND_NAME)
        return false;
    AUTO_OBJ struct obj object = obj_key(objects, operands[0].bytes);
    AUTO_OBJ struct obj oc = obj_key(object, "/OC");
    return obj_is_dict(oc) && layer_state_hides(&c->layers->state, oc);
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

static bool begin_mark(struct cutter *c, enum mark mark)
{
    if (!LIST_ROOM(c->marks, c->n_marks, c->cap_marks)) {
        c->out.failed = true;
        return false;
    }
    c->marks[c->n_marks++] = (char) mark;
    c->hiding += mark == MARK_HIDES;
    if (mark != MARK_OTHER && c->layers->all)
        cut(c, "");
    return true;
}

static void end_mark(struct cutter *c)
{
    enum mark mark = (enum mark) c->marks[--c->n_marks];

    c->hiding -= mark == MARK_HIDES;
    if (mark != MARK_OTHER && c->layers->all)
        cut(c, "");
}

static bool on_operator(void *arg, const char *op, const struct operand *operands, size_t n)
{
    struct cutter *c = arg;
    const char *left;

    if (strcmp(op, "BDC") == 0 || strcmp(op, "BMC") == 0)
        return begin_mark(c, *op == 'B' && op[1] == 'D' ? mark_of(c, operands, n) : MARK_OTHER);
    if (strcmp(op, "EMC") == 0 && c->n_marks > 0) {
        end_mark(c);
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

    if (!c) {
        out->failed = true;
        return true;
    }
    c->layers = l;
    c->resources = resources;
    c->data = data;
    read = operators_read_at(data, n, on_operator, c, &c->place);
    changed = c->at > 0;
    if (changed)
        buf_put(&c->out, data + c->at, n - c->at);
    (void) read; /* what comes after damage is kept as it is */
    *out = c->out;
    free(c->marks);
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

/* Forms and patterns. */
static int cut_objects(struct layers *l, struct obj resources, const char *kind, int depth)
{
    AUTO_OBJ struct obj dict = obj_key(resources, kind);
    AUTO_KEYS char **names = obj_keys(dict);

    for (size_t i = 0; names && names[i]; i++) {
        AUTO_OBJ struct obj one = obj_key(dict, names[i]);
        AUTO_OBJ struct obj oc = obj_key(one, "/OC");
        bool image = obj_key_is(one, "/Subtype", "/Image");

        if (obj_is_dict(oc) && layer_state_hides(&l->state, oc))
            continue;
        if (obj_is_stream(one) && !image && cut_form(l, one, resources, depth) < 0)
            return -1;
        if (l->all && obj_is_stream(one))
            obj_remove(one, "/OC");
    }
    return 0;
}

/* The groups of soft masks, and the glyphs of fonts that are content. */
static int cut_inner(struct layers *l, struct obj resources, int depth)
{
    AUTO_OBJ struct obj states = obj_key(resources, "/ExtGState");
    AUTO_OBJ struct obj fonts = obj_key(resources, "/Font");
    AUTO_KEYS char **states_names = obj_keys(states);
    AUTO_KEYS char **fonts_names = obj_keys(fonts);

    for (size_t i = 0; states_names && states_names[i]; i++) {
        AUTO_OBJ struct obj one = obj_key(states, states_names[i]);
        AUTO_OBJ struct obj mask = obj_key(one, "/SMask");
        AUTO_OBJ struct obj group = obj_key(mask, "/G");

        if (obj_is_stream(group) && cut_form(l, group, resources, depth) < 0)
            return -1;
    }
    for (size_t i = 0; fonts_names && fonts_names[i]; i++) {
        AUTO_OBJ struct obj font = obj_key(fonts, fonts_names[i]);
        AUTO_OBJ struct obj own = obj_key(font, "/Resources");
        AUTO_OBJ struct obj glyphs = obj_key(font, "/CharProcs");
        AUTO_KEYS char **names = obj_keys(glyphs);

        for (size_t k = 0; names && names[k]; k++) {
            AUTO_OBJ struct obj glyph = obj_key(glyphs, names[k]);

            if (obj_is_stream(glyph) &&
                cut_form(l, glyph, obj_is_dict(own) ? own : resources, depth) < 0)
                return -1;
        }
        if (obj_is_dict(own) && cut_resources(l, own, depth + 1) < 0)
            return -1;
    }
    return 0;
}

static int cut_resources(struct layers *l, struct obj resources, int depth)
{
    if (depth >= MAX_DEPTH)
        return pdf_doc_too_deep(l->err);
    if (obj_id(resources)) {
        if (idmap_find(&l->done, obj_id(resources)) != IDMAP_NONE)
            return 0;
        if (!idmap_add(&l->done, obj_id(resources), 0))
            return pdf_doc_no_memory(l->err);
    }
    if (cut_objects(l, resources, "/XObject", depth) < 0 ||
        cut_objects(l, resources, "/Pattern", depth) < 0 || cut_inner(l, resources, depth) < 0)
        return -1;
    if (!LIST_ROOM(l->resources, l->n_resources, l->cap_resources))
        return pdf_doc_no_memory(l->err);
    l->resources[l->n_resources++] = obj_same(resources);
    return 0;
}

/* What is shown because a group is hidden that is removed is shown always, afterwards. */
static void release(const struct layers *l, struct obj oc)
{
    if (layer_state_hides(&l->state, oc) || !layer_state_needs_hidden(&l->state, oc))
        return;
    obj_remove(oc, "/OCGs");
    obj_remove(oc, "/VE");
    obj_set_name(oc, "/Type", "/OCMD");
}

/* What no content names any more: objects of hidden layers, and the groups of layers. Only when all
 * content is cut, because pages share their resources. */
static void clear_resources(const struct layers *l, struct obj resources)
{
    AUTO_OBJ struct obj objects = obj_key(resources, "/XObject");
    AUTO_OBJ struct obj groups = obj_key(resources, "/Properties");
    AUTO_KEYS char **names = obj_keys(objects);
    AUTO_KEYS char **marks = obj_keys(groups);

    for (size_t i = 0; names && names[i]; i++) {
        AUTO_OBJ struct obj one = obj_key(objects, names[i]);
        AUTO_OBJ struct obj oc = obj_key(one, "/OC");

        if (obj_is_dict(oc) && layer_state_hides(&l->state, oc))
            obj_remove(objects, names[i]);
        else if (obj_is_dict(oc))
            release(l, oc);
    }
    for (size_t i = 0; marks && marks[i]; i++) {
        AUTO_OBJ struct obj one = obj_key(groups, marks[i]);

        if (!l->all) {
            if (obj_is_dict(one))
                release(l, one);
            continue;
        }
        if (obj_key_is(one, "/Type", "/OCG") || obj_key_is(one, "/Type", "/OCMD"))
            obj_remove(groups, marks[i]);
    }
}

/* The appearances of an annotation: a form, or a dictionary of them, of each kind. */
static int cut_looks(struct layers *l, struct obj looks, int depth)
{
    AUTO_KEYS char **names = obj_is_dict(looks) ? obj_keys(looks) : NULL;

    if (obj_is_stream(looks))
        return cut_form(l, looks, OBJ_NONE, 0);
    for (size_t i = 0; names && names[i] && depth < 2; i++) {
        AUTO_OBJ struct obj one = obj_key(looks, names[i]);

        if (cut_looks(l, one, depth + 1) < 0)
            return -1;
    }
    return 0;
}

static int cut_annots(struct layers *l, struct obj page)
{
    AUTO_OBJ struct obj old = obj_key(page, "/Annots");
    AUTO_OBJ struct obj list = obj_new_array(l->q);
    int n = obj_count(old);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annot = obj_item(old, i);
        AUTO_OBJ struct obj oc = obj_key(annot, "/OC");
        AUTO_OBJ struct obj looks = obj_key(annot, "/AP");

        if (!obj_is_dict(oc) || !layer_state_hides(&l->state, oc)) {
            obj_append(list, annot);
            if (cut_looks(l, looks, 0) < 0)
                return -1;
            if (l->all && obj_is_dict(oc))
                obj_remove(annot, "/OC");
            else if (obj_is_dict(oc))
                release(l, oc);
        } else if (obj_is_indirect(annot)) {
            AUTO_OBJ struct obj null = obj_parse(l->q, "null");
            obj_replace(annot, null);
        }
    }
    if (obj_count(list) < n)
        obj_set(page, "/Annots", list);
    return 0;
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
    if (cut_annots(l, page) < 0)
        return -1;
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
        } else if (!layer_state_hides_group(&l->state, item)) {
            obj_append(out, item);
        }
    }
    return out;
}

static void cut_lists(const struct layers *l, struct obj properties)
{
    static const char *const keys[] = { "/Order", "/Locked", "/RBGroups" };
    static const char *const states[] = { "/BaseState", "/ON", "/OFF", "/AS" };
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

        if (!layer_state_hides_group(&l->state, group))
            continue;
        obj_set(group, "/Name", name);
        obj_remove(group, "/Usage");
    }
    obj_set(properties, "/OCGs", left);
    obj_remove(properties, "/Configs");
    for (size_t i = 0; i < COUNT(states); i++) /* all that are left are shown */
        obj_remove(config, states[i]);
}

static void layers_free(struct layers *l)
{
    for (size_t i = 0; i < l->n_resources; i++)
        obj_drop(&l->resources[i]);
    free(l->resources);
    idmap_free(&l->done);
    layer_state_free(&l->state);
}
#define AUTO_LAYERS __attribute__((cleanup(layers_free)))

static int cut_pages(struct layers *l, struct pdf_doc *doc)
{
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        if (cut_page(l, page) < 0)
            return -1;
    }
    for (size_t i = 0; i < l->n_resources; i++)
        clear_resources(l, l->resources[i]);
    return 0;
}

int hidden_layers_remove(struct pdf_doc *doc, size_t *removed, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj properties = obj_key(root, "/OCProperties");
    AUTO_LAYERS struct layers layers = { .q = doc->q, .err = err };

    if (layer_state_read(&layers.state, properties, err) < 0)
        return -1;
    *removed = layers.state.n_hidden;
    if (*removed == 0)
        return 0;
    if (cut_pages(&layers, doc) < 0)
        return -1;
    cut_lists(&layers, properties);
    return 0;
}

int hidden_layers_flatten(struct pdf_doc *doc, size_t *removed, size_t *kept, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj properties = obj_key(root, "/OCProperties");
    AUTO_LAYERS struct layers layers = { .q = doc->q, .all = true, .err = err };

    if (layer_state_read(&layers.state, properties, err) < 0 ||
        (obj_is_dict(properties) && cut_pages(&layers, doc) < 0))
        return -1;
    *removed = layers.state.n_hidden;
    *kept = layers.state.n - *removed;
    obj_remove(root, "/OCProperties");
    return 0;
}
