/* language_list: the languages of a text that a client names by Tesseract's codes, joined by '+':
 * "deu+eng"; or "auto". */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define LANGUAGE_LIST_AUTO    "auto"
#define LANGUAGE_LIST_MOST    8 /* limit of the codes: each makes recognition slower */
#define LANGUAGE_LIST_CODE    32
#define LANGUAGE_LIST_PACKAGE (LANGUAGE_LIST_CODE + 16)

/* Checks a list; `installed` (NULL-terminated) are the languages that are there; NULL: any are. A
 * code that is not among them is ERR_INVALID_PARAMETER with a message that names its package. */
int language_list_check(const char *text, const char *const *installed, struct err *err);

/* The BCP 47 tag of the language of a list that names one; "" if it names several, or one that has
 * no tag. */
void language_list_tag(const char *list, char tag[static LANGUAGE_LIST_CODE]);
/* The Debian package with the data of a language: "tesseract-ocr-chi-sim" for chi_sim. */
void language_list_package(const char *code, char out[static LANGUAGE_LIST_PACKAGE]);
