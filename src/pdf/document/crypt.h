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
    enum crypt_method strings, streams, attachments;
    bool plain_metadata; /* the catalog's metadata are not encrypted */
};

/* Reads the key and the methods of an encrypted document. ERR_UNSUPPORTED_CONTENT if a method is
 * unknown. */
int crypt_start(struct crypt *crypt, struct pdf_doc *doc, struct err *err);
/* The method of the crypt filter with that name ("/StdCF") in the encryption dictionary. False if
 * it is unknown, or does not fit the key. */
bool crypt_named(const struct crypt *crypt, struct obj encrypt, const char *name,
                 enum crypt_method *method);
void crypt_end(struct crypt *crypt);

/* Appends the data, encrypted for the object with that number and generation. */
void crypt_put(const struct crypt *crypt, enum crypt_method method, int id, int gen,
               const void *data, size_t n, struct buf *out);
/* Appends the decrypted data. False if they are not whole: not as many bytes as the method makes,
 * or without its padding; then what can be decrypted is appended. */
bool crypt_decrypt(const struct crypt *crypt, enum crypt_method method, int id, int gen,
                   const void *data, size_t n, struct buf *out);
