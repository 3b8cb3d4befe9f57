#include "engine/repair/ways.h"

#include <fcntl.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "engine/mupdf/rescue.h"

static int open_salvaged(const struct ways *ways, const char *source, struct pdf_doc *doc,
                         struct err *err)
{
    (void) source;
    return salvaged_open(ways->salvaged, doc, err);
}

static int open_by_qpdf(const struct ways *ways, const char *source, struct pdf_doc *doc,
                        struct err *err)
{
    return pdf_doc_open_whole_as_is(doc, source, ways->password, err);
}

static int open_by_mupdf(const struct ways *ways, const char *source, struct pdf_doc *doc,
                         struct err *err)
{
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    AUTO_CLOSE int fd = rescue_save(source, ways->password, ways->run, ways->candidate, err) < 0
                            ? -1
                            : open(ways->candidate, O_RDONLY | O_CLOEXEC);

    return fd < 0 || fdio_read_all(fd, SIZE_MAX, &bytes, err) < 0
               ? -1
               : pdf_doc_open_memory(doc, &bytes, ways->password, err);
}

static const struct {
    int (*open)(const struct ways *ways, const char *source, struct pdf_doc *doc, struct err *err);
    bool as_received;
} list[WAYS] = { { open_salvaged, false },
                 { open_by_qpdf, false },
                 { open_by_mupdf, false },
                 { open_by_qpdf, true },
                 { open_by_mupdf, true } };

static const char *source_of(const struct ways *ways, size_t i)
{
    return list[i].as_received ? ways->received : ways->undone;
}

bool ways_is_salvage(size_t i)
{
    return list[i].open == open_salvaged;
}

bool ways_differs(const struct ways *ways, size_t i, bool found)
{
    if (!ways_is_salvage(i) && found &&
        (salvaged_has_all_objects(ways->salvaged) ||
         recovery_must_salvage(&ways->salvaged->report)))
        return false;
    return !list[i].as_received || ways->undone != ways->received;
}

int ways_write(const struct ways *ways, size_t i, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (list[i].open == open_by_mupdf)
        return rescue_save(source_of(ways, i), ways->password, ways->run, ways->candidate, err);
    return list[i].open(ways, source_of(ways, i), &doc, err) < 0
               ? -1
               : pdf_doc_save(&doc, ways->candidate, NULL, err);
}

int ways_open(const struct ways *ways, size_t i, struct pdf_doc *doc, struct err *err)
{
    return list[i].open(ways, source_of(ways, i), doc, err);
}
