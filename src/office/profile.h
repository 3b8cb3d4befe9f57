/*
 * profile: LibreOffice's settings as we want them, and whether it is here at all.
 *
 * LibreOffice reads its settings from $HOME/.config/libreoffice/4/user when it is prepared, and
 * never again: what stands there holds for every job. One setting says that this version ran
 * before: without it every process first tries out how the machine draws (half a second).
 */
#pragma once

#include "base/err.h"

/* Where Debian puts it. */
#define PROFILE_PROGRAM_FOLDER "/usr/lib/libreoffice/program"

/* Whether all of LibreOffice that is needed is there; else err says what is missing. */
int profile_look(struct err *err);
/* Tests only, before profile_make: without what keeps documents from fetching and reading. */
void profile_unguarded(void);
/* Writes the settings into a new home below `folder`, and points HOME and TMPDIR there. */
int profile_make(const char *folder, struct err *err);
