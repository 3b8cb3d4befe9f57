/*
 * config_trial: what `platen config check` finds besides single values: files that the settings
 * name are opened as the server would, and lines of a file that say something else than they seem
 * to.
 */
#pragma once

#include "server/config/validate.h"

/* Opens certificates and keys, and looks at folders and addresses. */
void config_trial(const struct config *config, validate_report *report, void *arg);
/* Reports warnings of the file's lines: quotes, times without a unit, doubled and empty plans. */
void config_trial_lines(const struct config *config, const char *path,
                        void (*report)(void *arg, int line, const char *text), void *arg);
