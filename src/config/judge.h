/* judge: validates settings that can each be parsed, alone and in combination. */
#pragma once

#include "config/config.h"

struct judge_finding {
    bool fatal;     /* the server does not start with it; else it is a warning */
    size_t setting; /* index for config_setting_at */
    const char *text;
};

typedef void judge_tell(void *cls, const struct judge_finding *finding);

/* Calls tell for each finding. Reads nothing but the settings and the files that they name. */
void judge_config(const struct config *config, judge_tell *tell, void *cls);
/* Fails with the first fatal finding. */
int judge_first(const struct config *config, struct err *err);
