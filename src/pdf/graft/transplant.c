#include "pdf/graft/transplant.h"

#include "base/scope.h"
#include "pdf/graft/graft.h"

static const char *const keys[] = { "/Contents", "/Resources", "/MediaBox", "/CropBox",
                                    "/Rotate",   "/UserUnit",  "/Group" };

/* All that is taken, in one object: what pages share is copied once. */
static struct obj collect_pages(struct pdf_doc *from, const struct transplant *pages, size_t n)
{
    AUTO_OBJ struct obj list = obj_new_array(from->q);

    for (size_t i = 0; i < n; i++) {
        AUTO_OBJ struct obj page = obj_page(from->q, pages[i].from);
        AUTO_OBJ struct obj shown = obj_new_dict(from->q);

        for (size_t k = 0; k < COUNT(keys); k++) {
            AUTO_OBJ struct obj value = obj_key(page, keys[k]);

            if (!obj_is_null(value))
                obj_set(shown, keys[k], value);
        }
        obj_append(list, shown);
    }
    return obj_indirect(list);
}

static void set_page_keys(struct obj page, struct obj shown)
{
    for (size_t k = 0; k < COUNT(keys); k++) {
        AUTO_OBJ struct obj value = obj_key(shown, keys[k]);

        if (obj_is_null(value))
            obj_remove(page, keys[k]);
        else
            obj_set(page, keys[k], value);
    }
}

/* An empty page. */
static int insert(struct pdf_doc *doc, size_t at, struct err *err)
{
    AUTO_OBJ struct obj dict = obj_new_dict(doc->q);
    AUTO_OBJ struct obj type = obj_new_name(doc->q, "/Page");
    AUTO_OBJ struct obj page = { 0 };
    AUTO_OBJ struct obj next = { 0 };
    size_t n = (size_t) qpdf_get_num_pages(doc->q);
    QPDF_ERROR_CODE code;

    obj_set(dict, "/Type", type);
    page = obj_indirect(dict);
    if (at < n) {
        next = obj_page(doc->q, at);
        code = qpdf_add_page_at(doc->q, doc->q, page.oh, QPDF_TRUE, next.oh);
    } else {
        code = qpdf_add_page(doc->q, doc->q, page.oh, QPDF_FALSE);
    }
    return code & (QPDF_ERRORS) ? pdf_doc_check(doc, "pages", err) : 0;
}

int transplant_pages(struct pdf_doc *doc, struct pdf_doc *from, const struct transplant *pages,
                     size_t n, struct err *err)
{
    AUTO_GRAFT struct graft graft = { .from = from->q, .to = doc->q };
    int copy;

    if (qpdf_push_inherited_attributes_to_page(doc->q) & (QPDF_ERRORS))
        return pdf_doc_check(doc, "pages", err);
    if (qpdf_push_inherited_attributes_to_page(from->q) & (QPDF_ERRORS))
        return pdf_doc_check(from, "pages", err);
    copy = graft_copy(&graft, collect_pages(from, pages, n), err);
    if (!copy)
        return -1;
    for (size_t i = 0; i < n; i++) {
        AUTO_OBJ struct obj list = obj_by_id(doc->q, copy, 0);
        AUTO_OBJ struct obj shown = obj_item(list, (int) i);

        if (pages[i].is_new && insert(doc, pages[i].at, err) < 0)
            return -1;
        AUTO_OBJ struct obj page = obj_page(doc->q, pages[i].at);

        set_page_keys(page, shown);
    }
    return 0;
}
