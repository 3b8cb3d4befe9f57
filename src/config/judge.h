/* judge: whether settings that can each be read make sense, alone and together. */
#pragma once

#include "config/config.h"

struct judge_finding {
    bool fatal;     /* the server does not start with it; else it is odd */
    size_t setting; /* of config_setting_at */
    const char *text;
};

typedef void judge_tell(void *cls, const struct judge_finding *finding);

/* Calls tell for each finding. Looks at nothing but the settings, and at files they name. */
void judge_config(const struct config *config, judge_tell *tell, void *cls);
/* The first that is fatal. */
int judge_first(const struct config *config, struct err *err);
