/*
 * profile: LibreOffice's settings, and a check that it is installed.
 *
 * LibreOffice reads its settings from $HOME/.config/libreoffice/4/user when it is prepared, and
 * never again: they hold for every job. One setting says that this version ran before: without it
 * every process first tests the graphics drivers (half a second).
 */
#pragma once

#include "base/err.h"

/* Debian's folder. */
#define PROFILE_PROGRAM_FOLDER "/usr/lib/libreoffice/program"

/* Checks that all required parts of LibreOffice are installed; err says what is missing. */
int profile_look(struct err *err);
/* Tests only, before profile_make: omits the settings that keep documents from reading files and
 * addresses. */
void profile_unguarded(void);
/* Writes the settings to a new home folder below `folder`, and sets HOME and TMPDIR to it. */
int profile_make(const char *folder, struct err *err);
