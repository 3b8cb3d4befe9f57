/*
 * footnotes: the notes at the end of a page or column, which marks in its text refer to. They leave
 * the text, which goes on over the end of its page or column without them.
 */
#pragma once

#include "page/arena.h"
#include "paragraph/survey.h"

/* Takes the notes of the page: the runs that are their marks refer to them, and the line above them
 * is used. Where one of them has no mark in the text, those of its column stay in the text, as does
 * all that is not surely a note. May longjmp. */
void footnotes_take(const struct survey *survey, struct arena *arena, struct sheet *sheet,
                    struct page *page);
/* Text at the end of `after` that goes on with the last note of `before` becomes a part of that.
 * `arena` is that of `before`. May longjmp. */
void footnotes_join(struct arena *arena, struct page *before, struct page *after);
/* Puts it back, with the line above it. */
void footnotes_part(struct page *after);
