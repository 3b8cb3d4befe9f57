/*
 * markup: measures how deep the XML of OOXML and ODF nests and how long its paragraphs are:
 * LibreOffice needs more than a job's time for tables nested thousands deep, or a paragraph of
 * millions of characters.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct markup {
    long depth, deepest;   /* depth of nested elements */
    size_t run, longest;   /* bytes of text in a paragraph, without its elements */
    size_t tag;            /* bytes of the current tag, 0: none */
    char name[24], before; /* its name, cut; the previous byte */
    char quote;            /* the quote that ends an attribute's value, 0: outside */
    bool named;            /* the name is complete */
    bool data;             /* the current content is Base64, not text */
};

/* Reads the next n bytes of a part; pieces must be in order. UTF-16 is supported, too. A zeroed
 * struct markup is the start. */
void markup_feed(struct markup *markup, const char *data, size_t n);
