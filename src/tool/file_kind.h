/*
 * file_kind: what a file is by its first bytes. Nothing is parsed: this is a gate that turns away
 * what a tool surely cannot take, and it runs in the server.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define FILE_KIND_HEAD 1024 /* how many first bytes are enough */

/* "pdf", ... or NULL for a kind no tool takes. Borrowed, lives for ever. */
const char *file_kind_of(const void *head, size_t n);
/* Whether a file that begins so may be of that kind: some (docx) begin as others do (zip). */
bool file_kind_fits(const char *kind, const void *head, size_t n);
/* Whether a text begins as a page of HTML does, behind what may stand before: blanks, comments, an
 * XML declaration. */
bool file_kind_is_html(const char *text, size_t n);
/* Media type and file name extension (without the dot) of a kind; NULL if there is none such. */
const char *file_kind_media_type(const char *kind);
const char *file_kind_extension(const char *kind);
/* The kind that the ending of a file's name says, of either case, "jpeg" and "tiff" too; NULL if it
 * says none. */
const char *file_kind_of_name(const char *name);
