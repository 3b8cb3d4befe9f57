/* pack_crypt: what pack writes of an encrypted document, encrypted as it was: with the same key, so
 * that the same passwords open it (ISO 32000-2, 7.6). */
#pragma once

#include "compress/inventory.h"
#include "pdf/crypt.h"

struct pack_crypt {
    struct crypt crypt;
    bool metadata;      /* is encrypted too */
    struct buf encrypt; /* the encryption dictionary */
};

/* Whether a document can be written so: each of its streams and strings is encrypted in the same
 * way as all. Others go through qpdf. */
bool pack_crypt_open(struct pack_crypt *crypt, struct pdf_doc *doc,
                     const struct inventory *objects);
void pack_crypt_close(struct pack_crypt *crypt);
#define AUTO_PACK_CRYPT __attribute__((cleanup(pack_crypt_close)))

/* The data of a stream, and the strings of its dictionary, as they go into the file as object
 * `number`: in place. */
void pack_crypt_stream(const struct pack_crypt *crypt, uint32_t number, struct buf *dict,
                       struct buf *data);
