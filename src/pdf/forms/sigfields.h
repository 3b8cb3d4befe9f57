/*
 * sigfields: a document's signature fields (ISO 32000-2, 12.7.5.5), and the changes that their
 * signatures still allow (12.8.2: DocMDP and FieldMDP).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "pdf/object/obj.h"

#define SIGFIELDS_NAME 1000 /* limit of a field's full name in bytes; longer ones are cut */

struct sigfields {
    struct sigfield {
        char *name; /* full name, UTF-8 */
        struct obj field;
        struct obj widget; /* the widget: the field itself, or its first kid */
        struct obj value;  /* the signature; null: not signed */
    } * items;
    size_t n, cap;
    struct obj form; /* the catalog's /AcroForm */
    bool xfa;        /* it also has an XFA form */
    bool xfa_only;   /* its pages are only a placeholder for the XFA form (NeedsRendering) */
    size_t signed_;  /* number of signed fields */
};

/* Lists the fields. ERR_CORRUPT_FILE for fields that are nested in a circle, ERR_LIMIT_EXCEEDED
 * for too many. */
int sigfields_read(struct sigfields *fields, qpdf_data q, struct err *err);
void sigfields_free(struct sigfields *fields);
#define AUTO_SIGFIELDS __attribute__((cleanup(sigfields_free)))

/* A text string as UTF-8, "" for other objects. Borrowed until the next call for its document. */
const char *sigfields_text(struct obj text);

/* Finds a field; NULL if there is none with that name. */
const struct sigfield *sigfields_find(const struct sigfields *fields, const char *name);
/* Writes "Signature1", or the first name after it that no field at the root of the form has. */
void sigfields_new_name(const struct sigfields *fields, char *out, size_t cap);

/*
 * Returns 0 if a signature may be added in the field with that name; -1 with
 * ERR_UNSUPPORTED_CONTENT, which names the signature whose lock forbids it. *certified: a
 * certification allows no more than filling in forms.
 */
int sigfields_check_locks(const struct sigfields *fields, qpdf_data q, const char *name,
                          bool *certified, struct err *err);
/* Returns 0 if annotations may be added; -1 with ERR_UNSUPPORTED_CONTENT if a certification forbids
 * them. */
int sigfields_check_annotations(const struct sigfields *fields, qpdf_data q, struct err *err);
