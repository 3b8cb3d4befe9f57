/* agent_files: local files in calls and results of tools. */
#pragma once

#include <jansson.h>

#include "cmd/agent/agent_folders.h"
#include "cmd/agent/agent_remote.h"

/* What a call says of local files. */
struct agent_order {
    bool saves;           /* results are saved */
    char where[PATH_MAX]; /* a folder or a file */
};

/* Changes a result that declares the tools, or that has instructions, so that it says how local
 * files are named. */
void agent_files_declare(json_t *result);
/* Uploads the files that the arguments of a call name by paths, replaces them by handles, and takes
 * the argument `save_to` out. An error is for the model. */
int agent_files_send(const struct agent_folders *folders, const struct agent_remote *remote,
                     json_t *arguments, struct agent_order *order, struct err *err);
/* Saves what the result of a call links to, and says where in it. What cannot be saved is said in
 * it, too. */
void agent_files_save(const struct agent_folders *folders, const struct agent_remote *remote,
                      const struct agent_order *order, json_t *result);
