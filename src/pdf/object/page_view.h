/*
 * page_view: how readers display a page (ISO 32000-2, 7.7.3.3 and 8.3.2.3): its crop box, rotation
 * and user unit.
 */
#pragma once

#include "pdf/object/obj.h"

struct page_view {
    double width, height; /* size as displayed, in points; at least 1 */
    /* From displayed coordinates (points from the bottom left corner, y upwards) to the
     * coordinates of the page's content: the operands of cm. */
    double matrix[6];
    int rotation;  /* clockwise: 0, 90, 180 or 270 */
    double unit;   /* points in one unit of the page's coordinates */
    double box[4]; /* the displayed area in the page's coordinates: left, bottom, right, top */
};

enum page_attribute {
    PAGE_MEDIA_BOX,
    PAGE_CROP_BOX,
    PAGE_BLEED_BOX,
    PAGE_TRIM_BOX,
    PAGE_ART_BOX,
    PAGE_ATTRIBUTES
};

/* What the pages of one node of the page tree inherit, so that the nodes above are not read for
 * each page again; a zeroed one is empty. Valid as long as the tree does not change. */
struct page_heritage {
    struct obj page; /* borrowed, and only compared: handles are never given out again */
    bool has_node;   /* that page */
    int64_t node;
    struct obj values[PAGE_ATTRIBUTES];
    int rotation;
};

void page_heritage_free(struct page_heritage *heritage);
#define AUTO_PAGE_HERITAGE __attribute__((cleanup(page_heritage_free)))

/* Like page_view_inherited and page_view_read, for one page after another. */
struct obj page_view_attribute(struct obj page, enum page_attribute attribute,
                               struct page_heritage *heritage);
void page_view_read_next(struct obj page, struct page_heritage *heritage, struct page_view *view);

/* Reads the view of a page; invalid values are replaced as readers replace them. */
void page_view_read(struct obj page, struct page_view *view);

/* The rotation of a page, inherited included (7.7.3.4), as 0, 90, 180 or 270; a value that is
 * not a multiple of 90 counts as 0, as in readers. */
int page_view_rotation(struct obj page);

/* The value of an attribute that pages inherit; `from`, if not NULL, becomes the node that has
 * it (the caller owns both). Null if there is none. */
struct obj page_view_inherited(struct obj page, const char *key, struct obj *from);
