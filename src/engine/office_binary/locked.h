/* locked: whether a document of the binary formats says that it is encrypted. LibreOffice says of
 * one whose encryption it does not know that it is damaged. */
#pragma once

#include <stdbool.h>

#include "base/err.h"

/* Looks into a doc or xls file ([MS-DOC] 2.5.2, fEncrypted; [MS-XLS] 2.4.117). *locked is false of
 * other compound files. ERR_CORRUPT_FILE. */
int locked_document(int fd, bool *locked, struct err *err);
