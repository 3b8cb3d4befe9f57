/*
 * compress: makes a document smaller and leaves everything in it: pages look as they did, within
 * what the profile allows, text is found as before, and structure is not touched.
 */
#pragma once

#include "compress/profile.h"
#include "pdf/doc.h"

struct compress;

/* Called with 0 to 1. */
typedef void compress_progress(void *cls, double fraction);

/* Looks through the document, which it changes in memory: it is good for nothing else then. `doc`
 * must outlive it. */
struct compress *compress_open(struct pdf_doc *doc, compress_progress *progress, void *cls,
                               struct err *err);
void compress_close(struct compress **compress);
#define AUTO_COMPRESS __attribute__((cleanup(compress_close)))

/*
 * Makes the same of the document in memory, for pdf_doc_save: for one that is encrypted or must not
 * have object streams. Once.
 */
int compress_apply(struct compress *compress, const struct profile *profile, struct err *err);
/* Writes it smaller; again, with another profile, as often as wanted. Whether it is worth having
 * is for the caller to see. */
int compress_write(struct compress *compress, const struct profile *profile, const char *path,
                   struct err *err);
/* Images and fonts of a page will lose nothing from now on. */
int compress_keep_page(struct compress *compress, size_t page, struct err *err);
/* Those of no page. */
void compress_keep_all(struct compress *compress);
