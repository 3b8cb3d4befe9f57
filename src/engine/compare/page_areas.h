/*
 * page_areas: what looks different between two documents whose words were compared
 * (layout/difference): adds to the differences the areas of each pair of pages in which pictures,
 * drawings, fonts or colours differ. Words that are elsewhere are left out.
 */
#pragma once

#include "engine/compare/page_look.h"
#include "layout/difference/differences.h"

struct page_areas {
    struct page_look *look;
    const struct text_words *old, *new;
    struct tool_run *run;
};

/* Pairs pages without common text by how they look, for differences_find; borrows `areas`. */
struct page_matcher page_areas_matcher(struct page_areas *areas);
/* Adds the areas to found->areas. Pages that cannot be drawn are a warning (pages_not_compared).
 * ERR_LIMIT_EXCEEDED when out of memory. */
int page_areas_find(struct page_areas *areas, struct differences *found, struct err *err);
