#include "recovery/salvage/promote_inline_objects.h"

#include "recovery/objects/pages.h"
#include "recovery/objects/rebuild.h"

struct lifting {
    struct objects *objects;
    struct err *err;
    uint32_t node;
    struct buf kids; /* as they are to be listed */
    bool found, failed;
};

/* Returns its number, 0 with err filled. parent: its node, 0 for none. */
static uint32_t add_object(struct objects *objects, struct text dict, uint32_t parent,
                           struct err *err)
{
    static const char *const without[] = { "/Parent", NULL }, *const nothing[] = { NULL };
    AUTO_BUF struct buf extra = BUF_EMPTY;
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (parent)
        buf_printf(&extra, "/Parent %u 0 R ", parent);
    dict_write(&text, dict, parent ? without : nothing, text_of(&extra));
    if (!text.failed && !extra.failed)
        return rebuild_add(objects, &text, 0, err);
    err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    return 0;
}

/* The one that counts: of those of the last revision that has any. */
static int lift_catalog(struct objects *objects, struct err *err)
{
    for (size_t i = objects->n_trailers; i-- > 0;) {
        struct text root = dict_find(objects_trailer(objects, i), "/Root");

        if (text_is_dict(root) && dict_has(root, "/Pages"))
            return add_object(objects, root, 0, err) ? 0 : -1;
        if (text_ref(root))
            return 0;
    }
    return 0;
}

static bool belongs(struct text value)
{
    return text_is_dict(value) && (pages_is_page(value) || pages_is_node(value));
}

static bool find_inline(void *arg, struct text value)
{
    struct lifting *l = arg;

    l->found = belongs(value);
    return !l->found;
}

static bool promote_value(void *arg, struct text value)
{
    struct lifting *l = arg;
    uint32_t number;

    if (!belongs(value)) {
        buf_put(&l->kids, value.at, value.n);
        buf_putc(&l->kids, ' ');
        return true;
    }
    number = add_object(l->objects, value, l->node, l->err);
    buf_printf(&l->kids, "%u 0 R ", number);
    l->failed = number == 0;
    return !l->failed;
}

/* Gives an object another value of a key. */
static int change(struct objects *objects, uint32_t number, const char *key,
                  const struct buf *value, struct err *err)
{
    const char *const without[] = { key, NULL };
    AUTO_BUF struct buf extra = BUF_EMPTY;

    buf_printf(&extra, "%s ", key);
    buf_put(&extra, value->data, value->len);
    buf_putc(&extra, ' ');
    return value->failed || extra.failed ||
                   !objects_change(objects, objects_find(objects, number), without, text_of(&extra))
               ? err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory")
               : 0;
}

static int lift_kids(struct objects *objects, uint32_t number, struct text kids, struct err *err)
{
    struct lifting l = { .objects = objects, .err = err, .node = number };
    AUTO_BUF struct buf copy = BUF_EMPTY;
    int done = -1;

    dict_walk_array(kids, find_inline, &l);
    if (!l.found)
        return 0;
    buf_put(&copy, kids.at, kids.n); /* its place moves when objects are added */
    buf_putc(&l.kids, '[');
    if (copy.failed)
        err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    else
        dict_walk_array(text_of(&copy), promote_value, &l);
    buf_putc(&l.kids, ']');
    if (!copy.failed && !l.failed)
        done = change(objects, number, "/Kids", &l.kids, err);
    buf_free(&l.kids);
    return done;
}

static int lift_tree(struct objects *objects, uint32_t number, struct text tree, struct err *err)
{
    AUTO_BUF struct buf copy = BUF_EMPTY;
    AUTO_BUF struct buf ref = BUF_EMPTY;
    uint32_t root;

    buf_put(&copy, tree.at, tree.n);
    root = add_object(objects, text_of(&copy), 0, err);
    buf_printf(&ref, "%u 0 R", root);
    return root ? change(objects, number, "/Pages", &ref, err) : -1;
}

int promote_inline_objects(struct objects *objects, struct err *err)
{
    if (lift_catalog(objects, err) < 0)
        return -1;
    /* Added objects are processed, too: the loop reaches what they contain. */
    for (size_t i = 0; i < objects->n; i++) {
        const struct object *object = &objects->list[i];
        struct text dict = objects_text(objects, object);
        struct text tree = dict_find(dict, "/Pages");

        if (object->dead || object->is_stream)
            continue;
        if (text_is_dict(tree) && pages_is_node(tree) && !dict_has(dict, "/Parent")) {
            if (lift_tree(objects, object->number, tree, err) < 0)
                return -1;
        } else if (pages_is_node(dict) && lift_kids(objects, object->number,
                                                    objects_key(objects, dict, "/Kids"), err) < 0) {
            return -1;
        }
    }
    return 0;
}
