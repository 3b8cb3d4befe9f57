/*
 * sigfields: a document's signature fields (ISO 32000-2, 12.7.5.5), and what the signatures in them
 * still allow (12.8.2: DocMDP and FieldMDP).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "pdf/obj.h"

#define SIGFIELDS_NAME 1000 /* bytes of a field's full name; of a longer one the rest is cut */

struct sigfields {
    struct sigfield {
        char *name; /* full, UTF-8 */
        struct obj field;
        struct obj widget; /* what shows it: the field itself, or its first widget */
        struct obj value;  /* the signature; null: not signed */
    } * items;
    size_t n, cap;
    struct obj form; /* the catalog's /AcroForm */
    bool xfa;        /* it has an XFA form too, */
    bool xfa_only;   /* of which the pages are nothing but a picture (NeedsRendering) */
    size_t signed_;  /* how many are signed */
};

/* ERR_LIMIT_EXCEEDED for a form with fields without end. */
int sigfields_read(struct sigfields *fields, qpdf_data q, struct err *err);
void sigfields_free(struct sigfields *fields);
#define AUTO_SIGFIELDS __attribute__((cleanup(sigfields_free)))

/* A text string's UTF-8, "" for what is none. Borrowed until the next call for its document. */
const char *sigfields_text(struct obj text);

/* NULL if there is none of that name. */
const struct sigfield *sigfields_find(const struct sigfields *fields, const char *name);
/* "Signature1", or the first after it whose name no field at the root of the form has. */
void sigfields_new_name(const struct sigfields *fields, char *out, size_t cap);

/*
 * Whether a signature may be added in the field of that name. ERR_UNSUPPORTED_CONTENT, saying
 * whose lock forbids it. *certified: a certification allows no more than filling in forms.
 */
int sigfields_check_locks(const struct sigfields *fields, qpdf_data q, const char *name,
                          bool *certified, struct err *err);
