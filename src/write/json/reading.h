/*
 * reading: the words of a page in the order in which they are read, as words, lines and blocks:
 * what the layout analysis found, with all that it left out, so that no word is missing.
 */
#pragma once

#include "layout/page/words.h"

enum reading_kind {
    READING_PARAGRAPH,
    READING_HEADING,
    READING_ITEM, /* of a list */
    READING_TABLE,
    READING_FIGURE,
    READING_HEADER, /* repeats at the upper edge of pages */
    READING_FOOTER,
};

struct reading_word {
    const struct word *word;
    size_t number; /* in the order of the file, from 0: it is the same whatever is read with it */
    struct area box;
};

/* Boxes are those of the page as seen (write/json/seen.h). */
struct reading_line {
    size_t from, n; /* words */
    struct area box;
    bool rtl;
};

struct reading_block {
    enum reading_kind kind;
    const struct block *block;         /* of the model; NULL: text that is not in it */
    const struct paragraph *paragraph; /* NULL: it is not one of the model */
    size_t from, n;                    /* lines */
    struct area box;
};

struct reading {
    struct arena *arena;
    const struct page *page;
    const struct page_content *content;
    struct buf *scratch; /* for callers; borrowed */
    /* what the document says of all its text, as a BCP 47 tag; set by callers; NULL: nothing */
    const char *language;
    struct reading_word *words;
    struct reading_line *lines;
    struct reading_block *blocks;
    size_t n_words, n_lines, n_blocks;
    size_t cap_words, cap_lines, cap_blocks;
    bool *taken; /* for each word of the page */
};

/* Reads a page; everything lives in the arena, and borrows from page, content and scratch. Jumps to
 * arena->full without memory, as do the functions below. */
struct reading reading_make(struct arena *arena, struct buf *scratch, const struct page *page,
                            const struct page_content *content);
/* Whether there is a space between a word and the one before it in its line. */
bool reading_is_apart(const struct reading *reading, size_t at);
/* Append the text of a word, of a line, of a block or of a cell. Paragraphs of a cell are divided
 * by line breaks. */
void reading_put_word(const struct reading *reading, const struct word *word, struct buf *out);
void reading_put_line(const struct reading *reading, const struct reading_line *line,
                      struct buf *out);
void reading_put_block(const struct reading *reading, const struct reading_block *block,
                       struct buf *out);
void reading_put_cell(const struct reading *reading, const struct cell *cell, struct buf *out);
