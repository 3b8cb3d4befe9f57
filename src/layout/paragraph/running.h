/*
 * running: finds headers and footers whose words change, as from chapter to chapter: lines with the
 * page number at the same height of most pages.
 */
#pragma once

#include "layout/page/words.h"

#define RUNNING_SPOTS   96   /* limit of the lines that are recorded */
#define RUNNING_BASES   4    /* limit of the heights at which there are such lines */
#define RUNNING_NUMBERS 2    /* numbers of a line: its first word and its last word */
#define RUNNING_ZONE    0.2F /* part of the page's height, from its edges */

/* A line with numbers near the edge of a sampled page. */
struct running_spot {
    float base;                   /* y of its baseline */
    bool foot;                    /* it is in the lower half of the page */
    int page;                     /* index of the page, from 0 */
    int offsets[RUNNING_NUMBERS]; /* its numbers minus the index of its page */
    int n_offsets;
    bool only_number; /* it contains nothing else */
};

struct running {
    struct running_spot spots[RUNNING_SPOTS];
    int n_spots;
    struct running_base {
        float base;
        bool foot;
    } bases[RUNNING_BASES]; /* the first one is that of most pages */
    int n_bases;            /* 0: there are no such lines */
    bool only_number;       /* all of them contain only a number */
    struct running_known {
        long page;
        int offset; /* page number minus index in the file */
    } known[RUNNING_SPOTS];
    int n_known;
    float height; /* of the first page: baselines of feet are as on a page of this height */
};

/* The baseline that a line at the foot of a page of that height would have on the first page: feet
 * are at one place from the lower edge, whatever the height of the page. */
float running_foot_base(const struct running *running, float base, float height);

/* Records a line of page `page`, counted from 0, if it is near the edge of the page, apart from the
 * next line and has a number. `height`: that of the page. `gap`: distance to the next baseline away
 * from the edge. In points. */
void running_note(struct running *running, const struct line *line, float height, float gap,
                  size_t page);
/* Finds the heights and page numbers of headers and footers among the recorded lines of `seen`
 * pages. */
void running_end(struct running *running, int seen);
/* Adds a height at which there are headers without page numbers. */
void running_add(struct running *running, float base);
/* Whether the line is such a header or footer and has the page number; *foot: it is a footer. */
bool running_has(const struct running *running, const struct line *line, float height, size_t page,
                 bool *foot);
/* Whether the line contains only a number. */
bool running_is_only_number(const struct line *line);
/* Marks the glyphs of the page number (GLYPH_NUMBER), and returns the number; -1 if the line
 * has none. */
int running_mark(const struct running *running, struct page_content *content,
                 const struct line *line, size_t page);
