/* image_extract: saves the pictures that are embedded in pages as files. */
#pragma once

#include "declare/tool_run/run.h"

/*
 * Does the whole job: saves each picture that is drawn on the pages, also inside form XObjects,
 * once. JPEG and JPEG 2000 are copied, others become PNG; a soft mask becomes the alpha channel.
 * Parts are named <stem>_p001_1.jpg, by page and position. ERR_UNSUPPORTED_CONTENT if there is
 * none; a picture that cannot be read is omitted with a warning.
 */
int image_extract(struct tool_run *run, const char *password, const char *pages, struct err *err);
