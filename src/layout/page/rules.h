/* rules: ruled lines, joined from the pieces in which they were drawn. */
#pragma once

#include "layout/page/words.h"

/* A line from `from` to `to` at `at`: a y for horizontal lines, an x for vertical ones. */
struct rule {
    float at, from, to;
    float width;
    uint32_t color;
    bool across;  /* it is horizontal */
    size_t group; /* the same for all lines that touch each other */
};

struct rule_list {
    struct rule *items;
    size_t n, cap;
};

#define RULE_WIDTH 3.2F /* points: thicker ones are areas, not lines */
#define RULE_SNAP  2.0F /* points: ends of lines that are this close count as equal */

/* Finds the horizontal and vertical lines among the fills of the page. */
struct rule_list rules_find(struct arena *arena, const struct page_content *content);
/* Finds again which lines touch each other (rule.group). */
void rules_group(struct rule_list *list);
