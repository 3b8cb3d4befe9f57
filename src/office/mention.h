/* mention: whether a document names a font, so that those LibreOffice's own windows want, and no
 * document, are not reported as missing. */
#pragma once

#include "office/sniff.h"

/* False too for a document that cannot be looked into. */
bool mention_of(const char *font, const struct tool_input *input, enum sniff_form form,
                bool encrypted);
