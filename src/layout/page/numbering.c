#include "layout/page/numbering.h"

#include <math.h>
#include <stdlib.h>

#include "base/scope.h"

#define MAX_LISTS 20000
#define SAME_X    4 /* points */
#define SAME_TEXT 2

static bool same_shape(const struct label *a, const struct label *b)
{
    /* Numbers may be aligned at their right ends. */
    return a->kind == b->kind && a->bullet == b->bullet && a->open == b->open &&
           a->close == b->close && a->depth == b->depth &&
           (fabsf(a->x - b->x) < SAME_X || fabsf(a->text - b->text) < SAME_TEXT);
}

/* The level of the list that the label continues, or -1. */
static int find_level(const struct numbering_list *list, const struct label *label)
{
    for (int k = 0; k < list->n_levels; k++)
        if (same_shape(&list->levels[k], label) &&
            (label->kind == LABEL_BULLET || list->last[k] + 1 == label->value) &&
            (label->kind != LABEL_OUTLINE || (k > 0 && list->last[k - 1] == label->parent)))
            return k;
    return -1;
}

/* Whether the label begins a deeper level: it is indented further than the last one, and its
 * number is 1. */
static bool nests(const struct numbering_list *list, const struct label *label)
{
    if (label->kind == LABEL_OUTLINE)
        return list->level + 2 == label->depth && list->last[list->level] == label->parent &&
               label->value == 1 && list->level + 1 < NUMBERING_LEVELS &&
               list->levels[list->level].kind ==
                   (label->depth == 2 ? LABEL_DECIMAL : LABEL_OUTLINE);
    return list->level + 1 < NUMBERING_LEVELS && label->x > list->levels[list->level].x + SAME_X &&
           (label->kind == LABEL_BULLET || label->value == 1);
}

bool numbering_continues(const struct numbering *numbering, const struct label *label)
{
    const struct numbering_list *list = numbering->n ? &numbering->items[numbering->n - 1] : NULL;

    return list && (find_level(list, label) >= 0 || nests(list, label));
}

void numbering_resolve(const struct numbering *numbering, struct label *label)
{
    int value = label->value == 'i' - 'a' + 1   ? 1
                : label->value == 'v' - 'a' + 1 ? 5
                : label->value == 'x' - 'a' + 1 ? 10
                                                : 0;
    struct label other = *label;

    if (label->kind != LABEL_LOWER || value == 0 || numbering_continues(numbering, label))
        return;
    other.kind = LABEL_ROMAN;
    other.value = value;
    /* A list begins with the first number: "i." is a Roman one here, not the ninth letter. */
    if (value == 1 || numbering_continues(numbering, &other))
        *label = other;
}

static bool is_dash(uint32_t code)
{
    return code == 0x2013 || code == 0x2014 || code == 0x2043;
}

/* Notes that a label next to items of a list has another bullet than they. A dash never means
 * anything. */
static void note_mixed(struct numbering_list *list, struct label *label)
{
    for (int k = 0; k < list->n_levels; k++) {
        struct label *other = &list->levels[k];

        if (label->kind != LABEL_BULLET || other->kind != LABEL_BULLET ||
            label->bullet == other->bullet || is_dash(label->bullet) || is_dash(other->bullet) ||
            fabsf(label->x - other->x) >= SAME_X)
            continue;
        label->mixed = other->mixed = true;
    }
}

int numbering_place(struct numbering *numbering, const struct label *label, int *level)
{
    struct numbering_list *list = numbering->n ? &numbering->items[numbering->n - 1] : NULL;
    int found = list ? find_level(list, label) : -1;

    *level = 0;
    if (found < 0 && list && nests(list, label)) {
        found = list->level + 1;
        list->levels[found] = *label;
        list->n_levels = found + 1;
    }
    if (found < 0) {
        struct label new = *label;
        size_t cap = numbering->cap ? numbering->cap * 2 : 16;

        if (numbering->n == MAX_LISTS)
            return 0;
        if (numbering->n == numbering->cap) {
            list = reallocarray(numbering->items, cap, sizeof *list);
            if (!list)
                return 0;
            numbering->items = list;
            numbering->cap = cap;
        }
        if (list && numbering->open)
            note_mixed(&numbering->items[numbering->n - 1], &new);
        list = &numbering->items[numbering->n++];
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): made above. */
        *list = (struct numbering_list){ .levels = { new }, .n_levels = 1 };
        found = 0;
    }
    list->last[found] = label->value;
    list->level = found;
    /* Deeper levels start again. */
    if (list->n_levels > found + 1)
        list->n_levels = found + 1;
    *level = found;
    return (int) numbering->n;
}

void numbering_free(struct numbering *numbering)
{
    free(numbering->items);
    *numbering = (struct numbering){ 0 };
}

/* Bullets as they are found in documents, and as they are written: characters of symbol fonts
 * have no meaning outside them. */
