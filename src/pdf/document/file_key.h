/*
 * file_key: computes the file encryption key (ISO 32000-2, 7.6.4) from a document's encryption
 * dictionary and a password: revisions 2 to 6 of the standard security handler. qpdf does not
 * expose it.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/object/obj.h"

#define FILE_KEY_MAX 32 /* bytes of the longest key (AES-256) */

struct file_key {
    unsigned char bytes[FILE_KEY_MAX];
    size_t n;
    long long version;  /* /V */
    long long revision; /* /R */
};

/*
 * Computes the key. `encrypt`: the encryption dictionary; `id`: the trailer's /ID. Returns 0 and
 * the key; 1 if the password is wrong (up to revision 4 only the user password is accepted); or
 * -1.
 */
int file_key_find(struct obj encrypt, struct obj id, const char *password, struct file_key *key,
                  struct err *err);
