/* attached: the embedded files of a document (ISO 32000-2, 7.11.4): those of the name tree, and
 * those of annotations. */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "pdf/object/obj.h"

#define ATTACHED_FILES 10000 /* limit of the files */
#define ATTACHED_NAME  1000  /* limit of a name in bytes; longer ones are cut */

struct attached {
    struct attached_file {
        char *key; /* in the name tree; "" for one of an annotation */
        size_t n_key;
        char *name;           /* as the document has it, UTF-8: may be a path */
        struct obj file_spec; /* its file specification */
        struct obj stream;    /* null: the file is not embedded */
        size_t page;          /* from 1, of an annotation; else 0 */
    } * items;
    size_t n, cap;
};

/* Lists the files. ERR_LIMIT_EXCEEDED when there are too many. */
int attached_read(struct attached *attached, qpdf_data q, size_t n_pages, struct err *err);
void attached_free(struct attached *attached);
#define AUTO_ATTACHED __attribute__((cleanup(attached_free)))

/* The name, size, type, dates and relation of a file as a new object. */
json_t *attached_json(const struct attached_file *file);
