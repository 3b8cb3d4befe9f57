/*
 * titles: finds headers without page numbers whose words change, as the title of a chapter does:
 * the first line of most pages, at one height, apart from the text and not larger than it, whose
 * words are those of another page's header or of a line of the text.
 */
#pragma once

#include "layout/page/words.h"

#define TITLES_PAGES 12   /* limit of sampled pages */
#define TITLES_LINES 2048 /* limit of the lines whose words are kept */
#define TITLES_WORDS 16   /* of a header or a title, at most */

/* The first line of a sampled page. */
struct titles_top {
    float base, size;
    float gap; /* to the next baseline */
    uint64_t words;
    bool fit; /* it can be a header */
};

struct titles {
    struct titles_top tops[TITLES_PAGES];
    int n_tops;
    uint64_t lines[TITLES_LINES]; /* the words of short lines of the text */
    int n_lines;
    float base, size;
    bool found;
};

/* Records a line of a sampled page, from top to bottom. `first`: it is the first one of its page;
 * `gap`: distance to the next baseline; `held`: it is in a table. */
void titles_note(struct titles *titles, const struct line *line, float height, bool first,
                 float gap, bool held);
/* Evaluates the lines of `seen` pages, with the size of most of their text. */
void titles_end(struct titles *titles, int seen, float body);
/* Whether the first line of a page is such a header. */
bool titles_has(const struct titles *titles, const struct line *line, float gap);
/* Whether several first lines of the sampled pages, or a line of their text, has these words. */
bool titles_repeat(const struct titles *titles, uint64_t words);
/* The words of a line, as a number that other words hardly have. `from`: the first word that
 * counts. */
uint64_t titles_words(const struct line *line, size_t from);
