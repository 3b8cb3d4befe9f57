/* margins: finds the margins of most pages. */
#pragma once

#include "layout/paragraph/survey.h"

/* Records where a page's lines begin and end. */
void margins_note(struct survey *survey, const struct page_content *content,
                  const struct line_list *lines);
/* Sets the margins of a page whose size is unusual: those found for that size, or scaled ones. */
void margins_fit(const struct survey *survey, struct page *page);
/* Sets margins, facing, mirrored, others and bottom of the survey, after headers and footers are
 * known. `feet`: pages have footers. */
void margins_find(struct survey *survey, bool feet);
