/*
 * references: the marks of notes, in the text and where a note begins, and which belongs to which.
 */
#pragma once

#include "page/arena.h"
#include "page/model.h"

/* The mark at the beginning of a note, or in the text. */
struct mark {
    const char *text; /* in its run */
    size_t n;
    int number; /* 0: it is none */
};

/* A run of the text that may be the mark of a note. */
struct reference {
    struct paragraph *paragraph;
    size_t run;
    struct mark mark;
    bool likely; /* it stands at a word or behind a sentence, and not at a unit or a variable */
};

/* Those of a page, in the order of reading. */
struct references {
    struct arena *arena;
    struct reference *items;
    size_t n, cap;
    size_t next; /* the first that is behind the last note's */
};

/* All in the blocks. May longjmp. */
void references_add(struct references *references, struct block *blocks, size_t n);
/* Those up to the last one that has a note are behind. */
void references_pass(struct references *references);
/* The reference, from `at` on, of the note that begins with the paragraph, whose mark is set; NULL:
 * none begins there. `last`: the mark of the note before it, which it counts on from. */
struct reference *references_find(const struct references *references, size_t at,
                                  const struct paragraph *p, const struct mark *last,
                                  struct mark *mark);
/* Makes a note of the paragraph, which the reference refers to; the next one is behind that. May
 * longjmp. */
struct footnote *references_note(struct references *references, struct reference *reference,
                                 struct paragraph *p, const struct mark *mark);
/* Whether a note may begin with the paragraph, with which mark; and whether that is raised. */
bool mark_find(const struct paragraph *p, struct mark *mark);
bool mark_is_raised(const struct paragraph *p);
/* Whether text goes on with the note; it does where the line that is above notes is above it. */
bool footnote_goes_on(const struct footnote *note, const struct paragraph *p, bool ruled);
/* The paragraph goes on in the note, or is another one of it. May longjmp. */
void footnote_add(struct arena *arena, struct footnote *note, const struct paragraph *p);
