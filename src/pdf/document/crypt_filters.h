/*
 * crypt_filters: which crypt filter each stream of an encrypted document has (ISO 32000-2, 7.6.6):
 * that of all streams (/StmF), that of attachments (/EFF), one of its own (/Crypt), or none
 * (metadata of a document with /EncryptMetadata false). libqpdf 11.3 knows /StmF, and of the others
 * a part.
 */
#pragma once

#include "base/err.h"
#include "pdf/document/crypt.h"

/*
 * Decrypts the streams that qpdf leaves encrypted, or decrypts with the wrong filter, and sets
 * doc->filters_differ. `n`: a number above those of all objects. ERR_UNSUPPORTED_CONTENT if such a
 * stream has an unknown filter.
 */
int crypt_filters_correct(struct pdf_doc *doc, int n, struct err *err);

/* What tells the streams of a document apart. */
struct crypt_filters {
    const struct crypt *crypt;
    struct obj encrypt; /* the encryption dictionary; borrowed */
    int64_t metadata;   /* the id of the catalog's metadata, 0: it has none */
    bool *attached;     /* by object number: it is the data of an attachment; or NULL */
    int n;              /* of these */
};

/* Reads what a document has attached. False when out of memory. */
bool crypt_filters_open(struct crypt_filters *filters, const struct crypt *crypt,
                        struct obj encrypt, qpdf_data q, int n);
void crypt_filters_close(struct crypt_filters *filters);
#define AUTO_CRYPT_FILTERS __attribute__((cleanup(crypt_filters_close)))
/* The method for a stream. False if it is unknown. */
bool crypt_filters_method(const struct crypt_filters *filters, struct obj stream,
                          enum crypt_method *method);

/* qpdf drops /Crypt from the filters of what it writes. Names the filter of each stream that has
 * one of its own by a key of our own, or removes the key. */
void crypt_filters_mark(qpdf_data q, int n, bool on);
/* Gives a marked stream its filter in place of the key. */
void crypt_filters_unmark(struct obj stream);
