#include "pdf/document/update_state.h"

void update_state_warn(struct tool_run *run, enum update_state state)
{
    if (!run)
        return;
    if (state == UPDATE_USED)
        tool_warn(run, "update_cut",
                  "the last update of the document is cut off at its end: everything that it "
                  "changes is there and is used");
    else if (state == UPDATE_DOCUMENTS)
        tool_warn(run, "several_documents",
                  "several documents follow each other in the file: the last one that is whole is "
                  "used");
    else if (state == UPDATE_LEFT_OUT)
        tool_warn(run, "update_cut",
                  "the last update of the document is cut off and parts of it are missing: it is "
                  "left out, and the document is used as it was before");
}
