/*
 * marks: puts pictures, texts, ticks and crosses on pages, as declare/value/mark_list.h lists them.
 */
#pragma once

#include "base/err.h"
#include "declare/tool_run/run.h"
#include "declare/value/mark_list.h"
#include "stamp/sign/addition.h"
#include "stamp/sign/ink.h"

struct marks {
    const char *name; /* of the parameter, for errors: "placements" */
    const struct mark_list *list;
    struct ink *image;                 /* has its form if the picture was added already */
    const struct tool_input *files[2]; /* of MARK_IMAGE and MARK_INITIALS; NULL: none */
    bool annotate;                     /* as annotations, which signatures of the document allow */
    const char *date;                  /* of annotations, in PDF's form (ISO 32000-2, 7.9.4) */
};

/*
 * Adds what the marks show to the update, and the marks to `additions`. Where a page's content
 * cannot be added to, they are annotations too. Errors name the mark as field:
 * ERR_INVALID_PARAMETER for one that is not on its page, ERR_PAGE_OUT_OF_RANGE,
 * ERR_TEXT_NOT_ENCODABLE, and those of ink_add.
 */
int marks_place(const struct marks *marks, struct additions *additions, struct update *update,
                struct tool_run *run, struct err *err);
