/*
 * part: declarations that the files of this folder share. What cannot be converted stays as it is
 * and is counted in gray.failures.
 */
#pragma once

#include "base/buf.h"
#include "compress/gray/space.h"
#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"

struct gray {
    struct pdf_doc *doc;
    qpdf_data q;
    struct idmap done;   /* streams and fonts that were handled, by id */
    struct idmap images; /* index into `spaces` by id of an image */
    int64_t *spaces;     /* ids of their former colour spaces */
    size_t n_spaces, cap_spaces;
    size_t changes;   /* number of content streams and shadings that were changed */
    size_t failures;  /* number of parts that could not be converted */
    size_t depth;     /* of the streams that are being converted, one inside the other */
    size_t functions; /* number of functions that were converted */
    bool no_memory;   /* memory ran out: the document must not be used */
};

/* Converts a content stream with these resources. True if something was changed: `out` is then
 * the new stream. */
bool gray_content(struct gray *gray, struct obj resources, const unsigned char *data, size_t n,
                  struct buf *out);
/* Converts the stream of a form XObject, tiling pattern or glyph, if that was not done before.
 * `outer`: the resources to use if it has none of its own. */
void gray_stream(struct gray *gray, struct obj stream, struct obj outer);
/* Converts the glyphs of a Type 3 font; `outer` as above. */
void gray_glyphs(struct gray *gray, struct obj font, struct obj outer);
/* Converts an inline image. `dict`: the n bytes between "BI" and "ID". If it has colours, appends
 * the new image, from BI to EI, and returns true. */
bool gray_inline_image(struct gray *gray, struct obj resources, const char *dict, size_t n,
                       const unsigned char *data, size_t n_data, struct buf *out);
/* Converts a shading, which is a dictionary or a stream. */
void gray_shading(struct gray *gray, struct obj shading);
/* Converts the vertices of a shading of type 4 to 7, each with a colour of `space`; if the colours
 * come from a function (`by_function`), only checks them. False if they cannot be read. */
bool gray_mesh(struct obj shading, long long type, const struct space *space, bool by_function);
