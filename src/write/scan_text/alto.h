/* alto: recognised text as ALTO 4.4, the XML that libraries and archives keep with their scans. */
#pragma once

#include "base/buf.h"
#include "write/scan_text/scan_text.h"

void alto_begin(struct buf *out);
void alto_page(struct buf *out, const struct scan_text_page *page);
void alto_end(struct buf *out);
