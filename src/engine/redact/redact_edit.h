/*
 * redact_edit: takes glyphs, pixels and paths that lie in areas of a page out of its content
 * streams (ISO 32000-1, 7.8.2), those of form XObjects, tiling patterns, soft masks and
 * appearances of annotations included, whether they are visible or not. Everything else keeps its
 * bytes and its place. A stream or a resource that other pages use, too, is copied, and not changed
 * there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "engine/redact/redact_font.h"
#include "engine/redact/redact_shape.h"
#include "engine/redact/redact_width.h"
#include "pdf/document/doc.h"
#include "pdf/object/obj.h"
#include "pdf/redact/redact_overlap.h"
#include "pdf/redact/redact_words.h"

struct redact_edit {
    struct pdf_doc *doc;
    struct redact_fonts fonts;
    struct redact_area *areas; /* of the page */
    size_t n_areas;
    unsigned char pixel; /* what is left of pixels: 0, black, to 255, white */
    uint64_t glyphs, images, paths, appearances; /* how many were removed or changed */
    int64_t *marked; /* the MCIDs (14.7.4) of the page with removed glyphs */
    size_t n_marked, cap_marked;
    bool damaged;   /* some content of the page is not a valid content stream, or has no fonts */
    bool unread;    /* some content of the page could not be read */
    bool no_memory; /* or there is more content than can be handled */

    /* Set: nothing is removed, and the text of all glyphs and of marked content is appended. */
    struct buf *read;

    /* Set: what is left of lines moves together, as far as it says. */
    struct redact_line *line;
    bool measuring; /* the glyphs are listed in `line`, and nothing is removed */

    /* Texts whose glyphs are removed wherever the content has them in the order of reading, even
     * if they are not seen; NULL: none. */
    const struct redact_words *words;
    uint64_t found; /* how often they were found in content */
    /* Texts that are removed from what content says without showing it; NULL: none. */
    struct redact_words *elsewhere;

    struct redact_overlap *overlap; /* what the places of hits lose is noted; NULL: it is not */

    bool spotting; /* the places of the glyphs that are removed are listed in `spots` */
    struct redact_quad *spots;
    size_t n_spots, cap_spots;

    /* Private. */
    struct redact_owner {
        size_t at, end; /* where the text of a glyph begins and ends in `read` */
        uint64_t glyph; /* its number in the content of the page */
    } * owners;
    size_t n_owners, cap_owners;
    uint64_t *gone; /* a bit for each glyph of the page that one of the texts has */
    uint64_t glyph, n_gone;
    double last[3]; /* where the last glyph that was read ended, and its size */
    uint64_t steps;
    int depth;
    unsigned named;
};
