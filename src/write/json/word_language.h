/*
 * word_language: the language of a word, as far as it is known: what the document states for it or
 * for its element, else for all its text, unless that language is not written in the word's script;
 * else what the script says, if one language is written in it.
 */
#pragma once

#include "write/json/reading.h"

/* A BCP 47 tag, borrowed from the reading; NULL: the language is not known. */
const char *word_language(const struct reading *reading, const struct word *word);
