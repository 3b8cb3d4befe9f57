#include "engine/mupdf/page_count.h"

/* depth of nodes: slightly deeper, MuPDF does not find inherited attributes, and fails */
#define MAX_DEPTH 60

struct counter {
    fz_context *ctx;
    struct page_count *count;
    pdf_mark_bits *seen; /* nodes and pages that were visited */
    long long left;      /* pages that may still be counted */
};

static long long count_node(struct counter *c, pdf_obj *node, int depth);

/* Whether MuPDF treats the kid as a node. */
static bool is_node(fz_context *ctx, pdf_obj *kid)
{
    pdf_obj *type = pdf_dict_get(ctx, kid, PDF_NAME(Type));

    if (pdf_is_name(ctx, type))
        return pdf_name_eq(ctx, type, PDF_NAME(Pages));
    return pdf_dict_get(ctx, kid, PDF_NAME(Kids)) && !pdf_dict_get(ctx, kid, PDF_NAME(MediaBox));
}

/* Whether a kid that is not a node looks like a page; MuPDF reads any as one. */
static bool is_page(fz_context *ctx, pdf_obj *kid)
{
    return pdf_name_eq(ctx, pdf_dict_get(ctx, kid, PDF_NAME(Type)), PDF_NAME(Page)) ||
           pdf_dict_get(ctx, kid, PDF_NAME(Contents)) ||
           pdf_dict_get(ctx, kid, PDF_NAME(MediaBox)) ||
           pdf_dict_get(ctx, kid, PDF_NAME(Resources)) || pdf_dict_get(ctx, kid, PDF_NAME(Annots));
}

static void keep_node(struct counter *c, pdf_obj *node);

/* Makes the node that lists a kid its parent: MuPDF looks for inherited attributes there, and fails
 * if the nodes run in a circle. */
static void mend_parent(struct counter *c, pdf_obj *node, pdf_obj *kid)
{
    pdf_obj *parent = pdf_dict_get(c->ctx, kid, PDF_NAME(Parent));

    if (!pdf_is_indirect(c->ctx, node) || pdf_to_num(c->ctx, parent) == pdf_to_num(c->ctx, node))
        return;
    keep_node(c, kid);
    pdf_dict_put(c->ctx, kid, PDF_NAME(Parent), node);
}

/* The number of pages of a kid of `node`, -1 if it must be removed. */
static long long count_kid(struct counter *c, pdf_obj *node, pdf_obj *kid, int depth)
{
    if (!pdf_is_dict(c->ctx, kid))
        return -1;
    bool again = pdf_is_indirect(c->ctx, kid) && pdf_mark_bits_set(c->ctx, c->seen, kid);
    if (!is_node(c->ctx, kid)) {
        if (!is_page(c->ctx, kid))
            c->count->mended = true;
        if (!again) /* a page that is listed twice has one of its nodes as its parent */
            mend_parent(c, node, kid);
        c->left--;
        return 1;
    }
    if (depth > MAX_DEPTH || again)
        return -1;
    mend_parent(c, node, kid);
    return count_node(c, kid, depth);
}

/* Keeps a node that is about to be changed. */
static void keep_node(struct counter *c, pdf_obj *node)
{
    struct page_count *count = c->count;

    count->mended = true;
    if (count->n_nodes == count->cap_nodes) {
        size_t cap = count->cap_nodes ? count->cap_nodes * 2 : 8;

        count->nodes = fz_realloc_array(c->ctx, count->nodes, cap, pdf_obj *);
        count->cap_nodes = cap;
    }
    count->nodes[count->n_nodes++] = pdf_keep_obj(c->ctx, pdf_resolve_indirect(c->ctx, node));
}

static long long count_node(struct counter *c, pdf_obj *node, int depth)
{
    fz_context *ctx = c->ctx;
    pdf_obj *kids = pdf_dict_get(ctx, node, PDF_NAME(Kids));
    pdf_obj *claimed = pdf_dict_get(ctx, node, PDF_NAME(Count));
    int n_kids = pdf_array_len(ctx, kids), good = 0;
    long long pages = 0;

    for (int i = 0; c->left >= 0 && i < n_kids; i++) {
        pdf_obj *kid = pdf_array_get(ctx, kids, i);
        long long n = count_kid(c, node, kid, depth + 1);

        pages += n < 0 ? 0 : n;
        if (n < 0 && good == i)
            keep_node(c, kids);
        if (n >= 0 && good++ < i)
            pdf_array_put(ctx, kids, good - 1, kid);
    }
    while (c->left >= 0 && n_kids > good)
        pdf_array_delete(ctx, kids, --n_kids); /* the last one, so that no other is moved */
    if (c->left >= 0 && pdf_is_array(ctx, kids) &&
        (!pdf_is_int(ctx, claimed) || pdf_to_int64(ctx, claimed) != pages)) {
        keep_node(c, node);
        pdf_dict_put_int(ctx, node, PDF_NAME(Count), pages);
    }
    return pages;
}

void page_count(fz_context *ctx, pdf_document *pdf, size_t max, struct page_count *count)
{
    struct counter c = { .ctx = ctx, .count = count, .left = (long long) max };
    pdf_obj *top = pdf_dict_getp(ctx, pdf_trailer(ctx, pdf), "Root/Pages");

    *count = (struct page_count){ 0 };
    c.seen = pdf_new_mark_bits(ctx, pdf);
    fz_try(ctx)
    {
        pdf_mark_bits_set(ctx, c.seen, top);
        if (pdf_dict_get(ctx, top, PDF_NAME(Parent))) {
            keep_node(&c, top);
            pdf_dict_del(ctx, top, PDF_NAME(Parent));
        }
        count->pages = (size_t) count_node(&c, top, 0);
    }
    fz_always(ctx)
    {
        pdf_drop_mark_bits(ctx, c.seen);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

void page_count_free(fz_context *ctx, struct page_count *count)
{
    for (size_t i = 0; i < count->n_nodes; i++)
        pdf_drop_obj(ctx, count->nodes[i]);
    fz_free(ctx, count->nodes);
    *count = (struct page_count){ 0 };
}
