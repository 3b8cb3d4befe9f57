/* trials: the documents platen-office tries itself out with (trial/make.py). */
#pragma once

#include "worker/zygote.h"

#define TRIALS 3
/* One of each kind. */
void trials_fill(struct zygote_trial out[static TRIALS]);
