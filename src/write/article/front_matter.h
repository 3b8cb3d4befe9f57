/* front_matter: lines of YAML between two lines of "---" at the beginning of a text, of which keys
 * with a plain or quoted value are read. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

struct front_matter {
    char title[300], lang[36]; /* "" if there is none */
};

/* Reads the front matter, if there is some, and makes its lines empty, so that the numbers of the
 * others stay. */
void front_matter_read(struct buf *text, struct front_matter *front);
