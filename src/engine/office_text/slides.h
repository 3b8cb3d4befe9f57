/* slides: the slides of a presentation (ECMA-376-1, 13.3.8), in their order. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "engine/office_parts/zip.h"

struct slides {
    char **names; /* of their parts */
    size_t n, cap;
};

/* Lists the slides of ppt/presentation.xml, hidden ones too. ERR_INTERNAL. */
int slides_list(struct zip *zip, struct slides *slides, struct err *err);
/* Whether the part of a slide says that it is not shown (19.3.1.38). */
bool slides_is_hidden(const struct buf *part);
void slides_free(struct slides *slides);
#define AUTO_SLIDES __attribute__((cleanup(slides_free)))
