/* pdfa_walk: what the checks of a document for PDF/A share. */
#pragma once

#include "base/err.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"
#include "pdf/pdfa/pdfa.h"

struct pdfa_font;

struct pdfa_walk {
    qpdf_data q;
    const struct pdfa_kind *kind;
    struct key_map seen; /* ids of objects that were checked */
    struct pdfa_font **fonts;
    size_t n_fonts;
    struct key_map font_ids; /* from ids of fonts to places in `fonts` */
    size_t page;             /* from 0 */
    struct err *err;
};

/* Sets ERR_UNSUPPORTED_CONTENT and returns -1: what the page has that is not accepted, in a
 * sentence that begins with "has". */
int pdfa_walk_refuse(struct pdfa_walk *walk, const char *what);
/* Whether an object is met for the first time; one that is not indirect always is. */
bool pdfa_walk_is_new(struct pdfa_walk *walk, struct obj object);

/* Checks a stream's dictionary (6.1.7), and decodes LZW, which is not allowed. */
int pdfa_walk_stream(struct pdfa_walk *walk, struct obj stream);
/* Checks a pattern's shading (ISO 32000-1, 8.7.4.5), without its pattern. */
int pdfa_walk_shading(struct pdfa_walk *walk, struct obj shading);
/* Checks a function (ISO 32000-1, 7.10), or an array of functions. */
int pdfa_walk_function(struct pdfa_walk *walk, struct obj function, int depth);
/* Checks a colour space (6.2.4). */
int pdfa_walk_space(struct pdfa_walk *walk, struct obj space, int depth);
/* Checks an image (6.2.8), with its masks. */
int pdfa_walk_image(struct pdfa_walk *walk, struct obj image);
/* Checks the dictionary of a transparency group, if there is one (6.2.10). */
int pdfa_walk_group(struct pdfa_walk *walk, struct obj holder);
/* Checks resources, with what they name, and a content stream that uses them. */
int pdfa_walk_content(struct pdfa_walk *walk, struct obj resources, const unsigned char *data,
                      size_t n, int depth);
