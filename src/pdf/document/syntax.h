/*
 * syntax: helpers of code that writes files without qpdf's writer: parts of objects as PDF syntax
 * (ISO 32000-2, 7.3), passwords, unused object numbers.
 */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/object/obj.h"

/* A null, boolean, number or name as text. Borrowed until the next call for its document. */
const char *syntax_simple(struct obj obj);
/* Appends a key ("/Name", as obj_keys returns it), escaped. */
void syntax_key(struct buf *out, const char *key);

/* Appends a stream's bytes with their filters. */
int syntax_stream(struct pdf_doc *doc, struct obj stream, struct buf *out, struct err *err);

/* The password that opened the document, and the user's if qpdf knows it: bytes. Borrowed until
 * the next call. */
const char *syntax_password(struct pdf_doc *doc);
const char *syntax_user_password(struct pdf_doc *doc);

/* A number above those of all objects and of all references in the document. */
int syntax_next_number(struct pdf_doc *doc);
