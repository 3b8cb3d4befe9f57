/* wanted: the words that an OOXML document shows when it is printed as it says. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "engine/office_parts/zip.h"

/* Which words are meant. */
struct wanted {
    bool slides;        /* of a presentation; else of a text document */
    bool hidden_slides; /* of hidden slides too */
};

/* `n` bytes of UTF-8; `place` is where the word is, such as "slide 3", valid during the call. */
typedef void wanted_word(void *arg, const char *word, size_t n, const char *place);

/* Calls `each` for every word: of the body and the notes of a text document, of the slides of a
 * presentation, and of diagrams. Left out are words of one or two letters, of scripts with other
 * orders and shapes, with characters that are written as entities, what is hidden or was deleted,
 * and the stored results of fields, which are computed again. */
int wanted_words(struct zip *zip, const struct wanted *what, wanted_word *each, void *arg,
                 struct err *err);
