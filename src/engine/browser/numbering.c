#include "engine/browser/numbering.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/scope.h"
#include "pdf/document/dest.h"
#include "pdf/document/doc.h"

static json_t *read_names(struct pdf_doc *doc, struct err *err)
{
    AUTO_IDMAP struct idmap pages = { 0 };
    struct dest_names names = { 0 };
    json_t *out = json_object();
    bool ok = out != NULL;

    for (size_t i = 0; i < doc->n_pages && ok; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);

        ok = idmap_add(&pages, obj_id(page), i);
    }
    int done =
        ok ? dest_names_read(&names, doc->q, &pages, doc->n_pages, err) : pdf_doc_no_memory(err);
    for (size_t i = 0; i < names.n && done == 0; i++) {
        const struct dest_name *one = &names.items[i];
        size_t slash = one->old && one->n;
        json_t *name = json_stringn(one->text + slash, one->n - slash);

        /* A name that is not UTF-8 is not one of the article's. */
        if (name && one->page != DEST_NOWHERE &&
            json_object_set_new(out, json_string_value(name),
                                json_integer((json_int_t) one->page + 1)) < 0)
            done = pdf_doc_no_memory(err);
        json_decref(name);
    }
    dest_names_free(&names);
    if (done == 0)
        return out;
    json_decref(out);
    return NULL;
}

json_t *numbering_read(const char *path, size_t *n_pages, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    *n_pages = 0;
    if (pdf_doc_open_whole(&doc, path, NULL, NULL, err) < 0)
        return NULL;
    *n_pages = doc.n_pages;
    return read_names(&doc, err);
}

/* Names of destinations are fragments of addresses, which are escaped, as those of the links are.
 */
#define WRITE                                                                                      \
    "(() => { const plain = (one) => { try { return decodeURIComponent(one) } catch { return one " \
    "} };"                                                                                         \
    "const pages = new Map(Object.entries(%s).map(([name, page]) => [plain(name), page]));"        \
    "for (const mark of document.querySelectorAll('nav.contents a > .page'))"                      \
    "mark.textContent = pages.get(plain(mark.parentNode.hash.slice(1))) ?? '';"                    \
    "return 1 })()"

int numbering_write(struct page *page, const json_t *pages, struct err *err)
{
    AUTO_BUF struct buf expression = BUF_EMPTY;
    AUTO_FREE char *text = pages ? json_dumps(pages, JSON_ENSURE_ASCII) : NULL;
    json_t *value;

    if (pages && !text)
        return pdf_doc_no_memory(err);
    buf_printf(&expression, WRITE, text ? text : "{}");
    if (expression.failed)
        return pdf_doc_no_memory(err);
    value = page_evaluate(page, buf_text(&expression), err);
    json_decref(value);
    return value ? 0 : -1;
}
