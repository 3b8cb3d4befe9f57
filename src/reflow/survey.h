/*
 * survey: what is the same on all pages of a document, learnt from some of them before the first is
 * written: the size of its text and headings, its margins, headers and footers.
 */
#pragma once

#include "reflow/words.h"

#define SURVEY_PAGES    12 /* that are looked at */
#define SURVEY_HEADINGS 3
#define SURVEY_LINES    24 /* of headers and footers */
#define SURVEY_EDGE     6
#define SURVEY_NUMBERS  12
#define SURVEY_TEXT     200

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
    struct margins margins;
    float bottom; /* from where text ends at most to the edge; margins.bottom is less */
    struct survey_line heads[SURVEY_LINES], feet[SURVEY_LINES];
    int n_heads, n_feet, seen;
    int seen_left;   /* as survey_line.left */
    bool alternates; /* left and right pages have headers or footers of their own */
    /* For survey.c. */
    unsigned sizes[400]; /* characters of each quarter of a point */
    unsigned lefts[1000], rights[1000];
    struct survey_edge {
        float y;
        int line; /* of heads or feet; -1 */
    } tops[SURVEY_PAGES][SURVEY_EDGE], bottoms[SURVEY_PAGES][SURVEY_EDGE];
    float width, height;
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
/* Marks the words of the page's header and footer as used; they are appended to `head` and
 * `foot`. */
void survey_take(const struct survey *survey, struct arena *arena, struct sheet *sheet,
                 struct word *words, size_t n, struct word_list *head, struct word_list *foot);
