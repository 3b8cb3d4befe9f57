/*
 * page-sizes: how large the pages of a document are, as they are shown. The server's own
 * (server/api_submit/strips.h), which reads a line
 *
 *     PAGES ENCRYPTED
 *
 * where ENCRYPTED is 0 or 1, then a line WIDTH HEIGHT COUNT, in points, for each run of equal
 * pages.
 */
#include <fcntl.h>

#include "base/fdio.h"
#include "declare/tool/tool.h"
#include "pdf/document/doc.h"
#include "pdf/object/page_view.h"

struct params {
    const char *inputPassword;
};

static const struct param params[] = {
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

struct run_of {
    double width, height;
    size_t n;
};

static void put_run(struct buf *lines, const struct run_of *of)
{
    if (of->n)
        buf_printf(lines, "%.2f %.2f %zu\n", of->width, of->height, of->n);
}

static void put_pages(struct pdf_doc *doc, struct buf *lines)
{
    struct run_of now = { 0 };

    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        struct page_view view;

        page_view_read(page, &view);
        if (now.n && (view.width > now.width || view.width < now.width ||
                      view.height > now.height || view.height < now.height)) {
            put_run(lines, &now);
            now.n = 0;
        }
        now = (struct run_of){ view.width, view.height, now.n + 1 };
    }
    put_run(lines, &now);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_BUF struct buf lines = BUF_EMPTY;
    AUTO_CLOSE int fd = open(run->output, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "result");
    if (pdf_doc_open(&doc, run->inputs[0].path, p->inputPassword, run, err) < 0)
        return -1;
    buf_printf(&lines, "%zu %d\n", doc.n_pages, doc.encrypted);
    put_pages(&doc, &lines);
    if (lines.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs more memory than a job has");
    if (fdio_write(fd, lines.data, lines.len, err) < 0)
        return -1;
    return tool_done(run, 0, err);
}

const struct tool tool_page_sizes = {
    .name = "page-sizes",
    .summary = "Tells how large pages are, for a browser.",
    .accepts = { "pdf" },
    .gives = "text",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .hidden = true,
};
