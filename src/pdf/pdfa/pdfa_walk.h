/* pdfa_walk: what the checks of a document for PDF/A share. */
#pragma once

#include "base/err.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

struct pdfa_walk {
    qpdf_data q;
    struct key_map seen; /* ids of objects that were checked */
    size_t page;         /* from 0 */
    struct err *err;
};

/* Sets ERR_UNSUPPORTED_CONTENT and returns -1: what the page has that is not accepted, in a
 * sentence that begins with "has". */
int pdfa_walk_refuse(struct pdfa_walk *walk, const char *what);
/* Whether an object is met for the first time; one that is not indirect always is. */
bool pdfa_walk_is_new(struct pdfa_walk *walk, struct obj object);

/* Checks a stream's dictionary (6.1.7), and decodes LZW, which is not allowed. */
int pdfa_walk_stream(struct pdfa_walk *walk, struct obj stream);
/* Checks a colour space (6.2.4). */
int pdfa_walk_space(struct pdfa_walk *walk, struct obj space, int depth);
/* Checks an image (6.2.8), with its masks. */
int pdfa_walk_image(struct pdfa_walk *walk, struct obj image);
/* Checks the dictionary of a transparency group, if there is one (6.2.10). */
int pdfa_walk_group(struct pdfa_walk *walk, struct obj holder);
/* Checks resources, with what they name, and a content stream that uses them. */
int pdfa_walk_content(struct pdfa_walk *walk, struct obj resources, const unsigned char *data,
                      size_t n, int depth);
