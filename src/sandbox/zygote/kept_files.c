#include "sandbox/zygote/kept_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"

static bool has_descriptor(const struct kept_files *kept, int fd)
{
    for (size_t i = 0; i < kept->n; i++)
        if (kept->fds[i] == fd)
            return true;
    return false;
}

void kept_files_note(struct kept_files *kept)
{
    DIR *folder = opendir("/proc/self/fd");
    const struct dirent *entry;

    kept->n = 0;
    while (folder && kept->n < KEPT_FILES && (entry = readdir(folder))) {
        int64_t fd;

        if (num_parse_i64(entry->d_name, strlen(entry->d_name), STDERR_FILENO + 1, INT_MAX, &fd) &&
            fd != dirfd(folder))
            kept->fds[kept->n++] = (int) fd;
    }
    if (folder)
        closedir(folder);
}

void kept_files_since(struct kept_files *kept, const struct kept_files *before)
{
    struct kept_files now;

    kept_files_note(&now);
    kept->n = 0;
    for (size_t i = 0; i < now.n; i++)
        if (!has_descriptor(before, now.fds[i]))
            kept->fds[kept->n++] = now.fds[i];
}

static bool is_eventfd(int fd)
{
    char path[40], target[40] = "";

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return readlink(path, target, sizeof target - 1) > 0 &&
           strcmp(target, "anon_inode:[eventfd]") == 0;
}

/* Replaces `fd` by `fresh`, with the flags of `fd`. */
static void replace_descriptor(int fresh, int fd)
{
    int flags = fcntl(fd, F_GETFL);

    if (fresh < 0)
        return;
    fcntl(fresh, F_SETFL, flags & O_NONBLOCK);
    dup3(fresh, fd, fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
    close(fresh);
}

static void renew_pipe(const struct kept_files *kept, size_t from, ino_t inode)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return;
    for (size_t i = from; i < kept->n; i++) {
        struct stat st;

        if (fstat(kept->fds[i], &st) < 0 || !S_ISFIFO(st.st_mode) || st.st_ino != inode)
            continue;
        bool writes = (fcntl(kept->fds[i], F_GETFL) & O_ACCMODE) == O_WRONLY;
        replace_descriptor(dup(ends[writes]), kept->fds[i]);
    }
    close(ends[0]);
    close(ends[1]);
}

void kept_files_renew(const struct kept_files *kept)
{
    ino_t done[KEPT_FILES];
    size_t n_done = 0;

    for (size_t i = 0; i < kept->n; i++) {
        struct stat st;
        bool again = false;

        if (fstat(kept->fds[i], &st) < 0)
            continue;
        if (is_eventfd(kept->fds[i])) {
            replace_descriptor(eventfd(0, EFD_CLOEXEC), kept->fds[i]);
            continue;
        }
        /* A pipe that was replaced has another inode, so its other end is not found again. */
        for (size_t k = 0; k < n_done; k++)
            again = again || done[k] == st.st_ino;
        if (!S_ISFIFO(st.st_mode) || again)
            continue;
        renew_pipe(kept, i, st.st_ino);
        if (fstat(kept->fds[i], &st) == 0)
            done[n_done++] = st.st_ino;
    }
}
