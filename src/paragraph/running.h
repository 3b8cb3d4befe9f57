/*
 * running: headers and footers whose words change, as from chapter to chapter: lines at the same
 * height of most pages that have the number of the page in them.
 */
#pragma once

#include "page/words.h"

#define RUNNING_SPOTS   96
#define RUNNING_BASES   4
#define RUNNING_NUMBERS 2
#define RUNNING_ZONE    0.2F /* of the page's height, from its edges */

/* A line with numbers near the edge of a page that was looked at. */
struct running_spot {
    float base;
    bool foot;
    int page;
    int offsets[RUNNING_NUMBERS]; /* its numbers less its page */
    int n_offsets;
    bool lone; /* there is nothing else in it */
};

struct running {
    struct running_spot spots[RUNNING_SPOTS];
    int n_spots;
    struct running_base {
        float base;
        bool foot;
    } bases[RUNNING_BASES]; /* the first one is that of most pages */
    int n_bases;            /* 0: there are no such lines */
    bool lone;              /* there is nothing but the number in any of them */
    struct running_known {
        long page;
        int offset; /* its number less its place in the file */
    } known[RUNNING_SPOTS];
    int n_known;
};

/* A line of a page, which is its `page`th in the file, from 0. `gap`: to the next baseline away
 * from the edge. */
void running_note(struct running *running, const struct line *line, float height, float gap,
                  size_t page);
/* After the last one of `seen` pages. */
void running_end(struct running *running, int seen);
/* Whether the line is one, and with that has the number of the page; *foot: it is below. */
bool running_has(const struct running *running, const struct line *line, float height, size_t page,
                 bool *foot);
/* Whether there is nothing but a number in it. */
bool running_is_lone(const struct line *line);
/* Marks the glyphs of the page's number, which is returned. */
int running_mark(const struct running *running, struct sheet *sheet, const struct line *line,
                 size_t page);
