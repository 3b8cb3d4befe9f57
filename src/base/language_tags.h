/*
 * language_tags: a list of languages by their BCP 47 tags, as documents state them for parts of
 * their text (ISO 32000-2, 14.9.2), each once, so that one byte names the language of a character.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define LANGUAGE_TAGS_LENGTH 36 /* bytes of a tag, with its NUL */

struct language_tags {
    char (*items)[LANGUAGE_TAGS_LENGTH];
    size_t n, cap;
};

/* Copies a tag ("en_US" becomes "en-US"); "" says that the language is not known. Returns -1 if the
 * text is not a tag. */
int language_tags_clean(const char *text, char tag[static LANGUAGE_TAGS_LENGTH]);
/* The number of a language, from 1; 0: the text is not a tag, or there is no room for it. */
uint8_t language_tags_add(struct language_tags *list, const char *text);
/* The tag of a number; NULL: the number is 0. */
const char *language_tags_find(const struct language_tags *list, uint8_t number);
void language_tags_free(struct language_tags *list);
