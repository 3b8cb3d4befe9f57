/* update_state: whether an update at the end of a file is cut (recovery/salvage/cut_update.h). */
#pragma once

#include "declare/tool_run/run.h"

enum update_state {
    UPDATE_WHOLE,     /* none is cut */
    UPDATE_USED,      /* one is cut, and everything that it changes is there */
    UPDATE_DOCUMENTS, /* none is, but several documents follow each other in the file */
    UPDATE_LEFT_OUT,  /* one is cut, and something of it is missing: the revision before it is used
                       */
};

/* Warns of it with `update_cut` or `several_documents`. `run` may be NULL. */
void update_state_warn(struct tool_run *run, enum update_state state);
