#include "data/blob/blob_copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "data/blob/blob_place.h"

#define PART ".part" /* what is being copied; no blob's name */

struct shelf {
    int from, to;
    struct blob_copied *copied;
};

static void close_list(DIR **list)
{
    if (*list)
        closedir(*list);
}
#define AUTO_LIST __attribute__((cleanup(close_list)))

/* Of the folder of a descriptor that stays the caller's. */
static DIR *open_folder(int folder, struct err *err)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);

    if (!dir) {
        err_sys(err, "list a folder");
        if (fd >= 0)
            close(fd);
    }
    return dir;
}

static bool is_blob(const char *name)
{
    char id[ID_TEXT];

    return blob_place_read(name, id) != NULL;
}

/* It gets its name when it is whole. Not O_TMPFILE: a backup may be on a file system without. */
static int copy_content(const struct shelf *shelf, const char *name, struct err *err)
{
    AUTO_CLOSE int from = openat(shelf->from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    AUTO_CLOSE int to = -1;
    struct stat st;

    if (from < 0 && errno == ENOENT)
        return 0;
    if (from < 0 || fstat(from, &st) < 0)
        return err_sys(err, "read a file");
    to = openat(shelf->to, PART, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (to < 0)
        return err_sys(err, "make a file");
    if (fdio_copy(from, 0, (int64_t) st.st_size, to, err) < 0)
        return -1;
    if (geteuid() == 0 && fchown(to, st.st_uid, st.st_gid) < 0)
        return err_sys(err, "give a file its owner");
    if (fsync(to) < 0 || renameat(shelf->to, PART, shelf->to, name) < 0)
        return err_sys(err, "write a file to the disk");
    shelf->copied->copied++;
    shelf->copied->bytes += (int64_t) st.st_size;
    return 0;
}

static int bring(const struct shelf *shelf, const char *name, struct err *err)
{
    if (linkat(shelf->from, name, shelf->to, name, 0) == 0) {
        shelf->copied->linked++;
        return 0;
    }
    if (errno == EEXIST || errno == ENOENT)
        return 0;
    if (faccessat(shelf->to, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return 0; /* another file system says EXDEV before it looks */
    return copy_content(shelf, name, err);
}

static int bring_all(const struct shelf *shelf, struct err *err)
{
    AUTO_LIST DIR *dir = open_folder(shelf->from, err);
    int64_t before = shelf->copied->linked + shelf->copied->copied;
    const struct dirent *entry;

    if (!dir)
        return -1;
    while ((entry = readdir(dir)))
        if (is_blob(entry->d_name) && bring(shelf, entry->d_name, err) < 0)
            return -1;
    if (shelf->copied->linked + shelf->copied->copied == before)
        return 0;
    return fsync(shelf->to) < 0 ? err_sys(err, "write a folder to the disk") : 0;
}

static int drop_gone(const struct shelf *shelf, struct err *err)
{
    AUTO_LIST DIR *dir = open_folder(shelf->to, err);
    const struct dirent *entry;

    if (!dir)
        return -1;
    while ((entry = readdir(dir)))
        if (is_blob(entry->d_name) &&
            faccessat(shelf->from, entry->d_name, F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
            errno == ENOENT && unlinkat(shelf->to, entry->d_name, 0) == 0)
            shelf->copied->dropped++;
    return 0;
}

/* A folder like another one, with its owner. */
static int make_like(int parent, const char *name, const struct stat *like, struct err *err)
{
    int fd;

    if (mkdirat(parent, name, 0700) < 0 && errno != EEXIST)
        return err_sys(err, "make the folder %s", name);
    fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || (geteuid() == 0 && fchown(fd, like->st_uid, like->st_gid) < 0)) {
        err_sys(err, "open the folder %s", name);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}

static int copy_shelf(int from, int to, const char *name, bool drop, struct blob_copied *copied,
                      struct err *err)
{
    AUTO_CLOSE int source = openat(from, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    AUTO_CLOSE int target = -1;
    struct stat st;

    if (source < 0 && errno == ENOENT)
        return 0; /* a store that was never opened */
    if (source < 0 || fstat(source, &st) < 0)
        return err_sys(err, "open a folder of files");
    target = make_like(to, name, &st, err);
    if (target < 0)
        return -1;
    const struct shelf shelf = { source, target, copied };
    if (bring_all(&shelf, err) < 0)
        return -1;
    return drop ? drop_gone(&shelf, err) : 0;
}

int blob_copy(const char *from, const char *to, bool drop, struct blob_copied *copied,
              struct err *err)
{
    AUTO_CLOSE int source = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    AUTO_CLOSE int target = -1;
    struct stat st;

    if (source < 0 || fstat(source, &st) < 0)
        return err_sys(err, "open the folder %s", from);
    target = make_like(AT_FDCWD, to, &st, err);
    if (target < 0)
        return -1;
    for (unsigned i = 0; i < BLOB_SHELVES; i++) {
        char name[BLOB_SHELF_NAME];

        blob_place_shelf_name(i, name);
        if (copy_shelf(source, target, name, drop, copied, err) < 0)
            return -1;
    }
    return fsync(target) < 0 ? err_sys(err, "write a folder to the disk") : 0;
}
