/*
 * survey: statistics of a document, from a sample of its pages, made before the first page is
 * written: sizes of text and headings, margins, headers and footers.
 */
#pragma once

#include "layout/paragraph/running.h"
#include "layout/paragraph/titles.h"

#define SURVEY_PAGES   12    /* limit of sampled pages */
#define SURVEY_LINES   24    /* limit of lines of headers and of footers */
#define SURVEY_TOP     0.12F /* part of the height in which headers are; the same for footers */
#define SURVEY_EDGE    6     /* lines that are examined at the top and at the bottom of a page */
#define SURVEY_NUMBERS 12    /* limit of the numbers in one line */
#define SURVEY_TEXT    200   /* room for the text of a line with its NUL */
#define SURVEY_SIDES   3     /* limit of the other sizes of pages that get margins */

/* What becomes of headers and footers. */
enum survey_headers {
    /* They are the document's own, as in Word; a document of one page has them too. */
    SURVEY_HEADERS_APART,
    /* They are left out of the result. What stands on one page only is text, unless it is the
     * page's number. */
    SURVEY_HEADERS_DROP,
    SURVEY_HEADERS_KEEP, /* they are text of their pages */
};

/* A line at the top or bottom of pages; digits in `text` are '#'. */
struct survey_line {
    char text[SURVEY_TEXT];
    float base, size;
    int pages;   /* number of pages that have it */
    int left;    /* number of these pages that have an odd index in the file, from 0 */
    bool apart;  /* white space separates it from the text */
    bool common; /* on most of the pages */
    /* Numbers in it, on the first page that has it; which of them are page numbers. */
    int numbers[SURVEY_NUMBERS], n_numbers;
    bool varies[SURVEY_NUMBERS]; /* whether a number is not the same on all pages */
    bool counts[SURVEY_NUMBERS];
    size_t page;
    /* On the last page so far, and how often each number did not count the pages in between. */
    int last[SURVEY_NUMBERS], jumps[SURVEY_NUMBERS];
    size_t last_page;
};

struct survey {
    enum survey_headers headers;    /* set before the first page is added */
    size_t n_pages;                 /* of the document */
    float body;                     /* size of most of its text */
    float headings[MODEL_HEADINGS]; /* sizes in descending order */
    int n_headings;
    struct margins margins; /* of pages with an even index in the file, from 0 */
    struct margins facing;  /* of the other pages */
    bool mirrored;          /* `facing` equals `margins` with left and right exchanged */
    struct survey_other {
        float width, height, left, right;
    } others[SURVEY_SIDES]; /* margins of pages of other sizes; width 0: not known */
    struct running running;
    struct titles titles;
    float bottom; /* from the lowest end of text to the page's edge; margins.bottom is smaller */
    struct survey_line heads[SURVEY_LINES], feet[SURVEY_LINES];
    int n_heads, n_feet, seen;
    /* Texts of the first rows of tables at the top of pages, as in survey_line. */
    char rows[SURVEY_LINES][SURVEY_TEXT];
    int n_rows;
    int seen_left;   /* like survey_line.left */
    bool alternates; /* left and right pages have different headers or footers */
    /* Private to survey.c. */
    bool has_content, has_edges; /* there is something besides, and in, headers and footers */
    unsigned sizes[400];         /* number of characters for each quarter of a point */
    struct survey_sides {
        float width, height;           /* of the pages */
        float left[1000], right[1000]; /* exact position of the outermost line in each point */
        /* Histograms of where lines begin and end, [1]: for `facing`; and of where lines would
         * have ended with the first word of the next line. */
        unsigned lefts[2][1000], rights[2][1000], limits[1000];
    } sides[SURVEY_SIDES]; /* for each other page size */
    struct survey_edge {
        float y, base;
        bool only_number; /* it contains only a number */
        int line;         /* index in heads or feet; -1: none */
    } tops[SURVEY_PAGES][SURVEY_EDGE], bottoms[SURVEY_PAGES][SURVEY_EDGE];
    float widths[SURVEY_PAGES], heights[SURVEY_PAGES]; /* of the sampled pages */
    float width, height;                               /* of most of them */
};

/* Adds a page with its words, of which those of tables are reserved. */
void survey_add(struct survey *survey, struct arena *arena, const struct page_content *content,
                struct word *words, size_t n);
/* Evaluates the pages that were added. */
void survey_end(struct survey *survey);
/* The page number in headers and footers; 0: they have none. */
int survey_page_number(const struct survey *survey, size_t page);
/* The distance from the edge of the page to the header, and from the footer to the edge, in points;
 * 0: there is none. */
float survey_head_y(const struct survey *survey);
float survey_foot_y(const struct survey *survey);
/* The same for the document that is made: a bit lower if there is little space between text and
 * footer, because one line too many would get a page of its own. */
float survey_foot_place(const struct survey *survey);
/* The line's text without blanks, at most SURVEY_TEXT bytes; its numbers become '#' and are
 * stored in `at`, unless that is NULL. */
void survey_text(const struct line *line, char *out, struct survey_line *at);
/* The index of the line, among the n, that has this text, and its baseline nearer than `by` points
 * to `base`; -1: there is none. */
int survey_find(const struct survey_line *lines, int n, const char *text, float base, float by);
/* Whether there are headers, and footers. */
bool survey_has_heads(const struct survey *survey);
bool survey_has_feet(const struct survey *survey);
