/* execute: makes this process one of platen-server. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "sandbox/process/program.h"

int cmd_execute_server(char **argv)
{
    char path[PATH_MAX];
    struct err err;

    if (program_path("", "platen-server", path, sizeof path, &err) < 0)
        return cmd_fail(1, "%s", err.msg);
    execv(path, argv);
    return cmd_fail(1, "%s cannot be started: %s", path, strerror(errno));
}
