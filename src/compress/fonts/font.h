/* font: makes font programs smaller: subsets, and CFF in place of Type 1. */
#pragma once

#include "compress/fonts/descriptor.h"
#include "compress/fonts/font_need.h"
#include "compress/streams/new_stream.h"

/* Replaces `out`, the original program of which only some glyphs are needed, by a smaller version,
 * if it finds one. `may_convert`: a Type 1 program may become CFF, which its descriptors must then
 * say (descriptor.h). `unhinted`: remove hints. */
enum font_change font_recode(const struct font_need *need, struct obj program, bool may_convert,
                             bool unhinted, struct new_stream *out);
/* Appends the program with no other outlines than the needed ones, as the kind it is. False if that
 * is not possible, as for Type 1. */
bool font_cut(const struct font_need *need, struct obj program, struct buf *out);
/* Removes from a map of CIDs to glyphs those of which the program does not keep the glyph. */
void font_recode_map(const struct font_need *need, struct obj map, struct new_stream *out);
