/* page_mend: what a page says of its content, made to fit what is there. */
#pragma once

#include "salvage/objects.h"
#include "salvage/pages.h"

/* Takes from /Contents what is no stream. */
int page_mend_contents(struct objects *objects, const struct pages *pages, struct err *err);
/*
 * A scan that is as wide to its height as its page, and was drawn behind damage in the content of
 * that (text that was recognised stands before it): drawn again, below the rest. For when streams
 * were mended (salvage/repair_streams.h).
 */
int page_mend_scans(struct objects *objects, const struct pages *pages, struct err *err);
