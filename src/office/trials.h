/* trials: the documents of platen-office's self-tests (trial/make.py). */
#pragma once

#include "worker/zygote.h"

#define TRIALS 3
/* One of each kind. */
void trials_fill(struct zygote_trial out[static TRIALS]);
