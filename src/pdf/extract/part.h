/*
 * part: makes a document of some pages of another one, with all that belongs to them and nothing
 * else: outline entries, named destinations, links, form fields, layers, tags and labels are
 * reduced to what the pages use. Article threads are dropped, and so are attachments, scripts and
 * form fields that are on no page, unless the part is the document without some pages.
 */
#pragma once

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/document/outline.h"

struct part_source;

enum part_kind {
    PART_OF_IT,  /* one of several parts, or a selection */
    PART_REDUCED /* the document without some pages */
};

/*
 * Prepares to make parts of a document. `doc` is changed in memory, so that it cannot be used for
 * anything else afterwards, and must outlive the source. Warns on its run about what such parts
 * lose: `attachments_dropped`, `scripts_dropped`, `xfa_dropped`, `tags_dropped`, `fields_dropped`.
 * ERR_LIMIT_EXCEEDED when out of memory.
 */
struct part_source *part_source_open(struct pdf_doc *doc, enum part_kind kind, struct err *err);
void part_source_close(struct part_source *source);

/* The outline of the source, borrowed. */
const struct outline *part_source_outline(const struct part_source *source);

/*
 * Makes a document of n pages of the source (numbers from 0, repetitions allowed), encrypted like
 * the source. Save and close `part` before the source is closed. The work grows with the part, not
 * with the source.
 */
int part_make(struct part_source *source, const size_t *pages, size_t n, struct pdf_doc *part,
              struct err *err);
