/* hocr: recognised text as hOCR 1.2: XHTML with the places and confidences of words. */
#pragma once

#include "base/buf.h"
#include "write/scan_text/scan_text.h"

void hocr_begin(struct buf *out);
void hocr_page(struct buf *out, const struct scan_text_page *page);
void hocr_end(struct buf *out);
