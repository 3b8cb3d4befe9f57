/*
 * descriptor: updates fonts and their descriptors after their programs were made smaller: a program
 * that was converted to CFF belongs in /FontFile3 (ISO 32000-2, table 124), and a subset's name has
 * a tag (9.9.2).
 */
#pragma once

#include "compress/object_graph/equal_objects.h"
#include "compress/object_graph/node_values.h"

enum font_change {
    FONT_WHOLE,
    FONT_SUBSET,    /* it lost glyphs */
    FONT_CONVERTED, /* it lost glyphs and was converted to CFF */
};

struct descriptors {
    const struct equal_objects *objects;
    struct node_values *values;
    struct descriptor {
        enum font_change change; /* of a font program: when it was last written */
        char tag[8];             /* of a font program: "ABCDEF+" for its font's name, or "" */
        bool is_cff;             /* of a font program: its descriptors say so */
        bool tagged;             /* of a font or its descriptor: its name has got a tag */
    } * of;                      /* by node */
};

/* Both must outlive the result. False when out of memory. */
bool descriptor_open(struct descriptors *descriptors, const struct equal_objects *objects,
                     struct node_values *values);
void descriptor_close(struct descriptors *descriptors);

/* Notes what became of a font program, with the new data if its font's name is to have a tag, which
 * is made from them; else NULL. */
void descriptor_note(struct descriptors *descriptors, uint32_t program, enum font_change change,
                     const struct buf *data);

/* Changes the values of the fonts and descriptors that refer to such programs, after all streams
 * were made; called again after each writing. False when out of memory. */
bool descriptor_follow(struct descriptors *descriptors);
