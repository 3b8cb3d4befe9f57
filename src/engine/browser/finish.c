#include "engine/browser/finish.h"

#include <stdlib.h>

#include "base/scope.h"
#include "declare/value/page_list.h"
#include "pdf/document/doc.h"
#include "pdf/extract/part.h"
#include "pdf/object/obj.h"

#define PAGES 5000 /* limit of the pages of one result */

/* Also the identifier, which Chromium makes of the time. */
static void remove_dates(struct pdf_doc *doc)
{
    static const char *const keys[] = { "/CreationDate", "/ModDate", "/Creator" };
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_OBJ struct obj info = obj_key(trailer, "/Info");

    for (size_t i = 0; i < COUNT(keys); i++)
        if (obj_is_dict(info))
            obj_remove(info, keys[i]);
    obj_remove(trailer, "/ID");
}

static int save(struct tool_run *run, struct pdf_doc *doc, struct err *err)
{
    static const struct pdf_save plain = { .same_id = true };
    size_t pages = doc->n_pages;

    remove_dates(doc);
    return pdf_doc_save(doc, run->output, &plain, err) < 0 ? -1 : tool_done(run, pages, err);
}

static int save_some(struct tool_run *run, struct pdf_doc *doc, const char *pages, struct err *err)
{
    AUTO_PAGE_LIST struct page_list list = { 0 };
    struct part_source *source;
    AUTO_FREE size_t *kept = NULL;
    size_t n = 0;
    int done = -1;

    if (page_list_resolve(pages, doc->n_pages, &list, err) < 0)
        return -1;
    if (list.clamped)
        tool_warn(run, "page_range_clamped",
                  "the page list goes beyond the last page, which is %zu", doc->n_pages);
    kept = calloc(list.n_pages + 1, sizeof *kept);
    source = kept ? part_source_open(doc, PART_REDUCED, err) : NULL;
    if (!source)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < list.n_items; i++)
        for (size_t k = 0; k < list.items[i].n; k++)
            kept[n++] = list.items[i].pages[k];
    {
        AUTO_PDF_DOC struct pdf_doc part = { 0 };

        if (part_make(source, kept, n, &part, err) == 0)
            done = save(run, &part, err);
    }
    part_source_close(source);
    return done;
}

int finish_pdf(struct tool_run *run, const char *from, const char *pages, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (pdf_doc_open_whole(&doc, from, NULL, NULL, err) < 0)
        return -1;
    if (doc.n_pages > PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result has more than %d pages", PAGES);
    return pages ? save_some(run, &doc, pages, err) : save(run, &doc, err);
}
