#include "pdf/pages/page_order.h"

#include "base/scope.h"
#include "pdf/document/labels.h"

void page_order_begin(struct pdf_doc *doc)
{
    qpdf_push_inherited_attributes_to_page(doc->q);
}

int page_order_set(struct pdf_doc *doc, const int64_t *ids, const size_t *before, size_t n,
                   struct err *err)
{
    AUTO_LABELS struct labels labels = { 0 };
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj kids = obj_new_array(doc->q);
    AUTO_OBJ struct obj plain = obj_new_dict(doc->q);
    AUTO_OBJ struct obj pages = obj_indirect(plain);

    if (n > PDF_DOC_PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result would have more than %d pages",
                       PDF_DOC_PAGES);
    if (labels_read(&labels, doc->q, err) < 0)
        return -1;
    obj_set_name(pages, "/Type", "/Pages");
    obj_set_int(pages, "/Count", (long long) n);
    for (size_t i = 0; i < n; i++) {
        AUTO_OBJ struct obj page = obj_by_id(doc->q, OBJ_NUMBER(ids[i]), OBJ_GEN(ids[i]));

        obj_set(page, "/Parent", pages);
        obj_append(kids, page);
    }
    obj_set(pages, "/Kids", kids);
    obj_set(root, "/Pages", pages);
    qpdf_update_all_pages_cache(doc->q);
    doc->n_pages = n;
    if (labels.n > 0)
        labels_write(&labels, doc->q, before, n);
    return pdf_doc_check(doc, "order pages", err);
}
