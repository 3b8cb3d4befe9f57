/* mention: whether a document names a font, so that fonts that only LibreOffice's own windows
 * need are not reported as missing. */
#pragma once

#include "engine/office/sniff.h"

/* Whether the document names the font. False also for one that cannot be read. */
bool mention_of(const char *font, const struct tool_input *input, enum sniff_form form,
                bool encrypted);
