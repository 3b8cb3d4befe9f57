/* pack_crypt: encrypts what pack writes of an encrypted document with the document's own key, so
 * that the same passwords open it (ISO 32000-2, 7.6). */
#pragma once

#include "compress/object_graph/graph.h"
#include "pdf/document/crypt.h"

struct pack_crypt {
    struct crypt crypt;
    bool metadata;      /* metadata is encrypted, too */
    struct buf encrypt; /* the encryption dictionary */
};

/* Prepares the encryption. False for documents whose streams and strings are not all encrypted
 * alike: the caller then lets qpdf write the file. */
bool pack_crypt_open(struct pack_crypt *crypt, struct pdf_doc *doc, const struct graph *graph);
void pack_crypt_close(struct pack_crypt *crypt);

/* Encrypts the data of a stream, and the strings of its dictionary, for object `number`, in
 * place. */
void pack_crypt_stream(const struct pack_crypt *crypt, uint32_t number, struct buf *dict,
                       struct buf *data);
