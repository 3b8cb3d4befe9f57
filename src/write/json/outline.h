/* outline: an item of the outline, as the members of a JSON object. */
#pragma once

#include "base/buf.h"
#include "layout/page/writer.h"

void outline_put(struct buf *out, const struct outline_entry *entry);
