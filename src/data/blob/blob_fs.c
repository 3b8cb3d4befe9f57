/* blob_fs: blobs as files of a local folder (blob_place.h). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "data/blob/blob.h"
#include "data/blob/blob_place.h"

/* Of a named file: a worker under another user opens it again through /proc/self/fd. The folders
 * are closed to everybody but the server. */
#define FILE_MODE 0644

struct blob_fs {
    struct blob_store super;
    int folder;
    int shelves[BLOB_SHELVES];
};

/* The descriptor of a job's shelf; -1 if the job id is malformed. */
static int shelf_of(const struct blob_fs *fs, const char *job_id)
{
    int shelf = blob_place_shelf(job_id);

    return shelf < 0 ? -1 : fs->shelves[shelf];
}

static void fs_close(struct blob_store *store)
{
    struct blob_fs *fs = (struct blob_fs *) store;

    for (size_t i = 0; i < COUNT(fs->shelves); i++)
        if (fs->shelves[i] >= 0)
            close(fs->shelves[i]);
    if (fs->folder >= 0)
        close(fs->folder);
    free(fs);
}

static int fs_stage(struct blob_store *store, struct err *err)
{
    struct blob_fs *fs = (struct blob_fs *) store;
    int fd = openat(fs->folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd < 0)
        return err_sys(err, "stage a file");
    /* A worker under another user opens it again through /proc/self/fd; no other process can reach
     * it: it has no name, and the folder is closed to others. */
    if (fchmod(fd, 0666) < 0) {
        close(fd);
        return err_sys(err, "stage a file");
    }
    return fd;
}

/* Makes one staging file durable and names it. */
static int name_it(int shelf, const char *job_id, const char *name, int fd, struct err *err)
{
    char from[40], to[BLOB_FILE];

    blob_place_file(job_id, name, to);
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    if (fchmod(fd, FILE_MODE) < 0 || fdatasync(fd) < 0)
        return err_sys(err, "write a file to the disk");
    if (linkat(AT_FDCWD, from, shelf, to, AT_SYMLINK_FOLLOW) < 0)
        return err_sys(err, "name a file");
    return 0;
}

/* What lies on another file system, as a file in memory does, cannot be named here: a copy is. */
static int publish_one(struct blob_store *store, int shelf, const char *job_id,
                       const struct blob_item *item, struct err *err)
{
    AUTO_CLOSE int copy = -1;
    struct stat st, folder;

    if (fstat(item->fd, &st) < 0 || fstat(shelf, &folder) < 0)
        return err_sys(err, "look at a file");
    if (st.st_dev == folder.st_dev)
        return name_it(shelf, job_id, item->name, item->fd, err);
    copy = fs_stage(store, err);
    if (copy < 0)
        return -1;
    if (fdio_copy(item->fd, 0, (int64_t) st.st_size, copy, err) < 0)
        return -1;
    return name_it(shelf, job_id, item->name, copy, err);
}

static int fs_publish(struct blob_store *store, const char *job_id, const struct blob_item *items,
                      size_t n, struct err *err)
{
    int shelf = shelf_of((struct blob_fs *) store, job_id);
    char name[BLOB_FILE];
    size_t done = 0;

    if (shelf < 0)
        return err_set(err, ERR_INTERNAL, "not a job id");
    while (done < n && publish_one(store, shelf, job_id, &items[done], err) == 0)
        done++;
    if (done == n && fsync(shelf) == 0)
        return 0;
    if (done == n)
        err_sys(err, "write a folder to the disk");
    while (done--) {
        blob_place_file(job_id, items[done].name, name);
        unlinkat(shelf, name, 0);
    }
    return -1;
}

