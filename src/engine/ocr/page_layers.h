/* page_layers: the layers of a page's picture, made in the page's process and read by its parent.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "image/layers/layers.h"

enum page_layers_state { PAGE_LAYERS_NONE, PAGE_LAYERS_MADE, PAGE_LAYERS_LOST, PAGE_LAYERS_FAILED };

/* What a page's process leaves in memory that it shares, besides the data in a file. */
struct page_layers_head {
    enum page_layers_state state;
    struct layers layers; /* its buffers have lengths alone */
};

/* Draws the page at this resolution, splits the picture, and writes the data to the file. */
void page_layers_make(struct mupdf_document *doc, size_t page, const struct layers_options *options,
                      int fd, struct page_layers_head *head);
/* Reads the layers of a process that is not trusted; `out` is to be freed by layers_free. What does
 * not fit leaves them out: PAGE_LAYERS_FAILED. Empties the file. */
enum page_layers_state page_layers_read(int fd, const struct page_layers_head *head,
                                        struct layers *out);
