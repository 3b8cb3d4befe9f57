/* redact_text: takes glyphs out of the operators that show text, and leaves gaps as wide. */
#pragma once

#include "engine/redact/redact_frame.h"

/* The operators that show text: Tj, ', " and TJ. `op` is the operator. */
void redact_text_show(struct redact_frame *f, const char *op);
