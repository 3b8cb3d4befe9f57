/* redact_page: edits or reads the content and the annotations of a page. */
#pragma once

#include "engine/redact/redact_edit.h"

/* To be called at the end. */
void redact_page_end(struct redact_edit *edit);
/* Appends the text of the page's content, and of its annotations, to edit->read. */
int redact_page_read(struct redact_edit *edit, struct obj page, struct err *err);
/* The same for a content stream, whatever shows it. */
int redact_page_read_form(struct redact_edit *edit, struct obj form, struct err *err);
/* Removes edit->words from the content of the stream that is `key` of `holder`, and has `resources`
 * unless it has its own. */
int redact_page_edit_form(struct redact_edit *edit, struct obj holder, const char *key,
                          struct obj resources, bool *changed, struct err *err);
/* Removes edit->words from the content of a form XObject or pattern, wherever it is used. */
int redact_page_edit_apart(struct redact_edit *edit, struct obj form, struct err *err);
/* Removes what lies in the areas from the content and the annotations of the page. *changed: some
 * of it was. ERR_LIMIT_EXCEEDED. */
int redact_page_edit(struct redact_edit *edit, struct obj page, bool *changed, struct err *err);
