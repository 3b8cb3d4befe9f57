/*
 * file_kind: detects the kind of a file by its first bytes. Nothing is parsed: it only rejects
 * files that a tool certainly does not accept, and it runs in the server.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define FILE_KIND_HEAD 1024 /* number of first bytes that suffice */

/* "pdf", ... or NULL for a kind that no tool accepts. Borrowed, lives for ever. */
const char *file_kind_of(const void *head, size_t n);
/* The same of an open file; NULL also if it cannot be read. */
const char *file_kind_of_file(int fd);
/* Whether a file that begins with these bytes may be of that kind: some kinds (docx) begin like
 * others (zip). */
bool file_kind_fits(const char *kind, const void *head, size_t n);
/* "utf-16le" or "utf-16be" if these first bytes of a file are UTF-16 by a byte order mark or,
 * without one, by their characters; else NULL. */
const char *file_kind_utf16(const void *head, size_t n);
/* Whether a text begins like an HTML page, after optional blanks, comments and an XML
 * declaration. */
bool file_kind_is_html(const char *text, size_t n);
/* Media type and file name extension (without the dot) of a kind; NULL for an unknown kind. */
const char *file_kind_media_type(const char *kind);
const char *file_kind_extension(const char *kind);
/* The kind of a file name's extension, of either case, also "jpeg" and "tiff"; NULL if it has
 * none or an unknown one. */
const char *file_kind_of_name(const char *name);
