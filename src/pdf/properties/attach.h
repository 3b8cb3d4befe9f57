/* attach: adds and removes embedded files (ISO 32000-2, 7.11.4). */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/properties/attached.h"

struct attach_file {
    const char *name;         /* UTF-8, without a path */
    const char *description;  /* or NULL */
    const char *type;         /* media type, such as "text/xml"; or NULL */
    const char *relationship; /* a name without its slash: "Data" */
    const char *path;         /* where its bytes are */
};

/* Adds a file: to the name tree, and to the document's associated files (14.13). One of the same
 * name that is there is replaced; *replaced tells. */
int attach_add(struct pdf_doc *doc, const struct attached *attached, const struct attach_file *file,
               bool *replaced, struct err *err);
/* Removes the files with a true in `chosen`, also where annotations have them; *removed is how
 * many. */
int attach_remove(struct pdf_doc *doc, const struct attached *attached, const bool *chosen,
                  size_t *removed, struct err *err);
