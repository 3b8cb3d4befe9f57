/*
 * plain: text and tables of text, written out as flat ODF. LibreOffice would guess at such files,
 * and ask questions about some; here what they mean is decided once.
 *
 * Text is UTF-8 or UTF-16 if it says so or holds as such, else Windows-1252.
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

/* Reads a whole file as UTF-8; what has no place in XML is left out. ERR_LIMIT_EXCEEDED. */
int plain_read(int fd, struct buf *out, struct err *err);

/* Writes a text document to `path`. */
int plain_write_text(const struct buf *text, const char *path, struct err *err);
/*
 * Writes a sheet to `path`: fields separated by whichever of , ; tab | fits best, or the one a
 * first line "sep=;" names; quoted as in RFC 4180. ERR_LIMIT_EXCEEDED beyond what a sheet holds.
 */
int plain_write_sheet(const struct buf *text, const char *path, struct err *err);
