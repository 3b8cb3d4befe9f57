/* The starter of programs: what it starts is ours, and it starts nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/scope.h"
#include "sandbox/process/starter.h"
#include "tap.h"

static char folder[] = "/tmp/platen-starter-XXXXXX";
static int control;

static void write_program(const char *name, const char *text)
{
    AUTO_BUF struct buf path = BUF_EMPTY;
    AUTO_CLOSE int fd = -1;

    buf_printf(&path, "%s/%s", folder, name);
    fd = open(buf_text(&path), O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
    if (fd < 0 || write(fd, text, strlen(text)) < 0 || fchmod(fd, 0755) < 0)
        exit(1);
}

static void clean(void)
{
    static const char *const names[] = { "platen-test", "other", "platen-bad" };
    AUTO_BUF struct buf path = BUF_EMPTY;

    for (size_t i = 0; i < COUNT(names); i++) {
        path.len = 0;
        buf_printf(&path, "%s/%s", folder, names[i]);
        unlink(buf_text(&path));
    }
    rmdir(folder);
}

static int start(const char *path, pid_t *pid, struct err *err)
{
    *pid = 0;
    return starter_start(path, control, pid, err);
}

static bool refuses(const char *path)
{
    struct err err = { 0 };
    pid_t pid;

    return start(path, &pid, &err) < 0 && pid == 0 && strstr(err.msg, "not permitted");
}

static void test_ours(void)
{
    AUTO_BUF struct buf path = BUF_EMPTY;
    struct err err = { 0 };
    int status = -1;
    pid_t pid;

    buf_printf(&path, "%s/platen-test", folder);
    ok(start(buf_text(&path), &pid, &err) == 0 && pid > 0, "a program of the folder is started");
    ok(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7,
       "it is a child of this process, and has the control socket and a short environment");
    ok(starter_runs(), "the starter runs");
}

static void test_others(void)
{
    static const char *const others[] = { "/bin/true", "platen-test", "", "/bin/../bin/true" };
    AUTO_BUF struct buf path = BUF_EMPTY;
    struct err err = { 0 };
    pid_t pid;

    for (size_t i = 0; i < COUNT(others); i++)
        ok(refuses(others[i]), "\"%s\" is not started", others[i]);
    buf_printf(&path, "%s/other", folder);
    ok(refuses(buf_text(&path)), "nor is a program of the folder with another name");
    path.len = 0;
    buf_printf(&path, "%s/x/../platen-test", folder);
    ok(refuses(buf_text(&path)), "nor one by another path");
    path.len = 0;
    buf_printf(&path, "%s/platen-bad", folder);
    ok(start(buf_text(&path), &pid, &err) < 0 && strstr(err.msg, "platen-bad"),
       "a file that cannot be executed is an error: %s", err.msg);
    ok(waitpid(-1, NULL, WNOHANG) <= 0, "which leaves no process that has ended");
}

int main(void)
{
    struct err err;
    int pair[2];

    if (geteuid() != 0)
        return puts("1..0 # SKIP only root can start a starter") < 0;
    if (!mkdtemp(folder) || chmod(folder, 0755) < 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return 1;
    control = pair[1];
    write_program("platen-test",
                  "#!/bin/sh\n[ -S /proc/self/fd/3 ] && [ -z \"$SECRET\" ] && exit 7\n");
    write_program("other", "#!/bin/sh\nexit 7\n");
    write_program("platen-bad", "\x7f\x45LF");
    setenv("SECRET", "word", 1);
    ok(starter_begin(folder, &err) == 0, "a starter begins");
    test_ours();
    test_others();
    clean();
    return done_testing();
}
