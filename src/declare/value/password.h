/*
 * password: the encodings of a password in a PDF. Revision 6 uses UTF-8 after SASLprep (ISO
 * 32000-2, 7.6.4.3.3); earlier revisions use PDFDocEncoding (7.6.4.3.2), but programs often wrote
 * the encoding of their system.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define PASSWORD_MAX    127 /* bytes of UTF-8, revisions 5 and 6 */
#define PASSWORD_R4_MAX 32  /* bytes of PDFDocEncoding, up to revision 4 */
#define PASSWORD_FORMS  5   /* limit of the forms of one password */

struct password_forms {
    char *forms[PASSWORD_FORMS]; /* all different, the most likely one first */
    size_t n;
};

/* Makes every form that is worth trying on a document. ERR_INTERNAL when out of memory. */
int password_forms(const char *given, struct password_forms *forms, struct err *err);
/* Overwrites the forms, then frees them. */
void password_forms_free(struct password_forms *forms);
#define AUTO_PASSWORD_FORMS __attribute__((cleanup(password_forms_free)))

/* Encodes a password in PDFDocEncoding. -1, with `out` unchanged, if a character does not exist
 * there or the result is longer than `max` bytes (`out` has room for max + 1). */
int password_encode_pdfdoc(const char *utf8, char *out, size_t max);

/* Encodes a new password for revision 4, given in the parameter `field`. ERR_INVALID_PARAMETER
 * if that is impossible. */
int password_encode_r4(const char *field, const char *utf8, char out[static PASSWORD_R4_MAX + 1],
                       struct err *err);
