/* What is left to a client of the network: to look for its peer and trust it, and no file of ours.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "tap.h"
#include "worker/landlock.h"

static char own[] = "/tmp/platen-client-XXXXXX", trusted[] = "/tmp/platen-trusted-XXXXXX";

static int can_open(const char *path, int flags)
{
    AUTO_CLOSE int fd = open(path, flags | O_CLOEXEC, 0600);

    return fd < 0 ? errno : 0;
}

static int can_connect(const struct sockaddr_in *to)
{
    AUTO_CLOSE int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    return connect(fd, (const struct sockaddr *) to, sizeof *to) < 0 ? errno : 0;
}

static void as_client(const struct sockaddr_in *peer)
{
    AUTO_CLOSE int readable = open(trusted, O_PATH | O_CLOEXEC);
    struct landlock landlock;
    struct err err;

    landlock_prepare_client(&landlock);
    if (landlock.abi == 0) {
        ok(true, "no Landlock in this kernel # SKIP");
        return;
    }
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!ok(landlock_enter(&landlock, &readable, 1, NULL, 0, 0, &err) == 0, "a client is confined"))
        return;
    is_int(can_open(own, O_RDONLY), EACCES, "it reads no file of ours");
    is_int(can_open(own, O_WRONLY), EACCES, "nor writes one");
    is_int(can_open("/tmp/platen-client-new", O_WRONLY | O_CREAT), EACCES, "nor makes one");
    is_int(can_open("/etc/passwd", O_WRONLY | O_APPEND), EACCES, "nor changes the system's");
    is_int(can_open(trusted, O_RDONLY), 0, "it reads what it was given");
    is_int(can_open("/etc/passwd", O_RDONLY), 0, "and the system's tables");
    is_int(can_connect(peer), 0, "and speaks to its peer");
}

int main(void)
{
    struct sockaddr_in peer = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t n = sizeof peer;
    AUTO_CLOSE int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    AUTO_CLOSE int one = mkstemp(own);
    AUTO_CLOSE int two = mkstemp(trusted);
    int status;
    pid_t pid;

    if (one < 0 || two < 0 || bind(listener, (struct sockaddr *) &peer, sizeof peer) < 0 ||
        listen(listener, 1) < 0 || getsockname(listener, (struct sockaddr *) &peer, &n) < 0)
        return 1;
    pid = fork();
    if (pid == 0) {
        as_client(&peer);
        status = done_testing();
        fflush(stdout);
        _exit(status); /* a sanitizer could not look for leaks any more */
    }
    waitpid(pid, &status, 0);
    unlink(own);
    unlink(trusted);
    return status != 0;
}
