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
    int value;       /* of a number, from 1; the last one of several */
    int depth;       /* how many numbers there are, if several */
    int parent;      /* and the one before the last */
    bool open;       /* "(1)" */
    char close;      /* '.', ')' or '\0' */
    uint32_t color;  /* 0xRRGGBB */
    float size;      /* of its letters */
    uint16_t font;   /* of the document's */
    bool tagged;     /* a tagged PDF says that it is one */
    bool narrow;     /* no more than a space is after it */
    float x;         /* of its left edge, in the column */
    float text;      /* of the text after it */
};

#define NUMBERING_LEVELS 6

struct numbering_list {
    struct label levels[NUMBERING_LEVELS]; /* as they began; value: the start */
    int last[NUMBERING_LEVELS];
    int n_levels, level; /* known, and the last one used */
};

struct numbering {
    struct numbering_list *items;
    size_t n, cap;
    bool open; /* the last one may go on */
};

/* Sets *list (from 1) and *level. 0: it is no list's (out of memory, too many lists). */
int numbering_place(struct numbering *numbering, const struct label *label, int *level);
/* Of labels that can be a letter or a Roman number ("i."): the one that goes on where lists are. */
void numbering_resolve(const struct numbering *numbering, struct label *label);
/* Whether the label would continue the list that was used last. */
bool numbering_continues(const struct numbering *numbering, const struct label *label);
void numbering_free(struct numbering *numbering);

/* Reads a label from the characters of a word. False if they are none. */
bool label_read(const uint32_t *codes, size_t n, struct label *label);
