/* trials: the documents of platen-office's self-tests (trial/make.py). */
#pragma once

#include "sandbox/zygote/zygote.h"

#define TRIALS 3 /* number of documents */
/* Fills in one document of each kind: text, spreadsheet, presentation. */
void trials_fill(struct zygote_trial out[static TRIALS]);
