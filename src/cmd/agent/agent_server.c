#include "cmd/agent/agent_server.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "sandbox/process/program_path.h"

#define WORDS     64    /* limit of the words of a command */
#define START_MS  60000 /* how long the server may take to start */
#define LOOK_MS   20
#define LOG_BYTES ((size_t) 64 << 10) /* of its log, in which it says that it is ready */

extern char **environ;

/* Settings of another server do not concern this one. */
static bool is_foreign(const char *variable)
{
    return strncmp(variable, "PLATEN_", 7) == 0 && strncmp(variable, "PLATEN_PROGRAMS=", 16) != 0 &&
           strncmp(variable, "PLATEN_ALLOW_UNSANDBOXED=", 25) != 0;
}

/* The environment without them; the caller frees the list. */
static char **own_environment(void)
{
    size_t n = 0, kept = 0;
    char **list;

    while (environ[n])
        n++;
    list = calloc(n + 1, sizeof *list);
    for (size_t i = 0; list && i < n; i++)
        if (!is_foreign(environ[i]))
            list[kept++] = environ[i];
    return list;
}

/* Starts platen-server with these words; its standard output and error go to the descriptors. It
 * ends with this process. */
static pid_t start_program(char *const *words, int out, int errors, struct err *err)
{
    AUTO_FREE char **environment = own_environment();
    char path[PATH_MAX];
    pid_t pid, parent = getpid();

    if (!environment || program_path("", "platen-server", path, sizeof path, err) < 0)
        return -1;
    pid = fork();
    if (pid < 0)
        return err_sys(err, "the server cannot be started");
    if (pid > 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || dup2(out, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
        _exit(1);
    close(STDIN_FILENO);
    (void) !open("/dev/null", O_RDONLY);
    execve(path, words, environment);
    _exit(127);
}

/* Reads what a program has written to a file whose offset it shares. */
static void read_written(int fd, struct buf *out)
{
    void *room = buf_room(out, LOG_BYTES);
    struct err err;
    ssize_t n = room ? fdio_read_at(fd, room, LOG_BYTES, 0, &err) : 0;

    if (n > 0)
        buf_added(out, (size_t) n);
}

static int make_key(const struct agent_server *server, struct agent_remote *remote, struct err *err)
{
    AUTO_CLOSE int out = fdio_memory_file(err), none = open("/dev/null", O_WRONLY | O_CLOEXEC);
    AUTO_BUF struct buf text = BUF_EMPTY;
    char data[80];
    char *words[] = { (char[]){ "platen-server" },
                      (char[]){ "key" },
                      (char[]){ "create" },
                      (char[]){ "--config=/dev/null" },
                      (char[]){ "--plan=business" },
                      (char[]){ "--name=mcp" },
                      data,
                      NULL };
    int status = -1;
    pid_t pid;

    snprintf(data, sizeof data, "--data=%s/data", server->folder);
    if (out < 0 || none < 0 || (pid = start_program(words, out, none, err)) < 0)
        return -1;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    read_written(out, &text);
    if (status != 0 || !text.len)
        return err_set(err, ERR_INTERNAL, "the server's key cannot be made in %s", server->folder);
    snprintf(remote->key, sizeof remote->key, "%.*s", (int) strcspn(buf_text(&text), "\n"),
             buf_text(&text));
    return 0;
}

/* The port in the log; 0: it is not there yet. */
static int find_port(int log)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    const char *ready, *port;

    read_written(log, &text);
    ready = strstr(buf_text(&text), "event=server.ready ");
    port = ready ? strstr(ready, " port=") : NULL;
    return port && strchr(port, '\n') ? (int) strtol(port + 6, NULL, 10) : 0;
}

static int await_port(struct agent_server *server, int log, struct agent_remote *remote,
                      struct err *err)
{
    int64_t until = clock_mono_ms() + START_MS;

    while (clock_mono_ms() < until) {
        int port = find_port(log);

        if (port) {
            snprintf(remote->url, sizeof remote->url, "http://127.0.0.1:%d", port);
            return 0;
        }
        if (waitpid(server->pid, NULL, WNOHANG) == server->pid) {
            server->pid = 0;
            return err_set(err, ERR_INTERNAL,
                           "the server for local jobs does not start; platen doctor finds out why");
        }
        poll(NULL, 0, LOOK_MS);
    }
    return err_set(err, ERR_INTERNAL, "the server for local jobs does not start in time");
}

static int start_server(struct agent_server *server, char *const *settings, size_t n_settings,
                        struct agent_remote *remote, struct err *err)
{
    AUTO_CLOSE int log = -1;
    char data[80], path[80];
    char *words[WORDS] = { (char[]){ "platen-server" },      (char[]){ "serve" },
                           (char[]){ "--config=/dev/null" }, (char[]){ "--listen=127.0.0.1:0" },
                           (char[]){ "--mcp=true" },         (char[]){ "--web=off" },
                           (char[]){ "--http-threads=1" },   data };
    size_t n = 8;
    pid_t pid;

    if (n + n_settings >= WORDS)
        return err_set(err, ERR_INVALID_REQUEST, "too many settings");
    for (size_t i = 0; i < n_settings; i++)
        words[n++] = settings[i];
    snprintf(data, sizeof data, "--data=%s/data", server->folder);
    snprintf(path, sizeof path, "%s/log", server->folder);
    log = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0)
        return err_sys(err, "%s", path);
    pid = start_program(words, log, log, err);
    if (pid < 0)
        return -1;
    server->pid = pid;
    return await_port(server, log, remote, err);
}

int agent_server_begin(struct agent_server *server, char *const *settings, size_t n_settings,
                       struct agent_remote *remote, struct err *err)
{
    const char *base = getenv("TMPDIR");
    char folder[sizeof server->folder];

    *server = (struct agent_server){ 0 };
    if (!base || strlen(base) > sizeof folder - 20)
        base = "/tmp";
    snprintf(folder, sizeof folder, "%s/platen-mcp-XXXXXX", base);
    if (!mkdtemp(folder))
        return err_sys(err, "%s", folder);
    memcpy(server->folder, folder, sizeof folder);
    if (make_key(server, remote, err) < 0)
        return -1;
    return start_server(server, settings, n_settings, remote, err);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void) info;
    (void) kind;
    (void) at;
    remove(path);
    return 0;
}

void agent_server_end(struct agent_server *server)
{
    if (server->pid > 0) {
        kill(server->pid, SIGTERM);
        while (waitpid(server->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (*server->folder)
        nftw(server->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    *server = (struct agent_server){ 0 };
}
