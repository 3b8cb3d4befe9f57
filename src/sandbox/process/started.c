#include "sandbox/process/started.h"

#include <stdio.h>
#include <sys/socket.h>

#include "sandbox/process/program.h"

bool started_by_server(const char *name)
{
    int type = 0;
    socklen_t n = sizeof type;

    if (getsockopt(ZYGOTE_CONTROL, SOL_SOCKET, SO_TYPE, &type, &n) == 0 && type == SOCK_SEQPACKET)
        return true;
    fprintf(stderr, "%s is a part of platen and started by it; see `platen --help`\n", name);
    return false;
}
