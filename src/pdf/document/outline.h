/* outline: the document outline, also called bookmarks (ISO 32000-2, 12.3.3). */
#pragma once

#include "base/err.h"
#include "pdf/document/dest.h"
#include "pdf/object/depth.h"
#include "pdf/object/obj.h"

struct outline {
    struct outline_entry {
        struct obj item; /* the outline item in its document */
        size_t parent;   /* index of the parent entry; OUTLINE_TOP: none */
        int level;       /* from 1 */
        bool open;       /* its children are shown */
        bool heading;    /* it has no destination on purpose */
        bool acts;       /* it is kept for its action: outline_keep_actions */
        struct dest dest;
    } * items; /* parents before their children, siblings in order */
    size_t n, cap;
    /* entries with destinations on page i: by_page[first[i]] to [first[i + 1]] */
    size_t *by_page, *first;
    size_t *mark; /* for outline_write: 0 between calls */
};

#define OUTLINE_TOP SIZE_MAX

/* Reads the outline; cycles are cut. ERR_LIMIT_EXCEEDED when out of memory. */
int outline_read(struct outline *outline, qpdf_data q, const struct dest_names *names,
                 struct err *err);
void outline_free(struct outline *outline);

/* From now on entries whose action leads out of the document are kept with any pages. Changes
 * their actions in the document (pdf/object/action.h). */
void outline_keep_actions(struct outline *outline, struct depth *depth);

/* The entry's title in UTF-8. Borrowed until the next call for its document. */
const char *outline_title(const struct outline_entry *entry);

/*
 * Writes to document `to` the entries with destinations on its pages: page i of the source is page
 * at[i] there; `list` names these pages. An entry with a destination elsewhere is removed, and its
 * children move up; one without a destination is kept if a child is.
 */
int outline_write(struct outline *outline, qpdf_data to, const struct dest_names *names,
                  const size_t *list, size_t n_list, const size_t *at, struct err *err);
