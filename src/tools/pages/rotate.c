/* rotate: turns pages, clockwise. */
#include "declare/tool/tool.h"
#include "declare/value/page_list.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"
#include "pdf/object/obj.h"
#include "pdf/object/page_view.h"

struct params {
    int64_t degrees;
    const char *pages;
    bool absolute;
    const char *inputPassword;
};

static const struct param params[] = {
    INT(struct params, degrees, "How far to turn, clockwise: a multiple of 90.", .required = true,
        .min = -360, .max = 360, .step = 90),
    PAGES(struct params, pages, "Which pages to turn.", .preset = "all"),
    BOOL(struct params, absolute, "Whether degrees replace what the page has, and are not added.",
         .preset = "false"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static void turn(struct pdf_doc *doc, size_t index, const struct params *p)
{
    AUTO_OBJ struct obj page = obj_page(doc->q, index);
    int degrees = (int) p->degrees;

    if (!p->absolute)
        degrees += page_view_rotation(page);
    obj_set_int(page, "/Rotate", (degrees + 720) % 360);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_PAGE_LIST struct page_list list = { 0 };
    AUTO_FREE bool *wanted = NULL;

    if (pdf_doc_open(&doc, run->inputs[0].path, p->inputPassword, run, err) < 0 ||
        page_list_resolve(p->pages, doc.n_pages, &list, err) < 0)
        return -1;
    if (list.clamped)
        tool_warn(run, "page_range_clamped",
                  "the page list goes beyond the last page, which is %zu", doc.n_pages);
    wanted = page_list_map(&list, doc.n_pages, err);
    if (!wanted)
        return -1;
    unsign_document(&doc);
    for (size_t i = 0; i < doc.n_pages; i++) {
        if (wanted[i])
            turn(&doc, i, p);
        tool_progress(run, 0.5 * (double) i / (double) doc.n_pages);
    }
    if (pdf_doc_save(&doc, run->output, NULL, err) < 0)
        return -1;
    return tool_done(run, doc.n_pages, err);
}

const struct tool tool_rotate = {
    .name = "rotate",
    .summary = "Turns all or some pages of a PDF.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
