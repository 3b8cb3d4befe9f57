/* openapi_text: extracts sections of Markdown documents for the OpenAPI document. */
#pragma once

#include "base/buf.h"

/*
 * Appends the text below the second-level heading that names `name`, up to the next one. A heading
 * may name several, separated by commas: "## to-png, to-jpg". Appends nothing if there is none.
 */
void openapi_section(const char *markdown, const char *name, struct buf *out);
