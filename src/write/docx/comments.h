/* comments: writes the comments of a document, each with the picture that it has. */
#pragma once

#include "write/docx/body.h"

/* Appends a comment to body->comments, whose id is then body->n_comments. */
void comments_put(struct body *body, const struct page_note *note);
