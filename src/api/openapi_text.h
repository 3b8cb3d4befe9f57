/* openapi_text: sections of the Markdown documents, for the API's description. */
#pragma once

#include "base/buf.h"

/*
 * Appends what stands below the second-level heading that names `name`, up to the next one. A
 * heading may name several, separated by commas: "## to-png, to-jpg". Nothing if there is none.
 */
void openapi_section(const char *markdown, const char *name, struct buf *out);
