/*
 * content: content streams (ISO 32000-2, 7.8.2) in fewer bytes: one space between tokens at most,
 * numbers without digits that say nothing, strings in their shorter form, and no operator that sets
 * what is set already.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "pdf/doc.h"

/* A scale that is not known: no number is rounded. */
#define CONTENT_EXACT 0.0

/*
 * Appends the content. `scale`: the largest size, in points, at which a unit of it is drawn; with
 * it places are rounded so that nothing moves by more than CONTENT_OFF points. False, and nothing
 * is to be used of `out`, for content that is not understood in every byte.
 */
bool content_shorten(const unsigned char *data, size_t n, double scale, struct buf *out);
#define CONTENT_OFF 0.005

/* Joins the content streams of every page that has several, but not those that pages share. */
int content_join(struct pdf_doc *doc, struct err *err);
