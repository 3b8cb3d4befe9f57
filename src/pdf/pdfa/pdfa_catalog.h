/* pdfa_catalog: what a document for PDF/A has besides its pages, and the limits of its values. */
#pragma once

#include "base/buf.h"
#include "pdf/pdfa/pdfa_walk.h"

/* Leaves of the document's catalog what is allowed and checked (6.1, 6.5 to 6.10). */
int pdfa_catalog_clean(struct pdfa_walk *walk, struct buf *left);
/* Adds the name of something that was left out, once. */
void pdfa_catalog_left(struct buf *left, const char *what);
/* Whether an annotation is a link to an address or to a place of the document, or, of a printed
 * one, a link that leads nowhere. */
bool pdfa_catalog_is_link(const struct pdfa_walk *walk, struct obj annotation);
/* Checks all objects that the catalog leads to: numbers, names and texts within their limits
 * (6.1.13), and no actions or attachments. */
int pdfa_catalog_check_values(struct pdfa_walk *walk);