static const uint32_t bullets[][2] = {
    { 0x2022, 0x2022 }, { 0x25cf, 0x25cf }, { 0x25aa, 0x25aa }, { 0x25a0, 0x25a0 },
    { 0x25e6, 0x25e6 }, { 0x2023, 0x2023 }, { 0x25cb, 0x25cb }, { 0x25ba, 0x25ba },
    { 0x27a2, 0x27a2 }, { 0x2713, 0x2713 }, { 0x2714, 0x2714 }, { 0x2043, 0x2043 },
    { 0x2219, 0x2022 }, { 0x00b7, 0x2022 }, { 0xf0b7, 0x2022 }, { 0xf0a7, 0x25aa },
    { 0xf0d8, 0x27a2 }, { 0xf0fc, 0x2713 }, { 0xf06c, 0x25cf }, { 0xf06e, 0x25a0 },
    { 0xf0a8, 0x25a1 }, { 0x25a1, 0x25a1 }, { 0x2610, 0x2610 }, { 0x2013, 0x2013 },
    { 0x2014, 0x2014 }, { '-', 0x2013 },    { 0x25c6, 0x25c6 }, { 0x2756, 0x2756 },
    { 0xf076, 0x2756 }, { 0x2217, 0x2217 }, { 0x2666, 0x2666 }, { 0x25b6, 0x25ba },
    { 0xf075, 0x25c6 }, { 0xf077, 0x25c6 }, { 0xf071, 0x2751 }, { 0xf06f, 0x25a1 },
    { 0xf0fe, 0x2611 }, { 0xf0fb, 0x2717 }, { 0x2751, 0x2751 }, { 0x2717, 0x2717 },
    { 0x2611, 0x2611 }, { 0x25c7, 0x25c7 }, { 0x25b8, 0x25b8 }, { 0x2752, 0x2752 },
    { 0x2192, 0x2192 }, { 0xf0e0, 0x2192 }, { 0x2605, 0x2605 }, { 0x2055, 0x2055 },
    { 0x2718, 0x2718 }, { 0x274d, 0x274d }, { 0x274f, 0x274f }, { 0x2750, 0x2750 },
    { 0x2794, 0x2794 },
};

static int roman(const uint32_t *codes, size_t n)
{
    int value = 0, last = 0;

    for (size_t i = n; i-- > 0;) {
        int digit = codes[i] == 'i' ? 1 : codes[i] == 'v' ? 5 : codes[i] == 'x' ? 10 : 0;

        if (!digit)
            return 0;
        value += digit < last ? -digit : digit;
        last = digit > last ? digit : last;
    }
    return value;
}

static bool read_label_number(const uint32_t *codes, size_t n, struct label *label)
{
    int value = 0;
    size_t digits = 0;

    for (; digits < n && codes[digits] >= '0' && codes[digits] <= '9' && digits < 3; digits++)
        value = value * 10 + (int) (codes[digits] - '0');
    if (digits && digits == n) {
        label->kind = LABEL_DECIMAL;
        label->value = value;
    } else if (n > 1 && (value = roman(codes, n)) > 0) {
        label->kind = LABEL_ROMAN;
        label->value = value;
    } else if (n == 1 && codes[0] >= 'a' && codes[0] <= 'z') {
        label->kind = LABEL_LOWER;
        label->value = (int) (codes[0] - 'a') + 1;
    } else if (n == 1 && codes[0] >= 'A' && codes[0] <= 'Z') {
        label->kind = LABEL_UPPER;
        label->value = (int) (codes[0] - 'A') + 1;
    } else {
        return false;
    }
    return label->value > 0;
}

/* Reads "1.2", with or without a full stop at its end. */
static bool read_outline(const uint32_t *codes, size_t n, struct label *label)
{
    int value = 0;

    for (size_t i = 0; i < n; i++) {
        if (codes[i] - '0' < 10 && value < 100) {
            value = value * 10 + (int) (codes[i] - '0');
            continue;
        }
        if (codes[i] != '.' || value == 0)
            return false;
        label->depth++;
        label->parent = label->value;
        label->value = value;
        value = 0;
    }
    label->close = value ? '\0' : '.';
    if (value) {
        label->depth++;
        label->parent = label->value;
        label->value = value;
    }
    label->kind = LABEL_OUTLINE;
    return label->depth > 1;
}

bool numbering_read_label(const uint32_t *codes, size_t n, struct label *label)
{
    *label = (struct label){ .kind = LABEL_NONE };
    if (n == 1)
        for (size_t i = 0; i < COUNT(bullets); i++)
            if (bullets[i][0] == codes[0]) {
                label->kind = LABEL_BULLET;
                label->bullet = bullets[i][1];
                return true;
            }
    if (n < 2 || n > 7)
        return false;
    if (read_outline(codes, n, label))
        return true;
    *label = (struct label){ .kind = LABEL_NONE };
    if (codes[0] == '(') {
        label->open = true;
        codes++;
        n--;
    }
    if (codes[n - 1] != '.' && codes[n - 1] != ')' && codes[n - 1] != 0x3001)
        return false;
    if (codes[n - 1] == 0x3001)
        return false;
    label->close = (char) codes[n - 1];
    return n > 1 && read_label_number(codes, n - 1, label);
}
