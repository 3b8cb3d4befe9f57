/* font_need: what a document needs of one font program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct font_need {
    int64_t id;      /* of the stream */
    bool whole;      /* the program must be kept as it is */
    bool form;       /* forms refer to it by its name */
    bool cmap;       /* characters are found by the program's own map */
    bool names;      /* characters are found by the names of its glyphs */
    uint64_t *keep;  /* set of glyphs (font/subset.h) */
    uint64_t *codes; /* set of USAGE_CODES codes that are looked up in a TrueType program's own map;
                        NULL if there are none */
    int64_t name;    /* a hash of its font's name without the tag of a subset; 0: none */
};
