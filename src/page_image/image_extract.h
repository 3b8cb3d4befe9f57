/* extract: the pictures that are embedded in pages, as files. */
#pragma once

#include "tool/run.h"

/*
 * Does the whole job: every picture drawn on the pages, forms within forms included, once each
 * whatever how often it is drawn. JPEG and JPEG 2000 keep their bytes, others become PNG, a soft
 * mask their alpha. Parts are named <stem>_p001_1.jpg: page, and place on it.
 * ERR_UNSUPPORTED_CONTENT if there is none; a picture that cannot be read is left out, with a
 * warning.
 */
int image_extract(struct tool_run *run, const char *password, const char *pages, struct err *err);
