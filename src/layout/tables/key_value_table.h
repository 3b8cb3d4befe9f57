/* key_value_table: finds key/value tables without ruled lines: two columns of labels and values, or
 * items and prices. */
#pragma once

#include "layout/tables/grid.h"

/*
 * Finds tables of at least three rows whose right parts begin at one position, or are amounts and
 * end at one, among words without an owner. Text with short hanging words (dialogues,
 * dictionaries), lists and tables of contents are rejected.
 */
struct grid_list key_value_table_find_all(struct arena *arena, const struct page_content *content,
                                          const struct line_list *lines);
