/* scratch: a folder of the test's own, and programs that run in it. */
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"

static char scratch_at[64];

static inline void scratch_open(const char *name)
{
    snprintf(scratch_at, sizeof scratch_at, "/tmp/platen-%s-XXXXXX", name);
    if (!mkdtemp(scratch_at))
        abort();
}

static inline const char *scratch_folder(void)
{
    return scratch_at;
}

/* FOLDER/name, until the next call. */
static inline const char *scratch_path(const char *name)
{
    static char path[200];

    snprintf(path, sizeof path, "%s/%s", scratch_at, name);
    return path;
}

/* Runs a shell's words in the folder; the exit status. */
static inline int scratch_run(const char *script)
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        if (chdir(scratch_at) < 0 || !freopen("out", "w", stdout) ||
            !freopen("/dev/null", "w", stderr))
            _exit(125);
        execl("/bin/sh", "sh", "-c", script, NULL);
        _exit(126);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static inline void scratch_read(const char *name, struct buf *out)
{
    AUTO_CLOSE int fd = open(scratch_path(name), O_RDONLY);
    struct err err;

    if (fd < 0 || fdio_read_all(fd, 1000000, out, &err) < 0)
        abort();
}

static inline void scratch_put(const char *name, const struct buf *bytes)
{
    AUTO_CLOSE int fd = open(scratch_path(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    struct err err;

    if (fd < 0 || fdio_write(fd, bytes->data, bytes->len, &err) < 0)
        abort();
}

/* What the last words wrote on standard output. */
static inline const char *scratch_said(void)
{
    static char text[20000];
    AUTO_BUF struct buf out = BUF_EMPTY;

    scratch_read("out", &out);
    snprintf(text, sizeof text, "%s", buf_text(&out));
    return text;
}

static inline void scratch_close(void)
{
    scratch_run("rm -rf ./*");
    rmdir(scratch_at);
}
