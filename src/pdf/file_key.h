/*
 * file_key: the key of an encrypted document (ISO 32000-2, 7.6.4), from its encryption dictionary
 * and a password: revisions 2 to 6 of the standard security handler. qpdf knows it and does not
 * tell.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/obj.h"

#define FILE_KEY_MAX 32

struct file_key {
    unsigned char bytes[FILE_KEY_MAX];
    size_t n;
    long long version;  /* /V */
    long long revision; /* /R */
};

/*
 * `encrypt`: the encryption dictionary; `id`: the trailer's /ID. 1: the password is not one of the
 * document's (up to revision 4 only the user's will do); 0: it is, and key is its key.
 */
int file_key_find(struct obj encrypt, struct obj id, const char *password, struct file_key *key,
                  struct err *err);
