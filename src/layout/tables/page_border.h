/*
 * page_border: tells a rectangle around most of a page from a table. What is between the lines that
 * go all across it is text and tables of their own.
 */
#pragma once

#include "layout/page/rules.h"

/* Takes the lines of such rectangles out of the rules, and groups the others again. */
void page_border_drop(struct arena *arena, const struct page_content *content, struct word *words,
                      size_t n_words, struct rule_list *rules);
