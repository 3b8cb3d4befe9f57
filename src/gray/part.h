/* part: what the files of this folder share. */
#pragma once

#include "base/buf.h"
#include "gray/space.h"
#include "pdf/doc.h"
#include "pdf/idmap.h"

struct gray {
    struct pdf_doc *doc;
    qpdf_data q;
    struct idmap done;   /* streams and fonts, by id */
    struct idmap images; /* ids of images to places in: */
    int64_t *spaces;     /* ids of what their colour spaces were */
    size_t n_spaces, cap_spaces;
    size_t changes, failures, depth;
    size_t functions; /* that were converted */
    bool no_memory;
};

/* A gray level as content has it, with a space behind. */
void gray_put_level(struct buf *out, double level);

/* A content stream with these resources; true if something was changed: then `out` is
 * the stream. */
bool gray_content(struct gray *gray, struct obj resources, const unsigned char *data, size_t n,
                  struct buf *out);
/* A form, pattern or glyph; `outer`: the resources where it has none. Once. */
void gray_stream(struct gray *gray, struct obj stream, struct obj outer);
/* The glyphs of a Type 3 font. */
void gray_glyphs(struct gray *gray, struct obj font, struct obj outer);
/* An inline image, from behind "BI" to "ID", and its data: appends it, from BI to EI, if it was in
 * colours. */
bool gray_inline_image(struct gray *gray, struct obj resources, const char *dict, size_t n,
                       const unsigned char *data, size_t n_data, struct buf *out);
/* A shading, a dictionary or a stream. */
void gray_shading(struct gray *gray, struct obj shading);
/* The vertices of one of types 4 to 7, each a colour of `space`. False if they cannot be read. */
bool gray_mesh(struct obj shading, long long type, const struct space *space, bool by_function);
