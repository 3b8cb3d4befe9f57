/* rules: ruled lines, put together of the pieces they were drawn in. */
#pragma once

#include "page/words.h"

/* From `from` to `to` at `at`: a y for lines that go across, an x for those that go down. */
struct rule {
    float at, from, to;
    float width;
    uint32_t color;
    bool across;
    size_t group; /* rules that touch have the same */
};

struct rule_list {
    struct rule *items;
    size_t n, cap;
};

#define RULE_WIDTH 3.2F /* points: what is thicker is an area */
#define RULE_SNAP  2.0F

struct rule_list rules_find(struct arena *arena, const struct sheet *sheet);
