#include "pdf/pages/page_compose.h"

#include <math.h>
#include <stdlib.h>

#include "base/scope.h"
#include "declare/value/page_list.h"
#include "pdf/object/page_view.h"
#include "pdf/pages/matrix.h"
#include "pdf/pages/page_numbers.h"
#include "pdf/pages/page_stamp.h"

struct stamp {
    size_t page; /* of the other document */
    struct page_view view;
    size_t form; /* in the overlay */
};

static int import_all(struct pdf_doc *doc, struct pdf_doc *other, struct overlay *overlay,
                      const char *list, size_t most, struct stamp **stamps, size_t *n,
                      struct err *err)
{
    AUTO_PAGE_LIST struct page_list pages = { 0 };

    if (page_list_resolve(list ? list : "all", other->n_pages, &pages, err) < 0)
        return -1;
    *n = 0;
    *stamps = calloc(pages.n_pages, sizeof **stamps);
    if (!*stamps)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < pages.n_items; i++)
        for (size_t k = 0; k < pages.items[i].n && *n < most; k++) {
            struct stamp *stamp = &(*stamps)[*n];

            stamp->page = pages.items[i].pages[k];
            if (page_stamp_copy(doc, other, stamp->page, overlay, &stamp->view, &stamp->form, err) <
                0)
                return -1;
            ++*n;
        }
    return 0;
}

/* From the content of the other page to that of this one: as large as it fits, in the middle. */
static void place_stamp(const struct page_view *from, const struct page_view *to, double matrix[6])
{
    double seen[6] = { 1, 0, 0, 1, 0, 0 };
    double scale = fmin(to->width / from->width, to->height / from->height);

    matrix_invert(from->matrix, seen);
    overlay_multiply(seen,
                     (const double[6]){ scale, 0, 0, scale, (to->width - scale * from->width) / 2,
                                        (to->height - scale * from->height) / 2 },
                     matrix);
    overlay_multiply(matrix, to->matrix, matrix);
}

/* A copy of a link to an address; false if it is another annotation. */
static bool copy_link(struct obj annot, struct obj page, const double matrix[6], struct obj *link)
{
    AUTO_OBJ struct obj action = obj_key(annot, "/A");
    AUTO_OBJ struct obj address = obj_key(action, "/URI");
    AUTO_OBJ struct obj rect = obj_key(annot, "/Rect");
    size_t n;
    const char *bytes;
    double box[4];

    if (!obj_key_is(annot, "/Subtype", "/Link") || !obj_key_is(action, "/S", "/URI") ||
        !obj_is_string(address) || !page_numbers_box(rect, box))
        return false;
    matrix_box(matrix, box, box);
    AUTO_OBJ struct obj plain =
        obj_parse(page.q, "<</Type/Annot/Subtype/Link/Border[0 0 0]/F 4/A<</S/URI>>>>");
    AUTO_OBJ struct obj moved = page_numbers_new(page.q, box, 4);
    AUTO_OBJ struct obj to = obj_key(plain, "/A");
    bytes = obj_bytes(address, &n);
    AUTO_OBJ struct obj copied = obj_new_string(page.q, bytes, n);
    obj_set(to, "/URI", copied);
    obj_set(plain, "/Rect", moved);
    obj_set(plain, "/P", page);
    *link = obj_indirect(plain);
    return true;
}

static void copy_links(struct obj from, struct obj page, const double matrix[6], bool *dropped)
{
    AUTO_OBJ struct obj annots = obj_key(from, "/Annots");
    AUTO_OBJ struct obj old = obj_key(page, "/Annots");
    AUTO_OBJ struct obj list = obj_new_array(page.q);
    int n = obj_count(annots);

    if (n == 0)
        return;
    for (int i = 0; i < obj_count(old); i++) {
        AUTO_OBJ struct obj item = obj_item(old, i);

        obj_append(list, item);
    }
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj annot = obj_item(annots, i);
        AUTO_OBJ struct obj link = OBJ_NONE;

        if (copy_link(annot, page, matrix, &link))
            obj_append(list, link);
        else
            *dropped = true;
    }
    obj_set(page, "/Annots", list);
}

static int compose_pages(struct pdf_doc *doc, struct pdf_doc *other, struct overlay *overlay,
                         const struct stamp *stamps, size_t n, const bool *wanted, bool *dropped,
                         struct err *err)
{
    size_t next = 0;

    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        struct page_view view;

        if (!wanted[i])
            continue;
        const struct stamp *stamp = &stamps[next < n ? next++ : n - 1];
        AUTO_OBJ struct obj from = obj_page(other->q, stamp->page);
        struct overlay_mark mark = { .form = stamp->form };

        page_view_read(page, &view);
        place_stamp(&stamp->view, &view, mark.matrix);
        if (overlay_place(overlay, page, &mark, err) < 0)
            return -1;
        copy_links(from, page, mark.matrix, dropped);
    }
    return 0;
}

int page_compose_make(struct pdf_doc *doc, struct pdf_doc *other, struct overlay *overlay,
                      const struct page_operation *op, const bool *wanted, bool *dropped,
                      struct err *err)
{
    AUTO_FREE struct stamp *stamps = NULL;
    size_t n;

    if (import_all(doc, other, overlay, op->source, doc->n_pages, &stamps, &n, err) < 0)
        return -1;
    return compose_pages(doc, other, overlay, stamps, n, wanted, dropped, err);
}
