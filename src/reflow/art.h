/* art: what is drawn on a page and no table, paragraph or word shows: charts, logos, frames. */
#pragma once

#include "reflow/arena.h"
#include "reflow/sheet.h"

#define ART_CLUSTERS 40

/* The areas to be shown as pictures; how many. */
size_t art_find(struct arena *arena, const struct sheet *sheet, struct area *areas);
