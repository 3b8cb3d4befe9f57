/*
 * markup: how deep XML nests and how long its paragraphs are, of OOXML and ODF: LibreOffice lays
 * out neither tables in thousands of tables nor a paragraph of millions of characters in the time
 * of a job.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct markup {
    long depth, deepest;   /* elements in each other */
    size_t run, longest;   /* bytes of text in a paragraph, its elements not counted */
    size_t tag;            /* bytes of the tag that is being read, 0: none */
    char name[24], before; /* its name, cut; the byte before this one */
    char quote;            /* that an attribute's value ends with, 0: in none */
    bool named;            /* the name is complete */
    bool data;             /* what stands here is Base64 and no text */
};

/* Reads the next n bytes of a part; its pieces one after the other. UTF-16 is read as well. A
 * struct markup of zeros has read nothing. */
void markup_feed(struct markup *markup, const char *data, size_t n);
