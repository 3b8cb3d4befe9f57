/* Page labels (ISO 32000-1, 12.4.2): each file keeps its own, and counts from its own first page.
 */
#include "pdf/merge/merge_part.h"
#include "pdf/object/tree.h"

struct adding {
    struct obj out;
    long long last, n_pages;
};

/* Labels that are out of order or beyond the last page are no labels. */
static int add_label(void *arg, struct obj key, struct obj value)
{
    struct adding *t = arg;
    long long page;

    if (!obj_is_int(key, &page) || page <= t->last || page >= t->n_pages || !obj_is_dict(value))
        return 0;
    t->last = page;
    obj_append(t->out, key);
    obj_append(t->out, value);
    return 0;
}

static int read_labels(struct merge *m, struct merge_source *s, struct err *err)
{
    struct adding t = { merge_put_array(s, "/PageLabels"), -1, (long long) s->doc.n_pages };

    (void) m;
    return tree_walk(obj_key(obj_root(s->doc.q), "/PageLabels"), "/Nums", add_label, &t, err);
}

static void append_label(struct merge *m, int64_t page, struct obj label)
{
    struct obj labels = merge_at(m, m->labels);

    obj_append(labels, obj_new_int(m->to.q, page));
    obj_append(labels, label);
}

static int join_labels(struct merge *m, struct merge_source *s, struct err *err)
{
    struct obj taken = obj_key(s->in, "/PageLabels");
    int n = obj_count(taken);
    long long page = 0;

    (void) err;
    if (n > 0)
        m->labelled = true;
    if (n == 0 || !obj_is_int(obj_item(taken, 0), &page) || page > 0)
        append_label(m, m->n_pages, obj_parse(m->to.q, "<< /S /D >>"));
    for (int i = 0; i + 1 < n; i += 2)
        if (obj_is_int(obj_item(taken, i), &page))
            append_label(m, m->n_pages + page, obj_item(taken, i + 1));
    return 0;
}

static void give_pair(void *arg, size_t i, struct obj *key, struct obj *value)
{
    const struct obj *labels = arg;

    *key = obj_item(*labels, (int) (2 * i));
    *value = obj_item(*labels, (int) (2 * i + 1));
}

static int finish_labels(struct merge *m, struct err *err)
{
    struct obj labels = merge_at(m, m->labels);

    (void) err;
    if (m->labelled)
        obj_set(obj_root(m->to.q), "/PageLabels",
                tree_build(m->to.q, "/Nums", (size_t) obj_count(labels) / 2, give_pair, &labels));
    return 0;
}

const struct merge_part merge_labels = { read_labels, join_labels, finish_labels };
