/* salvaged: what salvage makes of a file, found once: whether the file is sound asks for it, and
 * the first candidate. */
#pragma once

#include "pdf/document/recovery.h"

struct salvaged {
    const char *input, *password; /* of the file; the caller sets them */
    bool tried;
    bool made;          /* salvage found a document */
    struct buf bytes;   /* the document, until salvaged_open */
    struct err failure; /* why there is none */
    struct salvage_report report;
};

/* Finds the document, the first time. Errors as recovery_salvage_undone. */
int salvaged_find(struct salvaged *salvaged, struct err *err);
/* Opens the document, which gets the bytes: another call finds them again. */
int salvaged_open(struct salvaged *salvaged, struct pdf_doc *doc, struct err *err);
void salvaged_free(struct salvaged *salvaged);

/* Whether salvage found every object, none of them twice, and the pages by the catalog's own tree.
 * What may be damaged is data of streams then, of which other ways decode no more than salvage. */
bool salvaged_has_all_objects(const struct salvaged *salvaged);
/*
 * Whether nothing is missing of what salvage made: each object that is referred to was found, the
 * pages by the catalog's own tree, and all streams are as their own checksums and lengths say, or
 * were made so. No other way can find more then.
 */
bool salvaged_misses_nothing(struct salvaged *salvaged);
