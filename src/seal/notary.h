/*
 * notary: the server's way to platen-notary, as the services that jobs may ask for. The program is
 * started for each question and gone with its answer: an idle server pays nothing for it.
 */
#pragma once

#include <limits.h>

#include "seal/notary_order.h"

struct notary {
    char program[PATH_MAX];
    struct notary_settings settings;
    struct tool_services services; /* of this notary, which must stay where it is */
};

/* `folder`: of the programs; "": that of this program. The texts of settings outlive the notary. */
int notary_init(struct notary *notary, const char *folder, const struct notary_settings *settings,
                struct err *err);
