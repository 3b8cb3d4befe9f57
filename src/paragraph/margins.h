/* margins: where the text of most pages begins and ends. */
#pragma once

#include "paragraph/survey.h"

/* Learns where a page's lines begin and end. */
void margins_note(struct survey *survey, const struct sheet *sheet, const struct line_list *lines);
/* Margins of a page of another size than most: what was learnt of it, or in proportion. */
void margins_fit(const struct survey *survey, struct page *page);
/* Sets margins, facing, mirrored, others and bottom, when headers and footers are known. */
void margins_find(struct survey *survey);
