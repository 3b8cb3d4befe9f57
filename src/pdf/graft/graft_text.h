/*
 * graft_text: scans an object in the text that qpdf writes for it (ISO 32000-1, 7.3): one call for
 * a whole object instead of hundreds for its values.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Features of an object, for callers that handle only some objects. */
enum graft_mark {
    GRAFT_STRUCT_PARENT = 1, /* the key /StructParent or /StructParents */
    GRAFT_DEST = 2,          /* the key /Dest, or a /GoTo action */
    GRAFT_FIELD_ACTION = 4,  /* a /ResetForm, /SubmitForm or /Hide action */
    GRAFT_STRUCT_ELEM = 8,   /* the keys /S and /P: a structure element */
    GRAFT_TABLE = 16,        /* the key /Headers: attributes of a table cell */
    GRAFT_EMBEDDED = 32,     /* a /GoToE action */
    GRAFT_LONER = 64,        /* an object with an identity: never shared with an equal one */
    GRAFT_FONT = 128,        /* a font dictionary */
    GRAFT_PAGE = 256,        /* a /Page or /Pages node */
    GRAFT_SCRIPT = 512,      /* the key /JS */
};

struct graft_ref {
    int id, gen;
    size_t start, end; /* its position in the text */
    uint16_t depth;    /* number of direct containers around it */
    bool appearance;   /* below /AP */
};

struct graft_text {
    struct graft_ref *refs;
    size_t n_refs, cap;
    unsigned marks;
    bool failed; /* out of memory */
};

/* Reads a text of n bytes. `text` may be reused; free it at the end. */
void graft_text_read(struct graft_text *text, const char *bytes, size_t n);
void graft_text_free(struct graft_text *text);
