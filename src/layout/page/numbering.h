/*
 * numbering: the lists of a document. A label (a bullet, "3.", "b)") that continues a list gets its
 * number and level; one that does not begins a list of its own, so that the labels a reader sees
 * are those of the PDF.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum label_kind {
    LABEL_NONE,
    LABEL_BULLET,
    LABEL_DECIMAL,
    LABEL_LOWER,
    LABEL_UPPER,
    LABEL_ROMAN,
    LABEL_OUTLINE /* "1.2": with the numbers of the levels above */
};

struct label {
    enum label_kind kind;
    uint32_t bullet; /* Unicode */
    int value;       /* the number, from 1; of several ("2.1.3") the last one */
    int depth;       /* how many numbers there are, if several */
    int parent;      /* the one before the last */
    bool open;       /* the label begins with a bracket: "(1)" */
    char close;      /* '.', ')' or '\0' */
    uint32_t color;  /* 0xRRGGBB */
    float size;      /* font size of its letters in points */
    uint16_t font;   /* index of the document's font */
    bool tagged;     /* a tagged PDF marks it as a label */
    bool narrow;     /* no more than a space follows it */
    bool mixed;      /* items next to those with this bullet have another one: it says something */
    float x;         /* its left edge, in points from the column's */
    float text;      /* the left edge of the text after it, likewise */
};

#define NUMBERING_LEVELS 6 /* limit of the levels of a list */

struct numbering_list {
    struct label levels[NUMBERING_LEVELS]; /* the first label of each level; value: the start */
    int last[NUMBERING_LEVELS];            /* the latest value of each level */
    int n_levels, level; /* n_levels: known levels; level: the one that was used last */
};

struct numbering {
    struct numbering_list *items;
    size_t n, cap;
    bool open; /* the paragraph before was an item of the last list; the caller's */
};

/* Finds the list that a label continues, or makes a list that begins with it. Returns the number of
 * the list, from 1, and sets *level, from 0. 0: no list (out of memory, or too many lists). */
int numbering_place(struct numbering *numbering, const struct label *label, int *level);
/* Decides whether a label such as "i." is a letter or a Roman number: the one that continues a
 * list. */
void numbering_resolve(const struct numbering *numbering, struct label *label);
/* Whether the label would continue the list that was used last. */
bool numbering_continues(const struct numbering *numbering, const struct label *label);
void numbering_free(struct numbering *numbering);

/* Reads a label from the characters of a word. False if it is not one. */
bool numbering_read_label(const uint32_t *codes, size_t n, struct label *label);
