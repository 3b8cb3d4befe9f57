/*
 * arrangement: the value of merge's `arrange`: the pages of several files in a new order, such as
 * "1:1-3,2:5@90,1:4".
 *     list  = item *( "," item )          blanks may separate tokens
 *     item  = FILE ":" PAGES ["@" TURN]
 *     FILE  = the number of a file, counted from 1
 *     PAGES = one item of a page list (declare/value/page_list.h) without "!", or "blank": an empty
 * page of the size of the page before it, or of the first page of FILE if it is the first TURN  =
 * 90, 180 or 270: degrees clockwise, added to the page's own rotation
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define ARRANGEMENT_ITEMS 50000  /* limit of the items of one list */
#define ARRANGEMENT_BYTES 180000 /* limit of the text's length */
#define ARRANGEMENT_PAGES 48     /* room for the PAGES of one item, with a NUL */

struct arrangement_item {
    size_t file; /* index, from 0 */
    int turn;    /* 0, 90, 180 or 270 */
    bool blank;
    char pages[ARRANGEMENT_PAGES]; /* a page list of one item; "" for a blank page */
};

struct arrangement {
    struct arrangement_item *items;
    size_t n;
};

/* Checks the syntax. ERR_INVALID_PARAMETER names the item. */
int arrangement_check(const char *text, struct err *err);
/* Parses the text; call arrangement_free in any case. ERR_INVALID_PARAMETER as above. */
int arrangement_read(const char *text, struct arrangement *out, struct err *err);
void arrangement_free(struct arrangement *arrangement);
#define AUTO_ARRANGEMENT __attribute__((cleanup(arrangement_free)))

/* Puts the i-th item in front of an error's message: "item 3 of arrange, 2:99". Returns -1. */
int arrangement_blame(const struct arrangement *arrangement, size_t i, struct err *err);
