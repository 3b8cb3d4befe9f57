/* outline: the tree of entries that readers show beside the pages (ISO 32000-2, 12.3.3). */
#pragma once

#include "base/err.h"
#include "pdf/depth.h"
#include "pdf/dest.h"
#include "pdf/obj.h"

struct outline {
    struct outline_entry {
        struct obj item; /* the entry in its document */
        size_t parent;   /* which entry; OUTLINE_TOP: none */
        int level;       /* from 1 */
        bool open;       /* its children are shown */
        bool heading;    /* it is not meant to lead anywhere */
        bool acts;       /* it stays for what it does: outline_keep_actions */
        struct dest dest;
    } * items; /* parents before their children, siblings in order */
    size_t n, cap;
    size_t *by_page, *first; /* entries that lead to page i: by_page[first[i]] to [first[i + 1]] */
    size_t *mark;            /* for outline_write: 0 between calls */
};

#define OUTLINE_TOP SIZE_MAX

/* Circles end where they close. ERR_LIMIT_EXCEEDED when out of memory. */
int outline_read(struct outline *outline, qpdf_data q, const struct dest_names *names,
                 struct err *err);
void outline_free(struct outline *outline);

/* From now on entries whose action leads out of the document stay, whichever pages do. Changes
 * their actions in the document (pdf/action.h). */
void outline_keep_actions(struct outline *outline, struct depth *depth);

/* The entry's title in UTF-8. Borrowed until the next call for its document. */
const char *outline_title(const struct outline_entry *entry);

/*
 * Gives document `to` the entries that lead to its pages: page i of the one read is page at[i]
 * there; `list` names those that are. An entry that leads elsewhere goes, what stands below it
 * moves up; one that leads nowhere stays above what is left of its children.
 */
int outline_write(struct outline *outline, qpdf_data to, const struct dest_names *names,
                  const size_t *list, size_t n_list, const size_t *at, struct err *err);
