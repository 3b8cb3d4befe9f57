/* languages: the languages that are installed for Tesseract, as files of its data folder. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define LANGUAGES_MOST 256
#define LANGUAGES_AUTO "auto"
#define LANGUAGES_OSD  "osd" /* finds scripts and how pages are turned; not a language */

/* Where Debian's packages put the data. */
#define LANGUAGES_FOLDER "/usr/share/tesseract-ocr/5/tessdata"

/* LANGUAGES_AUTO and the installed languages in the order of the alphabet, NULL-terminated. The
 * list is made before main, so that it can be part of a tool's declaration. */
extern const char *languages_installed[LANGUAGES_MOST + 1];
bool languages_has(const char *code);
/* Whether orientation and script can be detected. */
bool languages_has_osd(void);
