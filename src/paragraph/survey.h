/*
 * survey: what is the same on all pages of a document, learnt from some of them before the first is
 * written: the size of its text and headings, its margins, headers and footers.
 */
#pragma once

#include "paragraph/running.h"

#define SURVEY_PAGES    12 /* that are looked at */
#define SURVEY_HEADINGS 3
#define SURVEY_LINES    24    /* of headers and footers */
#define SURVEY_TOP      0.12F /* of the height: where headers are, and the same for footers */
#define SURVEY_EDGE     6
#define SURVEY_NUMBERS  12
#define SURVEY_TEXT     200
#define SURVEY_SIDES    3

/* A line at the top or bottom of pages; digits in `text` are '#'. */
struct survey_line {
    char text[SURVEY_TEXT];
    float base, size;
    int pages;   /* that have it */
    int left;    /* of them, those with an odd number in the file, from 0 */
    bool apart;  /* with white between it and the rest */
    bool common; /* on most of them */
    /* Numbers in it, on the first page that has it; which of them count pages. */
    int numbers[SURVEY_NUMBERS], n_numbers;
    bool counts[SURVEY_NUMBERS];
    size_t page;
};

struct survey {
    size_t n_pages;                  /* of the document */
    float body;                      /* size of most of its text */
    float headings[SURVEY_HEADINGS]; /* sizes, falling */
    int n_headings;
    struct margins margins; /* of pages with an even place in the file, from 0 */
    struct margins facing;  /* of the others */
    bool mirrored;          /* these are the first ones, left and right exchanged */
    struct survey_other {
        float width, height, left, right;
    } others[SURVEY_SIDES]; /* the margins of pages of other sizes; width 0: not known */
    struct running running;
    float bottom; /* from where text ends at most to the edge; margins.bottom is less */
    struct survey_line heads[SURVEY_LINES], feet[SURVEY_LINES];
    int n_heads, n_feet, seen;
    int seen_left;   /* as survey_line.left */
    bool alternates; /* left and right pages have headers or footers of their own */
    /* For survey.c. */
    unsigned sizes[400]; /* characters of each quarter of a point */
    struct survey_sides {
        float width, height;           /* of the pages */
        float left[1000], right[1000]; /* exactly: where the outermost line of each point is */
        /* Where lines begin and end, [1]: as `facing`; and where those that go on in the next line
         * would have ended with its first word. */
        unsigned lefts[2][1000], rights[2][1000], limits[1000];
    } sides[SURVEY_SIDES]; /* of pages of a size each */
    struct survey_edge {
        float y, base;
        bool lone; /* nothing but a number */
        int line;  /* of heads or feet; -1 */
    } tops[SURVEY_PAGES][SURVEY_EDGE], bottoms[SURVEY_PAGES][SURVEY_EDGE];
    float widths[SURVEY_PAGES], heights[SURVEY_PAGES]; /* of the pages that were looked at */
    float width, height;                               /* of most of them */
};

/* Adds a page. */
void survey_add(struct survey *survey, struct arena *arena, const struct sheet *sheet);
/* After the last one. */
void survey_end(struct survey *survey);
/* The number a page has in headers and footers; 0: they have none. */
int survey_page_number(const struct survey *survey, size_t page);
/* From the edge of the page to the header, and from the footer to the edge; 0: there is none. */
float survey_head_y(const struct survey *survey);
float survey_foot_y(const struct survey *survey);
/* The same for the document that is made: where there is little room between text and footer it is
 * a bit lower, as a line more than there was would have a page to itself. */
float survey_foot_place(const struct survey *survey);
/* The line's text without blanks, of at most SURVEY_TEXT bytes; its numbers become '#' and, unless
 * that is NULL, go to `at`. */
void survey_text(const struct line *line, char *out, struct survey_line *at);
/* Which of the lines it is, with its baseline nearer than `by` points; -1. */
int survey_find(const struct survey_line *lines, int n, const char *text, float base, float by);
/* Whether there are headers, and footers. */
bool survey_has_heads(const struct survey *survey);
bool survey_has_feet(const struct survey *survey);
