/*
 * formulas: mathematics in Markdown: $...$ and $$...$$ within a paragraph, $`...`$, and lines
 * between two lines of $$, which become code blocks of the language "math" before the text is
 * parsed.
 */
#pragma once

#include <cmark-gfm-extension_api.h>

#include "base/buf.h"
#include "write/article/places.h"
#include "write/mathml/tex_macro.h"

struct formulas {
    cmark_syntax_extension *extension;
    struct tex_macros macros; /* that the text defines */
    struct places unknown;    /* formulas that are shown as their source, with the reason */
    /* Where a search for the end of a formula came to the end of a block, for each of the ways in
     * which formulas begin: a later one in the same block is in vain, too. */
    struct {
        const cmark_node *block;
        int from;
    } open[3];
};

/* Attaches the syntax to a parser. Formulas become nodes of HTML with user data, which those of
 * the text have not. formulas_free after the document is freed. */
void formulas_attach(struct formulas *formulas, cmark_parser *parser);
void formulas_free(struct formulas *formulas);
/* Appends a formula as HTML. Its source is shown if it cannot be read. */
void formulas_put(struct formulas *formulas, const char *text, size_t n, bool display, int line,
                  struct buf *out);
/* Changes lines between $$ to code blocks, and reads the definitions in them, which hold for
 * formulas before them, too. The number of lines stays. */
void formulas_mark_blocks(struct formulas *formulas, struct buf *text);
