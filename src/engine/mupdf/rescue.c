#include "engine/mupdf/rescue.h"

#include "engine/mupdf/mupdf_document.h"

int rescue_save(const char *input, const char *password, struct tool_run *run, const char *path,
                struct err *err)
{
    struct tool_run silent = { .memory_refused = run->memory_refused };
    AUTO_MUPDF_DOCUMENT struct mupdf_document doc = { 0 };

    if (mupdf_document_open_as_is(&doc, input, password, &silent, err) < 0)
        return -1;
    return mupdf_document_save(&doc, path, err);
}
