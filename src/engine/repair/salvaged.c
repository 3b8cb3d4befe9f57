#include "engine/repair/salvaged.h"

int salvaged_find(struct salvaged *s, struct err *err)
{
    if (!s->tried)
        s->made =
            recovery_salvage_undone(s->input, s->password, &s->bytes, &s->report, &s->failure) == 0;
    s->tried = true;
    if (s->made)
        return 0;
    *err = s->failure;
    return -1;
}

int salvaged_open(struct salvaged *s, struct pdf_doc *doc, struct err *err)
{
    if (salvaged_find(s, err) < 0)
        return -1;
    s->tried = false; /* its bytes are the document's now */
    return pdf_doc_open_memory(doc, &s->bytes, s->password, err);
}

void salvaged_free(struct salvaged *s)
{
    buf_free(&s->bytes);
}

bool salvaged_has_all_objects(const struct salvaged *s)
{
    const struct salvage_report *report = &s->report;

    return s->made && report->pages > 0 && report->lost_pages == 0 && report->dangling == 0 &&
           report->duplicates == 0 && !report->tree_rebuilt && !report->catalog_rebuilt;
}

bool salvaged_misses_nothing(struct salvaged *s)
{
    const struct salvage_report *report = &s->report;
    struct err ignored;

    if (salvaged_find(s, &ignored) < 0 || report->pages == 0 || report->lost_pages > 0 ||
        report->dangling > 0 || report->mended_streams > report->restored_streams ||
        report->tree_rebuilt || report->catalog_rebuilt)
        return false;
    for (size_t i = 0; i < report->pages && i < SALVAGE_PAGES; i++)
        if (report->sure[i] != SALVAGE_COMPLETE)
            return false;
    return true;
}
