/*
 * skeleton: makes a document of the objects as they are, with one empty page as its page tree. qpdf
 * opens it to decrypt the objects of an encrypted file whose own page tree is lost or unreadable.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "salvage/objects.h"

int skeleton_write(struct objects *objects, struct buf *out, struct err *err);
