/*
 * page_svg: the pages of a document as SVG files (SVG 1.1), one part of the result each: paths and
 * pictures as they are, text as outlines or as text, links.
 *
 * What SVG viewers do not draw alike - blend modes and soft masks of groups - would be lost: a page
 * that has it is a picture inside of its SVG file, with the warning drawn_as_picture. Shadings are
 * pictures (shading_as_picture).
 */
#pragma once

#include <stdbool.h>

#include "declare/tool_run/run.h"

struct page_svg_options {
    const char *password; /* or NULL */
    const char *pages;    /* a page list */
    bool text;            /* text is text, in the fonts of the viewer, and not outlines */
    bool annotations;     /* comments, stamps and form fields are drawn */
};

/* Does the whole job, like page_image_draw. ERR_LIMIT_EXCEEDED for a page that needs too much. */
int page_svg_draw(struct tool_run *run, const struct page_svg_options *options, struct err *err);
