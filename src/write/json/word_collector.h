/*
 * word_collector: keeps the words of all pages, in the order in which `extract` gives them, for a
 * comparison (layout/difference). Words that a line break or a change of font divides are joined,
 * and Chinese and Japanese text, which has no spaces, is divided into characters.
 */
#pragma once

#include "layout/difference/text_words.h"
#include "layout/page/writer.h"

/* A writer that adds to the list, which it borrows. ERR_LIMIT_EXCEEDED beyond TEXT_WORDS_MOST
 * words. */
struct writer word_collector(struct text_words *list);
