/*
 * compress: makes a document smaller and preserves its contents: pages look as before, within what
 * the profile allows, text is found as before, and structure is not changed.
 */
#pragma once

#include "compress/compress/written.h"
#include "compress/images/profile.h"
#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"

struct compress;

/* Called with 0 to 1. */
typedef void compress_progress(void *arg, double fraction);

/* Reads the document and changes it in memory, so that it cannot be used for anything else.
 * `doc` must outlive the result. `grayscale`: convert to gray. `device_colours`: replace colour
 * spaces with an sRGB profile by device spaces, with differences that are hardly visible.
 * `lengths`: for the streams that were changed since the document was opened, by id, the bytes that
 * they took in its file; the result becomes the owner of the map. */
struct compress *compress_open(struct pdf_doc *doc, bool grayscale, bool device_colours,
                               struct idmap *lengths, compress_progress *progress, void *arg,
                               struct err *err);
void compress_close(struct compress **compress);

/* Whether compress_write can write the document. It cannot if the encryption is unusual, or object
 * streams are not allowed. */
bool compress_can_write(const struct compress *compress);
/*
 * Makes the same changes to the document in memory, for pdf_doc_save, if compress_write cannot
 * write it. May be called once.
 */
int compress_apply(struct compress *compress, const struct profile *profile, struct err *err);
/* Writes a smaller document; may be called again with other profiles. The caller checks whether
 * the result is useful. */
int compress_write(struct compress *compress, const struct profile *profile, const char *path,
                   struct err *err);
/* After writing: by how many bytes the streams of a class became smaller. Equal streams each
 * count before, and once after. What the whole file saved beyond STREAM_IMAGE, STREAM_FONT and
 * STREAM_CONTENT is structure. */
int64_t compress_saved(const struct compress *compress, enum stream_class class);
/* After writing: sets pages[i] for the pages that have to be compared with the original, which are
 * the first to show a changed image or font. COMPRESS_NEW_IMAGE wins over COMPRESS_NEW_FONT. */
enum compress_change { COMPRESS_SAME, COMPRESS_NEW_FONT, COMPRESS_NEW_IMAGE };
void compress_mark_changed(const struct compress *compress, enum compress_change *pages);
/* From now on fonts of a page stay whole, and its images lose less: what profile_kept allows at
 * `level`. */
int compress_keep_page(struct compress *compress, size_t page, unsigned level, struct err *err);
/* With grayscale: whether the document had colours; and, after writing, the number of its parts
 * that could not be read and may still have colours. */
bool compress_had_colours(const struct compress *compress);
size_t compress_colours_kept(const struct compress *compress);
/* From now on all fonts stay whole, and all images lose nothing, except that they become gray with
 * grayscale. */
void compress_keep_all(struct compress *compress);
