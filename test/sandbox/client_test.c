/* What is left to a client of the network: to look for its peer and trust it, and no file of ours.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "sandbox/confinement/landlock.h"
#include "sandbox/process/peer_files.h"
#include "tap.h"

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

/* Or there is none, as may be with settings of the resolver. */
static bool can_read(const char *path)
{
    int number = can_open(path, O_RDONLY);

    return number == 0 || number == ENOENT;
}

static int can_resolve(const char *name)
{
    struct addrinfo *found = NULL;
    int failed = getaddrinfo(name, "https", NULL, &found);

    if (!failed)
        freeaddrinfo(found);
    return failed;
}

/* In a name space of its own another file comes to be under the name. */
static void test_replaced(void)
{
    uint64_t before = peer_files_state();

    ok(peer_files_state() == before, "peer_files_state is equal while no table changes");
    if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
        mount(own, "/etc/hosts", NULL, MS_BIND, NULL) < 0) {
        ok(true, "no name space of our own # SKIP");
        return;
    }
    ok(peer_files_state() != before, "peer_files_state changes when a table is replaced");
    umount("/etc/hosts");
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
    if (!ok(landlock_enter(&landlock, &readable, 1, NULL, 0, 0, &err) == 0,
            "Landlock can be entered"))
        return;
    is_int(can_open(own, O_RDONLY), EACCES, "a confined client cannot read a file of the server");
    is_int(can_open(own, O_WRONLY), EACCES, "a confined client cannot write a file of the server");
    is_int(can_open("/tmp/platen-client-new", O_WRONLY | O_CREAT), EACCES,
           "a confined client cannot make a file in /tmp");
    is_int(can_open("/etc/passwd", O_WRONLY | O_APPEND), EACCES,
           "a confined client cannot write /etc/passwd");
    is_int(can_open(trusted, O_RDONLY), 0, "a confined client can read the file it was given");
    ok(can_read("/etc/resolv.conf") && can_read("/etc/hosts") && can_read("/etc/nsswitch.conf") &&
           can_read("/etc/ssl/certs") && can_read("/etc/ssl/certs/ca-certificates.crt"),
       "a confined client can read the resolver's tables and the trusted certificates");
    is_int(can_resolve("localhost"), 0, "a confined client can resolve localhost");
    is_int(can_open("/etc/passwd", O_RDONLY), EACCES, "a confined client cannot read /etc/passwd");
    is_int(can_open("/etc", O_RDONLY | O_DIRECTORY), EACCES, "a confined client cannot list /etc");
    ok(can_open("/etc/ssl/private", O_RDONLY | O_DIRECTORY) != 0,
       "a confined client cannot list /etc/ssl/private");
    is_int(can_connect(peer), 0, "a confined client can connect to its peer");
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
        test_replaced();
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
