/* margins: where the text of most pages begins and ends. */
#pragma once

#include "reflow/survey.h"

/* Sets margins, facing, mirrored and bottom, when headers and footers are known. */
void margins_find(struct survey *survey);
