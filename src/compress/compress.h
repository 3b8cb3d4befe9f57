/*
 * compress: makes a document smaller and leaves everything in it: pages look as they did, within
 * what the profile allows, text is found as before, and structure is not touched.
 */
#pragma once

#include "compress/inventory.h"
#include "compress/profile.h"
#include "pdf/doc.h"

struct compress;

/* Called with 0 to 1. */
typedef void compress_progress(void *cls, double fraction);

/* Looks through the document, which it changes in memory: it is good for nothing else then. `doc`
 * must outlive it. With `grayscale` it loses its colours. With
 * `device_colours` what is sRGB by a profile is so without one, which may look different by what
 * nobody notices. */
struct compress *compress_open(struct pdf_doc *doc, bool grayscale, bool device_colours,
                               compress_progress *progress, void *cls, struct err *err);
void compress_close(struct compress **compress);
#define AUTO_COMPRESS __attribute__((cleanup(compress_close)))

/* Whether compress_write can write it: it is not encrypted in an odd way, and may have object
 * streams. */
bool compress_can_write(const struct compress *compress);
/*
 * Makes the same of the document in memory, for pdf_doc_save: for one that compress_write cannot
 * write. Once.
 */
int compress_apply(struct compress *compress, const struct profile *profile, struct err *err);
/* Writes it smaller; again, with another profile, as often as wanted. Whether it is worth having
 * is for the caller to see. */
int compress_write(struct compress *compress, const struct profile *profile, const char *path,
                   struct err *err);
/* After writing: by how many bytes the streams of a class became smaller. What is equal to another
 * stream counts each time before, and once after. What the whole file saved beyond OBJECT_IMAGE,
 * OBJECT_FONT and OBJECT_CONTENT is structure. */
int64_t compress_saved(const struct compress *compress, enum object_class class);
/* After writing: sets pages[i], of all pages, where page i is the first that shows an image or, if
 * it shows no such image, a font that became another. */
enum compress_change { COMPRESS_SAME, COMPRESS_NEW_FONT, COMPRESS_NEW_IMAGE };
void compress_mark_changed(const struct compress *compress, enum compress_change *pages);
/* From now on fonts of a page stay whole, and its images lose less: what the next profile loses, or
 * at COMPRESS_LOSSLESS nothing. */
#define COMPRESS_GENTLER  1
#define COMPRESS_LOSSLESS 2
int compress_keep_page(struct compress *compress, size_t page, unsigned level, struct err *err);
/* With grayscale: whether it had colours; and how many parts could not be read, and may have them
 * still, after writing. */
bool compress_had_colours(const struct compress *compress);
size_t compress_colours_kept(const struct compress *compress);
/* Those of no page. */
void compress_keep_all(struct compress *compress);
