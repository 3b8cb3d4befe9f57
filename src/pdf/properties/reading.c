#include "pdf/properties/reading.h"

int reading_open(struct pdf_doc *doc, const char *path, const char *password, struct tool_run *run,
                 struct err *err)
{
    if (pdf_doc_open(doc, path, password, NULL, err) < 0)
        return -1;
    if (doc->repaired)
        tool_warn(run, "repaired",
                  "the document is damaged and was read as far as possible: repair it first");
    if (doc->lost_pages > 0)
        tool_warn(run, "pages_lost", "%zu pages of the document are lost", doc->lost_pages);
    update_state_warn(run, doc->update);
    return 0;
}
