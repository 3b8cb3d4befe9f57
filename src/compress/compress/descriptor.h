/*
 * descriptor: updates fonts and their descriptors after their programs were made smaller: a program
 * that was converted to CFF belongs in /FontFile3 (ISO 32000-2, table 124), and a subset's name has
 * a tag (9.9.2).
 */
#pragma once

#include "compress/compress/inventory.h"

/* Gives the font of a program a tag that is made from the program. */
void descriptor_tag(struct object *program, const struct buf *data);

/* Changes the fonts and descriptors that refer to such programs, after all streams were made;
 * called again after each writing. False when out of memory. */
bool descriptor_follow(struct inventory *objects);
