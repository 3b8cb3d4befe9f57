/* Opens a document, by rebuilding it if it is damaged (pdf/document/doc.h). */
#include "pdf/document/doc.h"

#include "base/scope.h"
#include "pdf/document/recovery.h"

/* Takes what recovery makes of the file, if that is more than `doc` (not open: `opened` < 0). */
static int recover(struct pdf_doc *doc, const char *path, const char *password, int opened,
                   struct err *err)
{
    struct salvage_report report;
    struct pdf_doc recovered;
    struct err failure;

    if (recovery_open(&recovered, path, password, &report, &failure) < 0) {
        /* A password that is missing or wrong is worth saying; else what was wrong first. */
        if (opened < 0 && failure.code != ERR_INTERNAL)
            *err = failure;
        return opened;
    }
    if (opened == 0 && !recovery_must_salvage(&report) && !recovery_is_richer(&recovered, doc)) {
        /* A listed object of another kind may be read as an empty page. */
        if (doc->n_pages >= recovered.n_pages &&
            doc->n_pages <= recovered.n_pages + report.lost_pages)
            doc->lost_pages = report.lost_pages;
        pdf_doc_close(&recovered);
        return 0;
    }
    pdf_doc_close(doc);
    *doc = recovered;
    doc->lost_pages = report.lost_pages;
    doc->update = report.documents > 1 ? UPDATE_DOCUMENTS : UPDATE_WHOLE;
    return 0;
}

/* `opened`: what an attempt to open the file as it is returned. */
static int finish_open(struct pdf_doc *doc, const char *path, const char *password, int opened,
                       struct tool_run *run, struct err *err)
{
    if (opened < 0 ? err->code == ERR_CORRUPT_FILE : doc->repaired)
        opened = recover(doc, path, password, opened, err);
    if (opened < 0)
        return -1;
    doc->run = run;
    pdf_doc_warn(doc);
    return 0;
}

/* Opens the newest whole revision of a file whose last update is cut. 0: nothing is cut. */
static int open_newest(struct pdf_doc *doc, const char *path, const char *password,
                       struct tool_run *run, struct err *err)
{
    AUTO_BUF struct buf newest = BUF_EMPTY;
    enum update_state update;

    *doc = (struct pdf_doc){ 0 };
    if (recovery_newest(path, password, &newest, &update, err) < 0)
        return -1;
    if (update == UPDATE_WHOLE)
        return 0;
    if (pdf_doc_open_memory(doc, &newest, password, err) < 0)
        return err->code == ERR_CORRUPT_FILE ? 0 : -1;
    doc->update = update;
    doc->run = run;
    pdf_doc_warn(doc);
    return 1;
}

int pdf_doc_open(struct pdf_doc *doc, const char *path, const char *password, struct tool_run *run,
                 struct err *err)
{
    int opened = open_newest(doc, path, password, run, err);

    if (opened != 0)
        return opened < 0 ? -1 : 0;
    opened = pdf_doc_open_whole_as_is(doc, path, password, err);

    return finish_open(doc, path, password, opened, run, err);
}

int pdf_doc_open_whole(struct pdf_doc *doc, const char *path, const char *password,
                       struct tool_run *run, struct err *err)
{
    int opened = open_newest(doc, path, password, run, err);

    if (opened != 0)
        return opened < 0 ? -1 : 0;
    opened = pdf_doc_open_whole_as_is(doc, path, password, err);

    return finish_open(doc, path, password, opened, run, err);
}
