/*
 * references: finds the marks of footnotes, in the text and at the beginnings of footnotes, and
 * matches them.
 */
#pragma once

#include "layout/page/arena.h"
#include "layout/page/model.h"

/* The mark at the beginning of a footnote, or in the text. */
struct mark {
    const char *text; /* in its run */
    size_t n;
    int number; /* 0: it is not a number */
};

/* A run of the text that may be the mark of a footnote. */
struct reference {
    struct paragraph *paragraph;
    size_t run;
    struct mark mark;
    bool likely; /* it follows a word or a sentence, and not a unit or a variable */
};

/* The possible marks of a page, in reading order. */
struct references {
    struct arena *arena;
    struct reference *items;
    size_t n, cap;
    size_t next; /* index of the first one after the last matched one */
};

/* Adds all possible marks of footnotes in the blocks. May longjmp. */
void references_add(struct references *references, struct block *blocks, size_t n);
/* Sets `next` to the reference after the last one that has a footnote. */
void references_pass(struct references *references);
/* Finds the reference, from `at` on, of a footnote that begins with the paragraph, and sets its
 * mark; NULL: no footnote begins there. `last`: the mark of the previous footnote, which a
 * number must continue. */
struct reference *references_find(const struct references *references, size_t at,
                                  const struct paragraph *p, const struct mark *last,
                                  struct mark *mark);
/* Makes the paragraph the footnote of the reference; later marks come after that one. May
 * longjmp. */
struct footnote *references_note(struct references *references, struct reference *reference,
                                 struct paragraph *p, const struct mark *mark);
/* Whether a footnote may begin with the paragraph, and its mark. */
bool references_find_mark(const struct paragraph *p, struct mark *mark);
/* Whether the paragraph begins with a raised mark. */
bool references_is_raised(const struct paragraph *p);
/* Whether text continues the footnote; it does if the separator line is above it. */
bool references_footnote_goes_on(const struct footnote *note, const struct paragraph *p,
                                 bool ruled);
/* Adds a paragraph to the footnote, as a continuation or a new paragraph. May longjmp. */
void references_add_footnote(struct arena *arena, struct footnote *note, const struct paragraph *p);
