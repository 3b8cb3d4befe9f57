/*
 * plain: writes text and delimited tables (CSV) as flat ODF. LibreOffice would guess the format of
 * such files, and ask questions about some; here it is decided by fixed rules.
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "engine/office/encoding.h"

/* Reads a whole file as UTF-8 without characters that XML does not allow; `encoding` and *found
 * as encoding_decode has them. ERR_LIMIT_EXCEEDED for a file that is too large, or when out of
 * memory. */
int plain_read(int fd, const char *encoding, struct buf *out, struct encoding_found *found,
               struct err *err);

/* Writes a text document to `path`. */
int plain_write_text(const struct buf *text, const char *path, struct err *err);
/*
 * Writes a spreadsheet to `path`: fields are separated by the most suitable of , ; tab | or the one
 * that a first line "sep=;" names; quoted as in RFC 4180. ERR_LIMIT_EXCEEDED beyond the limits of a
 * sheet.
 */
int csv_write_sheet(const struct buf *text, const char *path, struct err *err);
