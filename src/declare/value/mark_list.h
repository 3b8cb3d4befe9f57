/*
 * mark_list: the value of sign's `placements`: what is put on which page, and where, as a JSON list
 * such as [{"type":"image","page":2,"x":300,"y":700,"width":150},
 * {"type":"text","text":"1 May 2026","x":60,"y":700,"width":90}].
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define MARK_LIST_ITEMS 500    /* limit of the marks of one list */
#define MARK_LIST_CHARS 150000 /* limit of the text's length */
#define MARK_LIST_TEXT  500    /* limit of a mark's text in characters */
#define MARK_LIST_PAGE  24     /* room for the page of a mark, with a NUL */
#define MARK_LIST_LEAST 2.0    /* least width in points */
#define MARK_LIST_MOST  14400.0

enum mark_type { MARK_IMAGE, MARK_INITIALS, MARK_TEXT, MARK_TICK, MARK_CROSS };

struct mark {
    enum mark_type type;
    char page[MARK_LIST_PAGE]; /* a page list that names one page (declare/value/page_list.h) */
    /* In points, from the top left corner of the displayed page to that of the mark before it is
     * rotated, y downwards. The height follows from what is shown. */
    double x, y, width;
    double rotation; /* degrees counterclockwise, around the middle of the mark */
    char *text;      /* of a MARK_TEXT, else NULL */
    uint32_t color;  /* 0xRRGGBB; of all but pictures */
};

struct mark_list {
    struct mark *items;
    size_t n;
};

/* Parses the text; call mark_list_free in any case. ERR_INVALID_PARAMETER names the mark as field
 * ("placements[2]"): `name` is the name of the parameter. */
int mark_list_read(const char *name, const char *text, struct mark_list *out, struct err *err);
void mark_list_free(struct mark_list *list);
#define AUTO_MARK_LIST __attribute__((cleanup(mark_list_free)))
