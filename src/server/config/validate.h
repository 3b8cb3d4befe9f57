/* validate: checks settings that were parsed: the value of each alone, and their combination. */
#pragma once

#include "server/config/config.h"

struct validate_finding {
    bool fatal;     /* the server does not start with it; else it is a warning */
    size_t setting; /* index for config_setting_at */
    const char *text;
};

typedef void validate_report(void *arg, const struct validate_finding *finding);

/* Calls `report` for each finding. Reads nothing but the settings and the files that they name. */
void validate_config(const struct config *config, validate_report *report, void *arg);
/* Fails with the first fatal finding. */
int validate_first(const struct config *config, struct err *err);
