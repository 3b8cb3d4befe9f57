/* info_images: the images that pages show, where they are, and their resolution there. */
#pragma once

#include <jansson.h>

#include "pdf/document/doc.h"

/* A new array. *cut: there was too much content to look at all. NULL when out of memory. */
json_t *info_images(struct pdf_doc *doc, bool *cut);
