#include "pdf/document/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/object/tree.h"

#define MAX_DEPTH  32
#define MAX_RANGES 500000

static const char *const styles[] = { "/D", "/R", "/r", "/A", "/a" };

static bool add_label(struct labels *labels, long long page, struct obj dict)
{
    struct label_range range = { .page = (size_t) page, .start = 1 };
    AUTO_OBJ struct obj style = obj_key(dict, "/S");
    AUTO_OBJ struct obj prefix = obj_key(dict, "/P");

    if (page < 0 || labels->n >= MAX_RANGES || !obj_is_dict(dict))
        return true;
    for (size_t i = 0; i < COUNT(styles); i++)
        if (obj_name_is(style, styles[i]))
            range.style = styles[i];
    if (!obj_key_int(dict, "/St", &range.start) || range.start < 1 || range.start > 1000000000)
        range.start = 1;
    if (!LIST_ROOM(labels->items, labels->n, labels->cap))
        return false;
    const char *bytes = obj_is_string(prefix) ? obj_bytes(prefix, &range.n_prefix) : "";
    range.prefix = malloc(range.n_prefix + 1);
    if (!range.prefix)
        return false;
    memcpy(range.prefix, bytes, range.n_prefix);
    labels->items[labels->n++] = range;
    return true;
}

static int visit_label(void *arg, struct obj key, struct obj value)
{
    long long page;

    return !obj_is_int(key, &page) || add_label(arg, page, value) ? 0 : -1;
}

static int compare_ranges(const void *x, const void *y)
{
    const struct label_range *a = x, *b = y;

    return (a->page > b->page) - (a->page < b->page);
}

int labels_read(struct labels *labels, qpdf_data q, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj tree = obj_key(root, "/PageLabels");

    *labels = (struct labels){ 0 };
    if (tree_walk(tree, "/Nums", visit_label, labels, err) < 0)
        return pdf_doc_no_memory(err);
    if (labels->n)
        qsort(labels->items, labels->n, sizeof *labels->items, compare_ranges);
    return 0;
}

void labels_free(struct labels *labels)
{
    for (size_t i = 0; i < labels->n; i++)
        free(labels->items[i].prefix);
    free(labels->items);
    *labels = (struct labels){ 0 };
}

static bool append_range(struct labels *labels, const struct label_range *range)
{
    struct label_range copy = *range;

    if (!LIST_ROOM(labels->items, labels->n, labels->cap))
        return false;
    copy.prefix = malloc(range->n_prefix + 1);
    if (!copy.prefix)
        return false;
    if (range->n_prefix)
        memcpy(copy.prefix, range->prefix, range->n_prefix);
    labels->items[labels->n++] = copy;
    return true;
}

int labels_set(struct labels *labels, const struct label_range *range, struct err *err)
{
    static const struct label_range front = { .start = 1, .style = "/r" };

    while (labels->n && labels->items[labels->n - 1].page >= range->page)
        free(labels->items[--labels->n].prefix);
    if (range->page > 0 && labels->n == 0 && !append_range(labels, &front))
        return pdf_doc_no_memory(err);
    return append_range(labels, range) ? 0 : pdf_doc_no_memory(err);
}

/* The range that holds a page; NULL for pages before the first. */
static const struct label_range *range_of(const struct labels *labels, size_t page)
{
    size_t low = 0, high = labels->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (labels->items[mid].page <= page)
            low = mid + 1;
        else
            high = mid;
    }
    return low ? &labels->items[low - 1] : NULL;
}

static struct obj make_label(qpdf_data to, const struct label_range *range, size_t page)
{
    /* Against the rules there may be none for the first pages: readers number them from 1. */
    static const struct label_range plain = { .start = 1, .style = "/D" };
    struct obj dict = obj_new_dict(to);

    range = range ? range : &plain;
    if (range->style) {
        obj_set_name(dict, "/S", range->style);
        obj_set_int(dict, "/St", range->start + (long long) (page - range->page));
    }
    if (range->n_prefix) {
        AUTO_OBJ struct obj prefix = obj_new_string(to, range->prefix, range->n_prefix);
        obj_set(dict, "/P", prefix);
    }
    return dict;
}

void labels_write(const struct labels *labels, qpdf_data to, const size_t *pages, size_t n_pages)
{
    AUTO_OBJ struct obj root = obj_root(to);
    AUTO_OBJ struct obj tree = obj_new_dict(to);
    AUTO_OBJ struct obj pairs = obj_new_array(to);

    if (labels->n == 0)
        return;
    for (size_t i = 0; i < n_pages; i++) {
        const struct label_range *range = range_of(labels, pages[i]);

        if (i && pages[i] == pages[i - 1] + 1 && range == range_of(labels, pages[i - 1]))
            continue;
        AUTO_OBJ struct obj first = obj_new_int(to, (long long) i);
        AUTO_OBJ struct obj dict = make_label(to, range, pages[i]);
        obj_append(pairs, first);
        obj_append(pairs, dict);
    }
    obj_set(tree, "/Nums", pairs);
    obj_set(root, "/PageLabels", tree);
}
