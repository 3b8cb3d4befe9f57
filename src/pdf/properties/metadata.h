/*
 * metadata: what a document says of itself, twice: in the information dictionary (ISO 32000-2,
 * 14.3.3) and in its XMP packet (14.3.2). What is written here says the same in both.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/properties/xmp.h"

#define METADATA_CUSTOM 1000 /* limit of the custom properties */
#define METADATA_NAME   120  /* limit of the name of one, in bytes */

enum metadata_key {
    METADATA_TITLE,
    METADATA_AUTHOR,
    METADATA_SUBJECT,
    METADATA_KEYWORDS,
    METADATA_CREATOR,
    METADATA_PRODUCER,
    METADATA_CREATED,
    METADATA_MODIFIED,
    METADATA_KEYS,
};

struct metadata {
    /* Values as UTF-8, NULL where there is none; dates as ISO 8601. */
    struct metadata_value {
        char *info, *xmp;
    } keys[METADATA_KEYS];
    struct metadata_custom {
        char *name;
        struct metadata_value value;
    } * custom;
    size_t n_custom, cap;
    struct xmp xmp;
    char *packet; /* the XMP packet; NULL: there is none that can be read */
    size_t packet_n;
    bool unreadable; /* there is an XMP packet that cannot be read */
    bool bad_date;   /* a date that is not one: it is left out when the metadata are written */
};

/* The name of a key, as "title". */
extern const char *const metadata_names[METADATA_KEYS];

/* Reads both. ERR_LIMIT_EXCEEDED when out of memory. */
int metadata_read(struct metadata *metadata, qpdf_data q, struct err *err);
void metadata_free(struct metadata *metadata);
#define AUTO_METADATA __attribute__((cleanup(metadata_free)))

/* What holds: the value of the information dictionary, or that of XMP if it has none; or NULL. */
const char *metadata_holds(const struct metadata_value *value);
/* Whether the two say the same, as far as both say something. */
bool metadata_agrees(const struct metadata_value *value);
/* Sets a value; "" removes it. ERR_INVALID_PARAMETER for a date that is not ISO 8601 or has no
 * equal in PDF. */
int metadata_set(struct metadata *metadata, enum metadata_key key, const char *value,
                 struct err *err);
int metadata_set_custom(struct metadata *metadata, const char *name, const char *value,
                        struct err *err);
/* Whether a custom property may have this name. */
bool metadata_is_custom_name(const char *name);

/* Writes what holds to both. Other XMP properties are kept. */
int metadata_write(struct metadata *metadata, struct pdf_doc *doc, struct err *err);
/* Removes the information dictionary, all metadata streams of the document and of its parts, and
 * private data of programs (/PieceInfo). The claims of conformance to PDF/A, PDF/UA and PDF/X stay.
 * *removed: how many objects lost something. */
int metadata_clear(struct metadata *metadata, struct pdf_doc *doc, size_t *removed,
                   struct err *err);