static int fs_open(struct blob_store *store, const char *job_id, const char *name, int64_t most,
                   int64_t *bytes, struct err *err)
{
    int shelf = shelf_of((struct blob_fs *) store, job_id);
    AUTO_CLOSE int fd = -1;
    char at[BLOB_FILE];
    struct stat st;

    blob_place_file(job_id, name, at);
    if (shelf >= 0)
        fd = openat(shelf, at, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (shelf < 0 || (fd < 0 && errno == ENOENT))
        return err_set(err, ERR_NOT_FOUND, "there is no such file");
    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(err, "open a file");
    if (st.st_size > most)
        return blob_damaged(at, "is longer than it was", err);
    /* A copy that a backup or another program made may be closed to the worker's user. If the mode
     * cannot be changed, the server itself can read the file all the same. */
    if ((st.st_mode & FILE_MODE & 0444) != (FILE_MODE & 0444) && fchmod(fd, FILE_MODE) < 0)
        log_debug("blob.mode", KV("blob", at), KV("errno", errno));
    *bytes = (int64_t) st.st_size;
    return scope_take_fd(&fd);
}

static void fs_remove(struct blob_store *store, const char *job_id, const char *name)
{
    int shelf = shelf_of((struct blob_fs *) store, job_id);
    char at[BLOB_FILE];

    blob_place_file(job_id, name, at);
    if (shelf >= 0)
        unlinkat(shelf, at, 0);
}

static int each_on_shelf(int shelf, void (*found)(void *, const char *, const char *), void *arg,
                         struct err *err)
{
    int fd = openat(shelf, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;

    if (!dir) {
        err_sys(err, "list a folder");
        if (fd >= 0)
            close(fd);
        return -1;
    }
    while ((entry = readdir(dir)) != NULL) {
        char id[ID_TEXT];
        const char *name = blob_place_read(entry->d_name, id);

        if (name)
            found(arg, id, name);
    }
    closedir(dir);
    return 0;
}

static int fs_each(struct blob_store *store,
                   void (*found)(void *arg, const char *job_id, const char *name), void *arg,
                   struct err *err)
{
    struct blob_fs *fs = (struct blob_fs *) store;

    for (size_t i = 0; i < COUNT(fs->shelves); i++)
        if (each_on_shelf(fs->shelves[i], found, arg, err) < 0)
            return -1;
    return 0;
}

static int fs_room(struct blob_store *store, int64_t *free_bytes, int64_t *size, struct err *err)
{
    struct blob_fs *fs = (struct blob_fs *) store;
    struct statvfs st;

    if (fstatvfs(fs->folder, &st) < 0)
        return err_sys(err, "look at the free space");
    *free_bytes = st.f_flag & ST_RDONLY ? 0 : (int64_t) st.f_bavail * (int64_t) st.f_frsize;
    if (size)
        *size = (int64_t) st.f_blocks * (int64_t) st.f_frsize;
    return 0;
}

static const struct blob_store_ops ops = {
    .close = fs_close,
    .stage = fs_stage,
    .publish = fs_publish,
    .open = fs_open,
    .remove = fs_remove,
    .each = fs_each,
    .room = fs_room,
};

static int open_shelves(struct blob_fs *fs, const char *folder, struct err *err)
{
    if (mkdir(folder, 0700) < 0 && errno != EEXIST)
        return err_sys(err, "make the folder %s", folder);
    fs->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fs->folder < 0)
        return err_sys(err, "open the folder %s", folder);
    /* Staging files are open to all who hold their descriptor; names must not be. */
    if (fchmod(fs->folder, 0700) < 0)
        return err_sys(err, "close the folder %s to others", folder);
    for (unsigned i = 0; i < COUNT(fs->shelves); i++) {
        char name[BLOB_SHELF_NAME];

        blob_place_shelf_name(i, name);
        if (mkdirat(fs->folder, name, 0700) < 0 && errno != EEXIST)
            return err_sys(err, "make a folder in %s", folder);
        fs->shelves[i] = openat(fs->folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fs->shelves[i] < 0)
            return err_sys(err, "open a folder in %s", folder);
    }
    if (fsync(fs->folder) < 0)
        return err_sys(err, "write the folder %s to the disk", folder);
    return 0;
}

struct blob_store *blob_fs_open(const char *folder, struct err *err)
{
    struct blob_fs *fs = calloc(1, sizeof *fs);

    if (!fs) {
        err_sys(err, "blob store");
        return NULL;
    }
    fs->super.ops = &ops;
    fs->folder = -1;
    memset(fs->shelves, -1, sizeof fs->shelves);
    if (open_shelves(fs, folder, err) < 0) {
        fs_close(&fs->super);
        return NULL;
    }
    return &fs->super;
}
