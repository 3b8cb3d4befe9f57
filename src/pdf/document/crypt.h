/*
 * crypt: encrypts strings and streams that are added to an encrypted document, by its crypt filters
 * (ISO 32000-2, 7.6.3 and 7.6.6).
 */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/document/file_key.h"

enum crypt_method { CRYPT_NONE, CRYPT_RC4, CRYPT_AES128, CRYPT_AES256 };

struct crypt {
    struct file_key key;
    enum crypt_method strings, streams;
};

/* Reads the key and the methods of an encrypted document. ERR_UNSUPPORTED_CONTENT if a method is
 * unknown. */
int crypt_start(struct crypt *crypt, struct pdf_doc *doc, struct err *err);
void crypt_end(struct crypt *crypt);

/* Appends the data, encrypted for the object with that number and generation. */
void crypt_put(const struct crypt *crypt, enum crypt_method method, int id, int gen,
               const void *data, size_t n, struct buf *out);
