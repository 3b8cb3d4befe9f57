/* xml: writes text in the parts of a package (XML 1.0). */
#pragma once

#include "base/buf.h"

#define XML_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define XML_R    "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\""

/* Appends text, escaped for XML; characters that XML does not allow are dropped. */
void xml_text(struct buf *out, const char *text, size_t n);
