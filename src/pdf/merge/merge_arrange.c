#include "pdf/merge/merge_arrange.h"

#include <stdlib.h>

#include "base/scope.h"
#include "declare/value/page_list.h"
#include "pdf/extract/part.h"
#include "pdf/object/page_view.h"

static int order_add(struct merge_order *order, size_t page, int turn, struct err *err)
{
    if (order->n == PDF_DOC_PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result would have more than %d pages",
                       PDF_DOC_PAGES);
    if (order->n == order->cap) {
        size_t cap = order->cap ? order->cap * 2 : 64;
        size_t *pages = reallocarray(order->pages, cap, sizeof *pages);
        int *turns = pages ? reallocarray(order->turns, cap, sizeof *turns) : NULL;

        if (pages)
            order->pages = pages;
        if (!turns)
            return merge_no_memory(err);
        order->turns = turns;
        order->cap = cap;
    }
    order->pages[order->n] = page;
    order->turns[order->n++] = turn;
    return 0;
}

int merge_arrange_check(const struct merge *m, struct err *err)
{
    const struct arrangement *a = m->options->arrangement;

    for (size_t i = 0; i < a->n; i++) {
        if (a->items[i].file < m->n_files)
            continue;
        err_set(err, ERR_INVALID_PARAMETER, "there is no file %zu: %zu %s given",
                a->items[i].file + 1, m->n_files, m->n_files == 1 ? "was" : "were");
        return arrangement_blame(a, i, err);
    }
    return 0;
}

bool merge_arrange_uses(const struct merge *m, size_t file)
{
    const struct arrangement *a = m->options->arrangement;

    for (size_t i = 0; i < a->n; i++)
        if (a->items[i].file == file)
            return true;
    return false;
}

static int resolve(const struct merge *m, size_t i, size_t n_pages, struct page_list *list,
                   struct err *err)
{
    const struct arrangement *a = m->options->arrangement;

    if (page_list_resolve(a->items[i].pages, n_pages, list, err) < 0)
        return arrangement_blame(a, i, err);
    if (list->clamped)
        tool_warn(m->run, "page_range_clamped",
                  "a range of arrange goes beyond the last page of file %zu, which is %zu",
                  a->items[i].file + 1, n_pages);
    return 0;
}

int merge_arrange_first(const struct merge *m, size_t file, size_t n_pages, size_t *first,
                        struct err *err)
{
    const struct arrangement *a = m->options->arrangement;

    *first = 0;
    for (size_t i = 0; i < a->n; i++) {
        AUTO_PAGE_LIST struct page_list list = { 0 };

        if (a->items[i].file != file || a->items[i].blank)
            continue;
        if (resolve(m, i, n_pages, &list, err) < 0)
            return -1;
        *first = list.items[0].pages[0];
        return 0;
    }
    return 0;
}

/* Adds an empty page to m->to that looks as large as page `like` when that is turned. */
static int add_blank(struct merge *m, struct merge_order *order, size_t like, int turn,
                     struct err *err)
{
    AUTO_OBJ struct obj model = obj_page(m->to.q, like);
    struct page_view view;
    char text[200];

    page_view_read(model, &view);
    snprintf(text, sizeof text,
             "<</Type/Page/MediaBox[0 0 %.3f %.3f]/Rotate %d/UserUnit %.4f/Resources<<>>>>",
             view.box[2] - view.box[0], view.box[3] - view.box[1], (view.rotation + turn) % 360,
             view.unit);
    AUTO_OBJ struct obj plain = obj_parse(m->to.q, text);
    if (view.unit == 1)
        obj_remove(plain, "/UserUnit");
    AUTO_OBJ struct obj page = obj_indirect(plain);
    if (qpdf_add_page(m->to.q, m->to.q, page.oh, QPDF_FALSE) & (QPDF_ERRORS))
        return pdf_doc_check(&m->to, "add a blank page", err);
    if (m->labelled) {
        AUTO_OBJ struct obj labels = merge_at(m, m->labels);
        AUTO_OBJ struct obj number = obj_new_int(m->to.q, (long long) order->n_source);
        AUTO_OBJ struct obj none = obj_new_dict(m->to.q);

        obj_append(labels, number);
        obj_append(labels, none);
    }
    return order_add(order, order->n_source++, 0, err);
}

static int add_item(struct merge *m, struct merge_order *order, size_t i, struct err *err)
{
    const struct arrangement_item *item = &m->options->arrangement->items[i];
    size_t start = m->starts[item->file], n_pages = m->starts[item->file + 1] - start;
    AUTO_PAGE_LIST struct page_list list = { 0 };

    if (item->blank) {
        size_t before = order->n;
        bool first = before == 0;

        if (n_pages == 0)
            return err_set(err, ERR_PAGE_OUT_OF_RANGE, "file %zu has no page", item->file + 1);
        if (add_blank(m, order, first ? start : order->pages[before - 1],
                      first ? 0 : order->turns[before - 1], err) < 0)
            return -1;
        order->turns[before] = item->turn;
        return 0;
    }
    if (resolve(m, i, n_pages, &list, err) < 0)
        return -1;
    for (size_t k = 0; k < list.n_items; k++)
        for (size_t p = 0; p < list.items[k].n; p++)
            if (order_add(order, start + list.items[k].pages[p], item->turn, err) < 0)
                return -1;
    return 0;
}

static void turn_pages(const struct merge_order *order, struct pdf_doc *out)
{
    for (size_t i = 0; i < order->n; i++) {
        AUTO_OBJ struct obj page = obj_page(out->q, i);

        if (order->turns[i])
            obj_set_int(page, "/Rotate", (page_view_rotation(page) + order->turns[i]) % 360);
    }
}

void merge_order_free(struct merge_order *order)
{
    free(order->pages);
    free(order->turns);
    *order = (struct merge_order){ 0 };
}

int merge_arrange(struct merge *m, struct merge_order *order, struct err *err)
{
    const struct arrangement *a = m->options->arrangement;

    *order = (struct merge_order){ .n_source = (size_t) m->n_pages };
    for (size_t i = 0; i < a->n; i++)
        if (add_item(m, order, i, err) < 0)
            return -1;
    m->to.n_pages = order->n_source;
    return 0;
}

int merge_arrange_save(struct merge *m, const struct merge_order *order, struct err *err)
{
    struct part_source *source = part_source_open(&m->to, PART_REDUCED, err);
    AUTO_PDF_DOC struct pdf_doc out = { 0 };
    int done = -1;

    if (source && part_make(source, order->pages, order->n, &out, err) == 0) {
        turn_pages(order, &out);
        done = pdf_doc_save(&out, m->run->output, NULL, err);
    }
    pdf_doc_close(&out); /* before what it was copied from */
    out = (struct pdf_doc){ 0 };
    part_source_close(source);
    return done;
}
