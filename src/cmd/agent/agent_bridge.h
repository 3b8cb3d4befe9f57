/*
 * agent_bridge: `platen mcp`: messages of the Model Context Protocol on standard input and output,
 * one a line, are passed on to a server's /mcp. In calls of `run` the paths of local files are
 * replaced by the handles of uploads, and results are saved in the allowed folders; the file's
 * bytes are in no message.
 */
#pragma once

#include "cmd/agent/agent_folders.h"
#include "cmd/agent/agent_remote.h"

/* Serves until the end of standard input. Returns after every request was answered. */
int agent_bridge_serve(const struct agent_folders *folders, const struct agent_remote *remote,
                       struct err *err);
