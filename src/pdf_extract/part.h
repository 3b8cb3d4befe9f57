/*
 * part: some pages of a document as a document of their own, with all that belongs to them and
 * nothing that belongs to others: outline entries, named destinations, links, form fields, layers,
 * tags and labels are cut down to what the pages use; threads of the document as a whole are left
 * behind, and its attachments and scripts, unless the part is the document with fewer pages.
 */
#pragma once

#include "base/err.h"
#include "pdf/doc.h"
#include "pdf/outline.h"

struct part_source;

enum part_kind {
    PART_OF_IT,  /* one of several, or what was asked for of it */
    PART_REDUCED /* the document without some pages */
};

/*
 * `doc` is changed in memory, so that it is good for nothing else afterwards, and must outlive the
 * source. Warns on its run of what such parts do not keep: `attachments_dropped`,
 * `scripts_dropped`, `xfa_dropped`, `tags_dropped`. ERR_LIMIT_EXCEEDED when out of memory.
 */
struct part_source *part_source_open(struct pdf_doc *doc, enum part_kind kind, struct err *err);
void part_source_close(struct part_source *source);

const struct outline *part_source_outline(const struct part_source *source);

/*
 * Makes a document of n pages of the source (numbers from 0, repetitions allowed), encrypted as the
 * source is. Save and close `part` before the source is closed. The work grows with the part, not
 * with the source.
 */
int part_make(struct part_source *source, const size_t *pages, size_t n, struct pdf_doc *part,
              struct err *err);
