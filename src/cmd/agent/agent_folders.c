#include "cmd/agent/agent_folders.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/scope.h"
#include "declare/value/text.h"

#define TRIES     1000 /* numbers that a new file's name may get */
#define NAME_CAP  201
#define SHOWN_CAP 120

/* Opens a path that may not lead out of the folder. */
static int open_beneath(int folder, const char *path, int flags)
{
    struct open_how how = { .flags = (__u64) (flags | O_CLOEXEC),
                            .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };

    return (int) syscall(SYS_openat2, folder, *path ? path : ".", &how, sizeof how);
}

static int refuse_path(const struct agent_folders *folders, const char *path, const char *why,
                       struct err *err)
{
    char shown[SHOWN_CAP];

    text_for_message(path, strlen(path), shown, sizeof shown);
    return err_set(err, ERR_INVALID_PARAMETER, "%s %s; the allowed folder%s %.80s%s", shown, why,
                   folders->n > 1 ? "s are" : " is", folders->paths[0],
                   folders->n > 1 ? " and others" : "");
}

int agent_folders_add(struct agent_folders *folders, const char *path, struct err *err)
{
    char *real = folders->paths[folders->n];
    int fd;

    if (folders->n == AGENT_FOLDERS)
        return err_set(err, ERR_INVALID_PARAMETER, "at most %d folders can be given",
                       AGENT_FOLDERS);
    if (!realpath(path, real))
        return err_sys(err, "the folder %s", path);
    fd = open(real, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return err_sys(err, "the folder %s", path);
    folders->fds[folders->n++] = fd;
    return 0;
}

void agent_folders_close(struct agent_folders *folders)
{
    for (size_t i = 0; i < folders->n; i++)
        close(folders->fds[i]);
    folders->n = 0;
}

/* What follows the folder's path in an absolute one, or all of a relative one; NULL: the path
 * is not in the folder. */
static const char *rest_in(const char *folder, const char *path)
{
    size_t n = strlen(folder);

    if (path[0] != '/')
        return path;
    if (strcmp(folder, "/") == 0)
        return path + 1;
    if (strncmp(path, folder, n) != 0 || (path[n] != '/' && path[n] != '\0'))
        return NULL;
    for (path += n; *path == '/';)
        path++;
    return path;
}

/* Opens the path in the first folder that has it; -1 with errno. */
static int open_any(const struct agent_folders *folders, const char *path, int flags, size_t *which)
{
    int why = EXDEV;

    for (size_t i = 0; i < folders->n; i++) {
        const char *rest = rest_in(folders->paths[i], path);
        int fd = rest ? open_beneath(folders->fds[i], rest, flags) : -1;

        *which = i;
        if (fd >= 0)
            return fd;
        if (rest && why == EXDEV)
            why = errno;
    }
    errno = why;
    return -1;
}

int agent_folders_open(const struct agent_folders *folders, const char *path,
                       char folder[static PATH_MAX], struct err *err)
{
    struct stat info;
    size_t which = 0;
    /* A FIFO would keep an ordinary open waiting. */
    AUTO_CLOSE int fd = open_any(folders, path, O_RDONLY | O_NONBLOCK, &which);

    if (fd < 0 && errno == ENOENT)
        return refuse_path(folders, path, "does not exist", err);
    if (fd < 0 && (errno == EXDEV || errno == ELOOP))
        return refuse_path(folders, path, "is not in an allowed folder", err);
    if (fd < 0)
        return refuse_path(folders, path, "cannot be read", err);
    if (fstat(fd, &info) < 0 || !S_ISREG(info.st_mode))
        return refuse_path(folders, path, "is not a file", err);
    snprintf(folder, PATH_MAX, "%s", folders->paths[which]);
    return scope_take_fd(&fd);
}

/* "report.pdf", then "report-2.pdf" and so on. */
static int create_in(int folder, const char *name, char used[static NAME_CAP + 8])
{
    const char *dot = strrchr(name, '.');
    int stem = dot && dot != name ? (int) (dot - name) : (int) strlen(name);

    for (int i = 1; i < TRIES; i++) {
        int fd;

        if (i == 1)
            snprintf(used, NAME_CAP + 8, "%s", name);
        else
            snprintf(used, NAME_CAP + 8, "%.*s-%d%s", stem, name, i, name + stem);
        fd = openat(folder, used, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    errno = EEXIST;
    return -1;
}

/* The path of an open folder, for messages. */
static void path_of(int fd, char out[static PATH_MAX])
{
    char link[40];
    ssize_t n;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, out, PATH_MAX - 1);
    out[n > 0 ? n : 0] = '\0';
}

/* Opens the folder of a new file. *name becomes the file's name if `where` has it. -1 with the
 * error set. */
static int open_target(const struct agent_folders *folders, const char *where, const char **name,
                       struct err *err)
{
    const char *slash = strrchr(where, '/');
    size_t which = 0;
    int folder = open_any(folders, where, O_RDONLY | O_DIRECTORY, &which);
    char parent[PATH_MAX];

    if (folder < 0 && errno != EXDEV && errno != ELOOP) { /* its last part is a file's name */
        snprintf(parent, sizeof parent, "%.*s", slash ? (int) (slash - where) : 0, where);
        *name = slash ? slash + 1 : where;
        folder = open_any(folders, parent, O_RDONLY | O_DIRECTORY, &which);
    }
    return folder >= 0 ? folder : refuse_path(folders, where, "is not in an allowed folder", err);
}

int agent_folders_check(const struct agent_folders *folders, const char *where, struct err *err)
{
    const char *name = "";
    AUTO_CLOSE int folder = open_target(folders, where, &name, err);

    return folder < 0 ? -1 : 0;
}

int agent_folders_create(const struct agent_folders *folders, const char *where, const char *name,
                         char made[static PATH_MAX], struct err *err)
{
    char safe[NAME_CAP], used[NAME_CAP + 8], folder_path[PATH_MAX];
    AUTO_CLOSE int folder = open_target(folders, where, &name, err);
    int fd;

    if (folder < 0)
        return -1;
    text_file_name(name, strlen(name), safe, sizeof safe - 1);
    fd = *safe ? create_in(folder, safe, used) : -1;
    if (fd < 0)
        return refuse_path(folders, where, "cannot be written", err);
    path_of(folder, folder_path);
    if (snprintf(made, PATH_MAX, "%s/%s", folder_path, used) >= PATH_MAX)
        made[0] = '\0';
    return fd;
}
