/*
 * shell: a document with the objects as they are, for being read by others: an encrypted one, whose
 * page tree may lie where nobody sees it. One empty page stands in for it.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "salvage/objects.h"

int shell_write(struct objects *objects, struct buf *out, struct err *err);
