#include "sandbox/zygote/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"

#define DEPTH      200 /* limit of nested folders; each holds a descriptor while it is walked */
#define FILE_LEAST 4096
#define TRIES      100 /* folders that are made until one is locked before another program sees it */

static DIR *open_folder(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);

    if (!dir && fd >= 0)
        close(fd);
    return dir;
}

static const struct dirent *next(DIR *dir)
{
    const struct dirent *entry;

    while ((entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            break;
    return entry;
}

static void remove_tree(int parent, const char *name, int depth)
{
    DIR *dir = depth < DEPTH ? open_folder(parent, name) : NULL;
    const struct dirent *entry;

    while (dir && (entry = next(dir)))
        if (unlinkat(dirfd(dir), entry->d_name, 0) < 0)
            remove_tree(dirfd(dir), entry->d_name, depth + 1);
    if (dir)
        closedir(dir);
    unlinkat(parent, name, AT_REMOVEDIR);
}

static int64_t measure_folder(int parent, const char *name, int depth, int64_t enough)
{
    DIR *dir = depth < DEPTH ? open_folder(parent, name) : NULL;
    const struct dirent *entry;
    int64_t bytes = FILE_LEAST;

    while (dir && bytes <= enough && (entry = next(dir))) {
        struct stat st;

        if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            continue;
        if (S_ISDIR(st.st_mode))
            bytes += measure_folder(dirfd(dir), entry->d_name, depth + 1, enough - bytes);
        else
            bytes += st.st_blocks ? (int64_t) st.st_blocks * 512 : FILE_LEAST;
    }
    if (dir)
        closedir(dir);
    return depth < DEPTH ? bytes : enough + 1;
}

/* Removes folders of programs that have ended: their lock is free. */
static void sweep_old(const char *name)
{
    DIR *dir = open_folder(AT_FDCWD, FOLDER_PARENT);
    const struct dirent *entry;
    size_t n = strlen(name);

    while (dir && (entry = next(dir))) {
        AUTO_CLOSE int fd = -1;
        struct stat st;

        if (strncmp(entry->d_name, name, n) != 0 || entry->d_name[n] != '.')
            continue;
        fd = openat(dirfd(dir), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
            flock(fd, LOCK_EX | LOCK_NB) == 0)
            remove_tree(dirfd(dir), entry->d_name, 0);
    }
    if (dir)
        closedir(dir);
}

/* Locks the folder that was just made. False with errno if it cannot be locked, as when another
 * program that starts at this moment takes it for one that was left, and removes it. */
static bool lock_folder(struct folder *folder)
{
    struct stat opened;
    struct stat named;

    folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder->fd < 0)
        return false;
    if (flock(folder->fd, LOCK_EX | LOCK_NB) == 0 && fstat(folder->fd, &opened) == 0 &&
        stat(folder->path, &named) == 0 && opened.st_ino == named.st_ino)
        return true;
    close(folder->fd);
    folder->fd = -1;
    return false;
}

int folder_open(struct folder *folder, const char *name, struct err *err)
{
    sweep_old(name);
    for (int i = 0; i < TRIES; i++) {
        snprintf(folder->path, sizeof folder->path, FOLDER_PARENT "/%s.XXXXXX", name);
        if (!mkdtemp(folder->path))
            return err_sys(err, "make a folder in " FOLDER_PARENT);
        if (lock_folder(folder))
            return 0;
    }
    return err_sys(err, "lock %s", folder->path);
}

void folder_close(struct folder *folder)
{
    if (folder->fd < 0)
        return;
    remove_tree(AT_FDCWD, folder->path, 0);
    close(folder->fd);
    *folder = FOLDER_NONE;
}

static void name_of(unsigned number, char out[static 16])
{
    snprintf(out, 16, "%u", number);
}

int folder_make(const struct folder *folder, unsigned number, char out[static FOLDER_PATH],
                struct err *err)
{
    snprintf(out, FOLDER_PATH, "%.60s/%u", folder->path, number);
    return mkdir(out, 0700) < 0 ? err_sys(err, "make the job's folder") : 0;
}

int64_t folder_bytes(const struct folder *folder, unsigned number, int64_t enough)
{
    char name[16];

    name_of(number, name);
    return measure_folder(folder->fd, name, 0, enough);
}

void folder_sweep(const struct folder *folder, unsigned number)
{
    char name[16];

    name_of(number, name);
    remove_tree(folder->fd, name, 0);
}
