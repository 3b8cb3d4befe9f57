#include "sandbox/worker/declared.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/scope.h"
#include "declare/tool/describe.h"
#include "sandbox/process/program.h"

#define MOST        ((size_t) 1 << 20) /* limit of an answer in bytes */
#define PATIENCE_MS 5000

static int spawn(const char *program, int out, pid_t *pid, struct err *err)
{
    char *const argv[] = { (char *) (uintptr_t) program, (char[]){ ZYGOTE_DESCRIBE }, NULL };
    char *const environment[] = { (char[]){ "LANG=C.UTF-8" }, NULL };
    posix_spawn_file_actions_t files;
    int failed;

    if (posix_spawn_file_actions_init(&files))
        return err_set(err, ERR_INTERNAL, "out of memory");
    failed = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    failed |= posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    failed |= posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    if (!failed)
        failed = posix_spawn(pid, program, &files, NULL, argv, environment);
    posix_spawn_file_actions_destroy(&files);
    errno = failed;
    return failed ? err_sys(err, "start %s", program) : 0;
}

static int read_declared(int fd, struct buf *text, struct err *err)
{
    int64_t until = clock_mono_ms() + PATIENCE_MS;
    char chunk[4096];
    ssize_t n = 1;

    while (n > 0) {
        struct pollfd answer = { .fd = fd, .events = POLLIN };
        int64_t left = until - clock_mono_ms();

        if (left <= 0 || poll(&answer, 1, (int) left) < 1)
            return err_set(err, ERR_INTERNAL, "a program does not say what tools it has");
        n = read(fd, chunk, sizeof chunk);
        if (n < 0 || text->len + (size_t) n > MOST)
            return err_set(err, ERR_INTERNAL, "what a program says of its tools is too long");
        buf_put(text, chunk, (size_t) n);
    }
    return 0;
}

static int ask(const char *program, struct buf *text, struct err *err)
{
    AUTO_CLOSE int ours = -1;
    AUTO_CLOSE int theirs = -1;
    int ends[2], done;
    pid_t pid = 0;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return err_sys(err, "pipe");
    ours = ends[0];
    theirs = ends[1];
    if (spawn(program, theirs, &pid, err) < 0)
        return -1;
    close(scope_take_fd(&theirs));
    done = read_declared(ours, text, err);
    if (done < 0 && pid > 0)
        kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    return done;
}

int declared_read(const char *folder, const char *name, struct declared *out, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    char path[PATH_MAX];
    struct tool **tools;
    const json_t *list;

    *out = (struct declared){ 0 };
    if (program_path(folder, name, path, sizeof path, err) < 0 || ask(path, &text, err) < 0)
        return -1;
    out->json = json_loads(buf_text(&text), 0, NULL);
    list = json_object_get(out->json, "tools");
    tools = calloc(json_array_size(list) + 1, sizeof(struct tool *));
    out->tools = tools;
    for (size_t i = 0; tools && i < json_array_size(list); i++) {
        tools[i] = tool_recall(json_array_get(list, i), err);
        if (!tools[i])
            break;
        out->n++;
    }
    if (out->n > 0 && out->n == json_array_size(list))
        return 0;
    declared_free(out);
    return err_set(err, ERR_INTERNAL, "%s does not say what tools it has", name);
}

void declared_free(struct declared *declared)
{
    for (size_t i = 0; declared->tools && i < declared->n; i++)
        tool_forget(declared->tools[i]);
    free(declared->tools);
    json_decref(declared->json);
    *declared = (struct declared){ 0 };
}
