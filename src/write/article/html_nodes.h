/* html_nodes: HTML and links in Markdown: what is kept, shown as text or removed. */
#pragma once

#include <cmark-gfm.h>
#include <stdbool.h>

#include "base/buf.h"
#include "write/article/places.h"
#include "write/article/slugs.h"

struct html_nodes {
    bool as_html;          /* HTML is kept, but for the tags that are filtered */
    struct places as_text; /* HTML that is shown as text */
    struct places unsafe;  /* links that were removed */
    struct places lost;    /* links without a target */
};

/* Changes a node if it is HTML or a link. The node stays where it is. */
void html_nodes_change(struct html_nodes *nodes, cmark_node *node);
/* Finds the links to headings that are not there. */
void html_nodes_check_links(struct html_nodes *nodes, cmark_node *root, const struct slugs *slugs);
/* Appends the text of a node, without markup. */
void html_nodes_text(cmark_node *node, struct buf *out);
