/*
 * form_fields: the fields of a document's form as their names, kinds and widgets (ISO 32000-2,
 * 12.7), for those who read and set values.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

#define FORM_NO_PAGE SIZE_MAX

#define FORM_READ_ONLY    (1 << 0) /* field flags, ISO 32000-2, tables 227, 229 and 233 */
#define FORM_REQUIRED     (1 << 1)
#define FORM_RADIO_FLAG   (1 << 15)
#define FORM_EDIT         (1 << 18)
#define FORM_MULTI_SELECT (1 << 21)

enum form_kind {
    FORM_TEXT,
    FORM_CHECK,
    FORM_RADIO,
    FORM_BUTTON,
    FORM_LIST,
    FORM_COMBO,
    FORM_SIGNATURE,
    FORM_UNKNOWN, /* no type, or one that the specification does not have */
};

struct form_widget {
    struct obj dict;
    size_t page; /* from 0; FORM_NO_PAGE: it is on none */
};

struct form_field {
    char *name; /* full name, UTF-8; "" for a field without one */
    struct obj dict;
    enum form_kind kind;
    long long flags;          /* of FORM_... and FIELD_... (pdf/forms/field_widget.h) */
    size_t widget, n_widgets; /* its range in form_fields.widgets */
};

struct form_fields {
    struct form_field *items; /* in the order of the form */
    size_t n, cap;
    struct form_widget *widgets;
    size_t n_widgets, cap_widgets;
    struct obj form; /* the catalog's /AcroForm, or null */
    bool xfa;        /* it also has an XFA form */
    bool xfa_only;   /* its pages are only a placeholder for the XFA form (NeedsRendering) */
    size_t signed_;  /* number of signed fields */

    struct key_map pages; /* private: numbers of widgets to pages */
};

/* Reads the form. ERR_LIMIT_EXCEEDED for too many fields, or when out of memory; ERR_CORRUPT_FILE
 * for fields that are nested in a circle. The handles hold until form_fields_free. */
int form_fields_read(struct form_fields *fields, struct pdf_doc *doc, struct err *err);
void form_fields_free(struct form_fields *fields);
#define AUTO_FORM_FIELDS __attribute__((cleanup(form_fields_free)))

/* The word of a kind for clients: "text", "check", "radio", "button", "list", "combo", "signature",
 * "unknown". */
const char *form_kind_name(enum form_kind kind);

/* A text string as UTF-8, "" for other objects. Borrowed until the next call for its document. */
const char *form_text(struct obj text);

/* Appends the name, without its slash, of the state in which a check box or radio button is on:
 * that of its appearances or, if it has none, the one that it is in. Nothing if it is off. */
void form_on_state(struct obj widget, struct buf *name);
