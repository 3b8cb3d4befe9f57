/*
 * client: calls platen-signer for the services that jobs may ask for (declare/tool_run/service.h).
 * The program is started for each call and ends with its answer, so that an idle server pays
 * nothing for it.
 */
#pragma once

#include <limits.h>

#include "sandbox/signer/request.h"

struct signer_client {
    char program[PATH_MAX];
    struct signer_settings settings;
    struct tool_services services; /* refer to this struct, which must not be moved */
};

/*
 * Prepares a client. `folder`: where the programs are; "": the folder of this program. The strings
 * of `settings` must outlive the client. ERR_INTERNAL: the folder's path is too long.
 */
int signer_client_init(struct signer_client *signer, const char *folder,
                       const struct signer_settings *settings, struct err *err);
