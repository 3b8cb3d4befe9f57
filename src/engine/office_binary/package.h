/* package: OOXML documents that are encrypted with a password ([MS-OFFCRYPTO] 2.3.4), which are
 * compound files: what is in them is checked, and changed, as in other documents. */
#pragma once

#include <stddef.h>

#include "base/err.h"

/*
 * Decrypts the document in `fd`, of at most `bytes`, to a new file at `to`. `password`: NULL: only
 * the one that Excel itself tries is tried. Returns 1; 0 for another encryption than those of
 * package_key.h, and then nothing is written; -1 with ERR_PASSWORD_REQUIRED, ERR_WRONG_PASSWORD,
 * ERR_CORRUPT_FILE.
 */
int package_decrypt(int fd, size_t bytes, const char *password, const char *to, struct err *err);
