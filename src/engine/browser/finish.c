#include "engine/browser/finish.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/page_list.h"
#include "engine/browser/tag_names.h"
#include "pdf/document/doc.h"
#include "pdf/extract/part.h"
#include "pdf/object/obj.h"
#include "pdf/pdfa/pdfa.h"

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

static int save_archive(struct tool_run *run, struct pdf_doc *doc, const struct pdfa_kind *kind,
                        struct err *err)
{
    static const struct pdf_save archive = { .same_id = true, .archive = true };
    AUTO_BUF struct buf left = BUF_EMPTY;

    if (pdfa_make(doc, kind, &left, err) < 0 || pdf_doc_save(doc, run->output, &archive, err) < 0 ||
        pdfa_verify(run->output, kind, err) < 0)
        return -1;
    if (left.len)
        tool_warn(run, "not_in_archive",
                  "are not in the PDF/A, which has no place for them or where they are not "
                  "checked: %.120s",
                  buf_text(&left));
    return 0;
}

static int save(struct tool_run *run, struct pdf_doc *doc, const struct pdfa_kind *kind,
                struct err *err)
{
    static const struct pdf_save plain = { .same_id = true };
    size_t pages = doc->n_pages;

    remove_dates(doc);
    if (tag_names_settle(doc, err) < 0)
        return -1;
    if ((kind ? save_archive(run, doc, kind, err) : pdf_doc_save(doc, run->output, &plain, err)) <
        0)
        return -1;
    return tool_done(run, pages, err);
}

static int save_some(struct tool_run *run, struct pdf_doc *doc, const char *pages,
                     const struct pdfa_kind *kind, struct err *err)
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
            done = save(run, &part, kind, err);
    }
    part_source_close(source);
    return done;
}

int finish_pdf(struct tool_run *run, const char *from, const char *pages, const char *pdfa,
               struct err *err)
{
    const struct pdfa_kind kind = { .printed = true,
                                    .unicode = strcmp(pdfa, "2u") == 0,
                                    .field = "pdfa",
                                    .advice = strcmp(pdfa, "2u") == 0
                                                  ? "send pdfa=2b, or pdfa=none for a document "
                                                    "that does not claim it"
                                                  : "send pdfa=none for a document that does not "
                                                    "claim it" };
    const struct pdfa_kind *wanted = strcmp(pdfa, "none") == 0 ? NULL : &kind;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (pdf_doc_open_whole(&doc, from, NULL, NULL, err) < 0)
        return -1;
    if (doc.n_pages > PAGES)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result has more than %d pages", PAGES);
    return pages ? save_some(run, &doc, pages, wanted, err) : save(run, &doc, wanted, err);
}
