/* part: declarations that the files of this folder share. */
#pragma once

#include "base/buf.h"
#include "gray/space.h"
#include "pdf/doc.h"
#include "pdf/idmap.h"

struct gray {
    struct pdf_doc *doc;
    qpdf_data q;
    struct idmap done;   /* streams and fonts that were handled, by id */
    struct idmap images; /* index into `spaces` by id of an image */
    int64_t *spaces;     /* ids of their former colour spaces */
    size_t n_spaces, cap_spaces;
    size_t changes, failures, depth;
    size_t functions; /* number of functions that were converted */
    bool no_memory;
};

/* Converts a content stream with these resources. True if something was changed: `out` is then
 * the new stream. */
bool gray_content(struct gray *gray, struct obj resources, const unsigned char *data, size_t n,
                  struct buf *out);
/* Converts a form XObject, pattern or glyph, once; `outer`: the resources if it has none. */
void gray_stream(struct gray *gray, struct obj stream, struct obj outer);
/* Converts the glyphs of a Type 3 font. */
void gray_glyphs(struct gray *gray, struct obj font, struct obj outer);
/* Converts an inline image: its text from after "BI" to "ID", and its data. Appends it, from BI
 * to EI, if it had colours. */
bool gray_inline_image(struct gray *gray, struct obj resources, const char *dict, size_t n,
                       const unsigned char *data, size_t n_data, struct buf *out);
/* Converts a shading, which is a dictionary or a stream. */
void gray_shading(struct gray *gray, struct obj shading);
/* Converts the vertices of a shading of types 4 to 7, each with a colour of `space`. False if
 * they cannot be read. */
bool gray_mesh(struct obj shading, long long type, const struct space *space, bool by_function);
