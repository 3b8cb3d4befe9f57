/*
 * claim: which part of the model shows a word or a fill of a page. The passes of the layout
 * analysis (layout/layout.c) claim what they show, one after the other; what one of them has
 * claimed is left alone by those after it. Only the functions below write `claimed_by` and
 * `reserved` (check/banned.sh).
 */
#pragma once

#include <stdbool.h>

enum owner {
    OWNER_NONE,
    OWNER_HEADER_FOOTER,
    OWNER_RULED_TABLE,
    OWNER_BORDERLESS_TABLE,
    OWNER_TAGGED_TABLE,
    OWNER_KEY_VALUE_TABLE,
    OWNER_FRAME, /* paragraphs in a frame */
    OWNER_CHART,
    OWNER_MARGIN_NOTE,
    OWNER_ROTATED,
    OWNER_TEXT,       /* paragraphs of the columns, with their borders and footnotes */
    OWNER_DIAGRAM,    /* labels over a page that is one drawing */
    OWNER_PLAIN,      /* lines of a page that was not understood */
    OWNER_BULLET,     /* fills from here on: a drawing that became a character */
    OWNER_FORMULA,    /* a fraction bar or the line of a root */
    OWNER_DECORATION, /* an underline, a highlight */
    OWNERS
};

struct word;
struct fill;

/* Make `owner` the owner. False if there is another one, which it keeps: a word that is reserved
 * for a table is not given to OWNER_HEADER_FOOTER either. */
bool claim_word(struct word *word, enum owner owner);
bool claim_fill(struct fill *fill, enum owner owner);
/* Reserves a word for a table at the edge of the page: it is not in a header or footer. */
void claim_reserve(struct word *word);
/* The name of an owner, such as "ruled_table". */
const char *claim_name(enum owner owner);
