/*
 * double: the services of a server without a server, for tools that run in this process: a seal
 * made anew in memory, and the time stamp authority of PLATEN_TIMESTAMP_URL.
 */
#pragma once

#include "declare/tool_run/service.h"

struct tool_services double_services(void);
/* Whether there is an authority. */
bool double_authority(void);
