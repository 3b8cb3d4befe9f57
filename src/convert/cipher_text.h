/*
 * cipher_text: text of Type 3 fonts (ISO 32000-2, 9.6.4) that reads as no text. Such fonts draw
 * their glyphs by content streams and call them what they like: without ToUnicode, or with a wrong
 * one, the characters are a guess from the numbers in these names.
 */
#pragma once

#include <stddef.h>

#include "layout/page/model.h"
#include "layout/page/page_content.h"

/*
 * How many characters of Type 3 fonts a page has, if most of them are in words that no language and
 * no notation has: with signs between letters and digits, without a vowel, or without an end. 0:
 * they read as text, or are too few to say.
 */
size_t cipher_text_count(const struct page_content *content, const struct page *page);
