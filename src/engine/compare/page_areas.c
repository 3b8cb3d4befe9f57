#include "engine/compare/page_areas.h"

#include <math.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/scope.h"
#include "declare/tool_run/page_numbers.h"
#include "engine/mupdf/engine.h"

#define NOWHERE    DIFFERENCE_NOWHERE
#define SAME_PLACE 0.7F    /* limit of the distance in points of a word that was not moved */
#define MOST_PAIRS 4000000 /* of pages that are compared by their signatures */
#define TRIM_PAGES 16

/* The signatures of some pages that follow one another. */
struct signs {
    uint8_t (*items)[PAGE_LOOK_SIGNS];
    bool *seen;
};

static bool read_signs(struct mupdf_document *doc, const struct text_words *list, uint32_t from,
                       uint32_t to, struct signs *signs)
{
    signs->items = calloc(to - from, sizeof *signs->items);
    signs->seen = calloc(to - from, sizeof *signs->seen);
    for (uint32_t i = from; i < to && signs->items && signs->seen; i++) {
        signs->seen[i - from] = page_look_sign(doc, list->pages[i].number, signs->items[i - from]);
        if (i % TRIM_PAGES == 0)
            mupdf_document_trim(doc);
    }
    return signs->items && signs->seen;
}

static void free_signs(struct signs *signs)
{
    free(signs->items);
    free(signs->seen);
}

/* The longest common subsequence of pages that look the same. */
static bool match_signs(const struct signs *a, size_t n, const struct signs *b, size_t m,
                        uint32_t first, uint32_t *partner)
{
    AUTO_FREE uint16_t *best = calloc((n + 1) * (m + 1), sizeof *best);
    AUTO_FREE bool *same = calloc(n * m, sizeof *same);

    if (!best || !same)
        return false;
    for (size_t i = n; i-- > 0;)
        for (size_t k = m; k-- > 0;) {
            uint16_t *at = &best[i * (m + 1) + k];
            uint16_t down = at[m + 1], right = at[1];

            same[i * m + k] =
                a->seen[i] && b->seen[k] && page_look_is_same(a->items[i], b->items[k]);
            *at = same[i * m + k] ? (uint16_t) (at[m + 2] + 1) : down > right ? down : right;
        }
    for (size_t i = 0, k = 0; i < n && k < m;) {
        const uint16_t *at = &best[i * (m + 1) + k];

        if (same[i * m + k] && *at == at[m + 2] + 1)
            partner[k++] = first + (uint32_t) i++;
        else if (at[m + 1] >= at[1])
            i++;
        else
            k++;
    }
    return true;
}

static int match_looks(void *hand, uint32_t old_from, uint32_t old_to, uint32_t new_from,
                       uint32_t new_to, uint32_t *partner, struct err *err)
{
    struct page_areas *areas = hand;
    struct signs a = { 0 }, b = { 0 };
    size_t n = old_to - old_from, m = new_to - new_from;
    bool done = true;

    for (uint32_t i = new_from; i < new_to; i++)
        if (partner[i] != NOWHERE) /* it was moved from elsewhere: the order is not known */
            return 0;
    if (n > MOST_PAIRS / m || n > UINT16_MAX)
        return 0;
    done = read_signs(&areas->look->old, areas->old, old_from, old_to, &a) &&
           read_signs(&areas->look->new, areas->new, new_from, new_to, &b) &&
           match_signs(&a, n, &b, m, old_from, partner + new_from);
    free_signs(&a);
    free_signs(&b);
    return done ? 0 : engine_no_memory(err);
}

struct page_matcher page_areas_matcher(struct page_areas *areas)
{
    return (struct page_matcher){ match_looks, areas };
}

static bool is_in_place(const struct area *a, const struct area *b)
{
    return fabsf(a->x0 - b->x0) < SAME_PLACE && fabsf(a->y0 - b->y0) < SAME_PLACE &&
           fabsf(a->x1 - b->x1) < SAME_PLACE && fabsf(a->y1 - b->y1) < SAME_PLACE;
}

static void add_box(const struct listed_word *word, struct page_look_box *boxes, size_t *n)
{
    boxes[(*n)++] =
        (struct page_look_box){ word->box.x0, word->box.y0, word->box.x1, word->box.y1 };
}

/* The places of the words of a pair that are not in the same place on both pages. */
static bool list_boxes(const struct page_areas *areas, const struct differences *found,
                       const struct page_pair *pair, struct page_look_box **boxes, size_t *n)
{
    const struct listed_page *a = &areas->old->pages[pair->old];
    const struct listed_page *b = &areas->new->pages[pair->new];
    AUTO_FREE bool *stays = calloc((size_t) a->n + 1, sizeof *stays);

    *n = 0;
    *boxes = calloc((size_t) a->n + b->n + 1, sizeof **boxes);
    if (!stays || !*boxes)
        return false;
    for (uint32_t i = b->from; i < b->from + b->n; i++) {
        uint32_t old = found->partner[i];

        if (old != NOWHERE && !(areas->new->words[i].flags &WORD_NUMBER) &&
            areas->old->words[old].page == pair->old &&
            is_in_place(&areas->old->words[old].box, &areas->new->words[i].box))
            stays[old - a->from] = true;
        else
            add_box(&areas->new->words[i], *boxes, n);
    }
    for (uint32_t i = 0; i < a->n; i++)
        if (!stays[i])
            add_box(&areas->old->words[a->from + i], *boxes, n);
    return true;
}

static int add_areas(const struct page_areas *areas, struct differences *found, uint32_t number,
                     bool *seen, struct err *err)
{
    const struct page_pair *pair = &found->pairs[number];
    AUTO_FREE struct page_look_box *boxes = NULL;
    struct page_look_box changed[PAGE_LOOK_AREAS];
    struct page_look_words words = { 0 };
    size_t n = 0;

    if (!list_boxes(areas, found, pair, &boxes, &words.n))
        return engine_no_memory(err);
    words.boxes = boxes;
    if (page_look_compare(areas->look, areas->old->pages[pair->old].number,
                          areas->new->pages[pair->new].number, &words, changed, &n, seen, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (!LIST_ROOM(found->areas, found->n_areas, found->cap_areas))
            return engine_no_memory(err);
        found->areas[found->n_areas++] =
            (struct changed_area){ number,
                                   { changed[i].x0, changed[i].y0, changed[i].x1, changed[i].y1 } };
    }
    return 0;
}

int page_areas_find(struct page_areas *areas, struct differences *found, struct err *err)
{
    AUTO_BUF struct buf unseen = BUF_EMPTY;

    for (size_t i = 0; i < found->n_pairs; i++) {
        const struct page_pair *pair = &found->pairs[i];
        bool seen = true;

        if (pair->old == NOWHERE || pair->new == NOWHERE)
            continue;
        if (add_areas(areas, found, (uint32_t) i, &seen, err) < 0)
            return -1;
        if (!seen)
            buf_printf(&unseen, "%s%zu", unseen.len ? "," : "",
                       areas->new->pages[pair->new].number + 1);
        tool_progress(areas->run, (double) (i + 1) / (double) found->n_pairs);
        if (i % TRIM_PAGES == TRIM_PAGES - 1) {
            mupdf_document_trim(&areas->look->old);
            mupdf_document_trim(&areas->look->new);
        }
    }
    if (unseen.len)
        tool_warn(areas->run, "pages_not_compared",
                  "pages could not be drawn, and only their words were compared: pages %s",
                  PAGE_NUMBERS(buf_text(&unseen), 121));
    return 0;
}
