/* rotated_text: makes paragraphs and text boxes of text that is not upright, outside of tables. */
#pragma once

#include "layout/columns/column_layout.h"
#include "layout/paragraph/flow.h"

/* Whether a word runs straight up or down. */
bool rotated_text_is_quarter(const struct word *word);
/* Makes paragraphs of rotated words without an owner. If the page flows they become `items`
 * at their places; vertical text in a margin or next to a drawing becomes a text box there, and
 * other text in the margins or along an arc goes to `aside`. Otherwise all become text boxes. */
void rotated_text_add(const struct flow *flow, struct word *words, size_t n, struct page *page,
                      struct item_list *items, struct block_list *aside);
/* Makes text boxes of all rotated words without an owner. */
void rotated_text_add_boxes(const struct flow *flow, struct word *words, size_t n,
                            struct page *page);
/* Makes a paragraph of each line that MuPDF found, in the order of the file. */
void rotated_text_add_plain(const struct flow *flow, struct word *words, size_t n,
                            struct section *section);
