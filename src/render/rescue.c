#include "render/rescue.h"

#include "render/document.h"
#include "render/engine.h"

int rescue_save(const char *input, const char *password, struct tool_run *run, const char *path,
                struct err *err)
{
    struct tool_run silent = { .memory_refused = run->memory_refused };
    AUTO_DOCUMENT struct document doc = { 0 };

    if (document_open_as_is(&doc, input, password, &silent, err) < 0)
        return -1;
    return document_save(&doc, path, err);
}
