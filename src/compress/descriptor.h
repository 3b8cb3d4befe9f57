/*
 * descriptor: fonts and their descriptors after their programs were made smaller: a program that
 * is CFF now is one of /FontFile3 (ISO 32000-2, table 124), and a subset's name has a tag (9.9.2).
 */
#pragma once

#include "compress/inventory.h"

/* Gives the font of a program a tag, made of what the program is now. */
void descriptor_tag(struct object *program, const struct buf *data);

/* When all streams are made. Changes the values of other objects; again after each writing. False
 * when out of memory. */
bool descriptor_follow(struct inventory *objects);
