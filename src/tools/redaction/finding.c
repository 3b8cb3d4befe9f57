#include "tools/redaction/finding.h"

#include <fcntl.h>

#include "base/buf.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "pdf/document/doc.h"
#include "tools/redaction/name_hits.h"
#include "tools/redaction/removed_words.h"
#include "tools/redaction/undrawn.h"

static void put_counts(struct tool_run *run, const struct redact_hits *hits)
{
    size_t n_pages = 0, last = 0, elsewhere = 0;

    for (size_t i = 0; i < hits->n; i++) {
        elsewhere += hits->items[i].n_quads == 0;
        n_pages += hits->items[i].n_quads > 0 && hits->items[i].page != last;
        last = hits->items[i].page;
    }
    tool_figure(run, "hits", (int64_t) hits->n);
    tool_figure(run, "pagesWithHits", (int64_t) n_pages);
    tool_figure(run, "hitsElsewhere", (int64_t) elsewhere);
}

/* Searches what no page shows. In a document that one of both engines has to mend, the numbers of
 * objects may differ: it is not searched there. */
static int search_undrawn(struct tool_run *run, const struct page_search_options *options,
                          struct redact_hits *hits, struct err *err)
{
    AUTO_MUPDF_DOCUMENT struct mupdf_document shown = { 0 };
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    const char *path = run->inputs[0].path;
    struct err ignored;

    if (pdf_doc_open_strict(&doc, path, options->password, &ignored) < 0 || doc.repaired ||
        mupdf_document_open_as_is(&shown, path, options->password, run, &ignored) < 0 ||
        shown.n_pages != doc.n_pages)
        return 0;
    return undrawn_search(&doc, &shown, &options->wish, hits, err);
}

/* Searches the names that redact changes, by the texts that it removes there. */
static int search_names(struct tool_run *run, const struct finding_params *p,
                        struct redact_hits *hits, struct err *err)
{
    struct redact_words words = { .exact = p->matchCase, .joined = true };
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    struct err failed = { 0 };
    int done = removed_words_add_lines(&words, p->text, p->wholeWords, err);

    for (size_t i = 0; i < hits->n; i++)
        removed_words_add_hit(&words, &hits->items[i], p->wholeWords);
    if (done == 0 && words.n > 0) {
        if (pdf_doc_open_whole(&doc, run->inputs[0].path, p->inputPassword, NULL, &failed) == 0)
            done = name_hits_find(&doc, &words, hits, err);
        else
            tool_warn(run, "not_inspected", "names and keys of the document were not searched: %s",
                      failed.msg);
    }
    redact_words_free(&words);
    return done;
}

int finding_run(struct tool_run *run, const struct finding_params *p,
                const struct picture_reader *reader, struct err *err)
{
    struct page_search_options options = { .password = p->inputPassword,
                                           .pages = p->pages,
                                           .regions = p->regions,
                                           .wish = { .text = p->text,
                                                     .pattern = p->pattern,
                                                     .presets = p->preset,
                                                     .match_case = p->matchCase,
                                                     .whole_words = p->wholeWords } };
    const struct picture_reader_wish seen = { .ocr = p->ocr, .language = p->language };
    AUTO_PICTURE_READER_COPY struct picture_reader_copy copy = { .fd = -1 };
    AUTO_REDACT_HITS struct redact_hits hits = { 0 };
    AUTO_BUF struct buf out = BUF_EMPTY;
    AUTO_CLOSE int fd = -1;
    size_t n_pages;

    if (picture_reader_open(&copy, reader, &seen, run, &options, err) < 0 ||
        page_search_run(run, &options, &hits, &n_pages, err) < 0 ||
        picture_reader_widen(&copy, &hits, 0, err) < 0 ||
        search_undrawn(run, &options, &hits, err) < 0 || search_names(run, p, &hits, err) < 0)
        return -1;
    put_counts(run, &hits);
    buf_printf(&out, "{\"count\":%zu,\"hits\":", hits.n);
    if (redact_hits_write(&hits, &out, err) < 0)
        return -1;
    buf_puts(&out, "}\n");
    if (out.failed)
        return err_sys(err, "hits");
    fd = open(run->output, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return err_sys(err, "result");
    if (fdio_write(fd, out.data, out.len, err) < 0)
        return -1;
    return tool_done(run, n_pages, err);
}
