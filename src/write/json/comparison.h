/*
 * comparison: writes what differs between two documents as JSON: a summary, the pages with their
 * partners, the differences with their texts and places.
 */
#pragma once

#include "base/buf.h"
#include "layout/difference/differences.h"

/* The numbers of differences. */
struct comparison_counts {
    size_t added, removed, changed, moved; /* of parts */
    size_t words_added, words_removed;     /* with those of changed parts */
    size_t pages_added, pages_removed, pages_moved;
    size_t areas; /* that look different */
};

void comparison_count(const struct differences *found, struct comparison_counts *counts);
/* Whether nothing differs. */
bool comparison_is_equal(const struct comparison_counts *counts);
/* Appends the object. out->failed afterwards: there was no memory. */
void comparison_put(const struct text_words *old, const struct text_words *new,
                    const struct differences *found, struct buf *out);

/* The boxes of a span, one for each part of a line, as they follow one another. Appends at most
 * `cap` and returns their number, also of those beyond. `edge`: as in struct difference. */
struct comparison_box {
    uint32_t page; /* index of the page of the list */
    struct area box;
};
size_t comparison_boxes(const struct text_words *list, const struct word_span *span, bool edge,
                        struct comparison_box *boxes, size_t cap);
/* Appends the text of a span; paragraphs are divided by line breaks. */
void comparison_text(const struct text_words *list, const struct word_span *span, bool edge,
                     struct buf *out);
