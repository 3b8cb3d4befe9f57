/*
 * skeleton: writes a document with all objects as they are, and a page tree of one empty page. qpdf
 * opens it to decrypt the objects of an encrypted file whose own page tree is lost or unreadable.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "recovery/objects/objects.h"

/* Appends the document to `out`; `objects` are the same afterwards. */
int skeleton_write(struct objects *objects, struct buf *out, struct err *err);
