/*
 * xmp: reads the properties of an XMP packet (ISO 16684-1), and writes it again with other ones.
 * The packet is untrusted: what is not well-formed is refused. External entities do not exist here.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define XMP_BYTES      (16 << 20) /* limit of a packet */
#define XMP_PROPERTIES 10000      /* limit of its properties */
#define XMP_LIST       '\x1f'     /* divides the items of a value that is a list */

#define XMP_DC    "http://purl.org/dc/elements/1.1/"
#define XMP_BASIC "http://ns.adobe.com/xap/1.0/"
#define XMP_PDF   "http://ns.adobe.com/pdf/1.3/"
#define XMP_PDFX  "http://ns.adobe.com/pdfx/1.3/"
#define XMP_PDFA  "http://www.aiim.org/pdfa/ns/id/"
#define XMP_PDFUA "http://www.aiim.org/pdfua/ns/id/"
#define XMP_X     "http://www.npes.org/pdfx/ns/id/"

struct xmp_property {
    char *uri, *name;  /* namespace and local name */
    char *value;       /* UTF-8; the items of a list divided by XMP_LIST */
    size_t begin, end; /* where it is in the packet */
};

struct xmp {
    struct xmp_property *items;
    size_t n, cap;
    size_t insert;   /* where a further rdf:Description can be inserted */
    char prefix[64]; /* of RDF there, with its colon */
};

/* Reads a packet of n bytes of UTF-8. False if it is not well-formed XML with an rdf:RDF element,
 * or too large. Free it in any case. */
bool xmp_read(struct xmp *xmp, const char *packet, size_t n);
void xmp_free(struct xmp *xmp);
#define AUTO_XMP __attribute__((cleanup(xmp_free)))
/* The value of a property; NULL if there is none. */
const char *xmp_find(const struct xmp *xmp, const char *uri, const char *name);
/* Appends text escaped as XML needs. */
void xmp_put_text(struct buf *out, const char *text);
