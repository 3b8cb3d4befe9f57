/*
 * syntax: objects as the text and bytes they are in a file (ISO 32000-2, 7.3), for what writes one
 * without qpdf's writer.
 */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/doc.h"
#include "pdf/obj.h"

/* Null, a boolean, a number or a name as text. Borrowed until the next call for its document. */
const char *syntax_simple(struct obj obj);
/* A key ("/Name", as obj_keys gives it) with what must be escaped escaped. */
void syntax_key(struct buf *out, const char *key);

/* A stream's bytes as they are, filters left on. */
int syntax_stream(struct pdf_doc *doc, struct obj stream, struct buf *out, struct err *err);

/* The password that opened the document, and the user's if qpdf could tell: bytes. Borrowed until
 * the next call. */
const char *syntax_password(struct pdf_doc *doc);
const char *syntax_user_password(struct pdf_doc *doc);

/* A number above those of all objects, as far as anything in the document names one. */
int syntax_next_number(struct pdf_doc *doc);
