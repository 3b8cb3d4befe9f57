/* backup, restore: a data folder as it was at one moment, taken while the server works in it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "cmd/cmd.h"
#include "cmd/command.h"
#include "data/blob/blob.h"
#include "data/blob/blob_copy.h"
#include "data/blob/blob_name.h"
#include "data/blob/blob_place.h"
#include "data/store_sqlite/sqlite_backup.h"

#define PATH_BYTES 4096
#define ROUNDS     5   /* passes over the files before the moment is fixed */
#define FEW        100 /* so few new ones in a pass need no further one */

struct copying {
    const char *from, *to;
    struct blob_copied copied;
    int64_t jobs;
    int shelf; /* the folder of the files of the copy */
};

static int join(const char *folder, const char *name, char out[static PATH_BYTES], struct err *err)
{
    if ((size_t) snprintf(out, PATH_BYTES, "%s/%s", folder, name) >= PATH_BYTES)
        return err_set(err, ERR_INVALID_REQUEST, "the path is too long");
    return 0;
}

/* A folder that is new, or empty, is given the owner of another one. */
static int make_folder(const char *path, const char *like, struct err *err)
{
    AUTO_CLOSE int fd = -1;
    struct stat st;

    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        return err_sys(err, "make the folder %s", path);
    fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || fchmod(fd, 0700) < 0)
        return err_sys(err, "open the folder %s", path);
    if (geteuid() == 0 && (stat(like, &st) < 0 || fchown(fd, st.st_uid, st.st_gid) < 0))
        return err_sys(err, "give the folder %s its owner", path);
    return 0;
}

/* Files that the server keeps besides the database and the jobs' files: its keys. */
static bool is_own_file(const struct dirent *entry)
{
    const char *name = entry->d_name;

    return name[0] != '.' && strncmp(name, "platen.db", 9) != 0 && strcmp(name, "lock") != 0 &&
           strcmp(name, "blobs") != 0;
}

/* No program writes to a backup, and it may be on a read-only file system: only the file itself,
 * and a log if somebody has worked with it since. */
static bool is_database(const struct dirent *entry)
{
    return strcmp(entry->d_name, "platen.db") == 0 || strcmp(entry->d_name, "platen.db-wal") == 0;
}

static int copy_own_file(int from, int to, const char *name, struct err *err)
{
    AUTO_CLOSE int source = openat(from, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    AUTO_CLOSE int target = -1;
    struct stat st;

    if (source < 0 || fstat(source, &st) < 0)
        return err_sys(err, "read %s", name);
    if (!S_ISREG(st.st_mode))
        return 0;
    target = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st.st_mode & 0700);
    if (target < 0 || (geteuid() == 0 && fchown(target, st.st_uid, st.st_gid) < 0))
        return err_sys(err, "make %s", name);
    if (fdio_copy(source, 0, (int64_t) st.st_size, target, err) < 0)
        return -1;
    return fsync(target) < 0 ? err_sys(err, "write %s to the disk", name) : 0;
}

static void close_list(DIR **list)
{
    if (*list)
        closedir(*list);
}

static int copy_own_files(const struct copying *c, bool live, struct err *err)
{
    AUTO_CLOSE int to = open(c->to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    __attribute__((cleanup(close_list))) DIR *list = opendir(c->from);
    const struct dirent *entry;

    if (to < 0 || !list)
        return err_sys(err, "list %s", c->from);
    while ((entry = readdir(list)))
        if ((is_own_file(entry) || (!live && is_database(entry))) &&
            copy_own_file(dirfd(list), to, entry->d_name, err) < 0)
            return -1;
    return 0;
}

static int copy_blobs(struct copying *c, bool drop, struct err *err)
{
    char from[PATH_BYTES], to[PATH_BYTES];

    if (join(c->from, "blobs", from, err) < 0 || join(c->to, "blobs", to, err) < 0)
        return -1;
    return blob_copy(from, to, drop, &c->copied, err);
}

/* Nothing changes in the database now, so no file is needed that is not there, and none goes that a
 * job still needs. */
static int copy_the_rest(void *arg, struct err *err)
{
    return copy_blobs(arg, true, err);
}

/* Most of the files before the moment, so that the server need not wait for long. */
static int copy_most_blobs(struct copying *c, struct err *err)
{
    for (int round = 0; round < ROUNDS; round++) {
        int64_t before = c->copied.linked + c->copied.copied;

        if (copy_blobs(c, false, err) < 0)
            return -1;
        if (c->copied.linked + c->copied.copied - before < FEW)
            break;
    }
    return 0;
}

/* `bytes`: below 0 if they are not known. */
static int look(const struct copying *c, const struct job *job, const char *name, int64_t bytes,
                struct err *err)
{
    char path[BLOB_PATH];
    struct stat st;

    if (blob_place_path(job->id, name, path) < 0)
        return err_set(err, ERR_CORRUPT_FILE, "a job has no id");
    if (fstatat(c->shelf, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return err_sys(err, "job %s: %s", job->id, name);
    if (bytes >= 0 && (int64_t) st.st_size != bytes)
        return err_set(err, ERR_CORRUPT_FILE, "job %s: %s has %lld bytes instead of %lld", job->id,
                       name, (long long) st.st_size, (long long) bytes);
    return 0;
}

static int look_at_inputs(const struct copying *c, const struct job *job, struct err *err)
{
    json_t *inputs = job->inputs_json ? json_loads(job->inputs_json, 0, NULL) : NULL;
    int done = 0;

    for (int32_t i = 0; done == 0 && i < job->n_inputs; i++) {
        const json_t *bytes = json_object_get(json_array_get(inputs, (size_t) i), "bytes");
        char name[BLOB_NAME];

        blob_name_input((size_t) i, name);
        done = look(c, job, name, json_is_integer(bytes) ? json_integer_value(bytes) : -1, err);
    }
    json_decref(inputs);
    return done;
}

/* A job has the files it needs: its inputs until it ended, its result when it is completed. Those
 * that the store keeps were copied with it. */
static int check_job(void *arg, const struct job *job, struct err *err)
{
    struct copying *c = arg;
    char name[BLOB_NAME];

    c->jobs++;
    if (job->in_store)
        return 0;
    if (job->state == JOB_COMPLETED) {
        blob_name_result(job->attempt, name);
        return look(c, job, name, job->output_bytes, err);
    }
    if (look_at_inputs(c, job, err) < 0)
        return -1;
    return job->has_secret ? look(c, job, BLOB_NAME_SECRETS, -1, err) : 0;
}

static int check_copy(struct copying *c, const char *database, struct err *err)
{
    char blobs[PATH_BYTES];
    int done;

    if (join(c->to, "blobs", blobs, err) < 0 || sqlite_backup_check(database, err) < 0)
        return -1;
    c->shelf = open(blobs, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c->shelf < 0)
        return err_sys(err, "open %s", blobs);
    done = sqlite_backup_jobs(database, check_job, c, err);
    close(c->shelf);
    return done < 0 ? err_wrap(err, "the copy is not whole") : 0;
}

/* From one data folder to another; `live`: a server may work in the first. */
static int copy_all(struct copying *c, bool live, struct err *err)
{
    char from[PATH_BYTES], to[PATH_BYTES];

    if (join(c->from, "platen.db", from, err) < 0 || join(c->to, "platen.db", to, err) < 0)
        return -1;
    if (access(from, R_OK) < 0)
        return err_sys(err, "read %s", from);
    if (make_folder(c->to, c->from, err) < 0 || copy_most_blobs(c, err) < 0 ||
        (live && sqlite_backup_frozen(from, to, copy_the_rest, c, err) < 0) ||
        copy_own_files(c, live, err) < 0 || check_copy(c, to, err) < 0)
        return -1;
    return fdio_sync_folder(c->to, err);
}

/* The folder has its name now: that is made durable before anybody hears of it. */
static int print_copied(const struct copying *c, const char *what, const char *where)
{
    struct err err;

    if (fdio_sync_parent(where, &err) < 0)
        return cmd_fail(1, "%s", err.msg);
    printf("%s %s: %lld job%s with files; %lld file%s linked, %lld copied (%lld bytes)\n", what,
           where, (long long) c->jobs, c->jobs == 1 ? "" : "s",
           (long long) (c->copied.linked - c->copied.dropped),
           c->copied.linked - c->copied.dropped == 1 ? "" : "s", (long long) c->copied.copied,
           (long long) c->copied.bytes);
    return 0;
}

static const char *read_words(struct config *config, int argc, char **argv, struct err *err)
{
    struct command_words words;

    if (cmd_begin(config, &words, argc, argv, err) < 0)
        return NULL;
    if (*config->store) {
        err_set(err, ERR_INVALID_PARAMETER,
                "the database is in PostgreSQL: back it up with pg_dump, and then the folder of "
                "`blobs`");
        return NULL;
    }
    return words.operands[0];
}

int cmd_backup(int argc, char **argv)
{
    struct config config;
    struct copying c = { 0 };
    char part[PATH_BYTES];
    struct err err;
    const char *target;

    if (!(target = read_words(&config, argc, argv, &err)))
        return cmd_fail(2, "%s", err.msg);
    if (access(target, F_OK) == 0)
        return cmd_fail(2, "%s exists already: name a new folder for the backup", target);
    if ((size_t) snprintf(part, sizeof part, "%s.part", target) >= sizeof part)
        return cmd_fail(2, "the path is too long");
    if (access(part, F_OK) == 0)
        return cmd_fail(2, "%s exists, from a backup that was interrupted or still runs: remove it",
                        part);
    c.from = config.data;
    c.to = part;
    if (copy_all(&c, true, &err) < 0)
        return access(part, F_OK) == 0
                   ? cmd_fail(1, "%s (the incomplete backup is in %s)", err.msg, part)
                   : cmd_fail(1, "%s", err.msg);
    if (rename(part, target) < 0)
        return cmd_fail(1, "cannot rename %s to %s: %s", part, target, strerrordesc_np(errno));
    return print_copied(&c, "backed up to", target);
}

/* Or there is none. A file system of its own has lost+found from the beginning. */
static bool is_empty(const char *folder)
{
    __attribute__((cleanup(close_list))) DIR *list = opendir(folder);
    const struct dirent *entry;

    while (list && (entry = readdir(list)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            strcmp(entry->d_name, "lost+found") != 0)
            return false;
    return true;
}

int cmd_restore(int argc, char **argv)
{
    struct config config;
    struct copying c = { 0 };
    struct err err;

    if (!(c.from = read_words(&config, argc, argv, &err)))
        return cmd_fail(2, "%s", err.msg);
    c.to = config.data;
    if (!is_empty(c.to))
        return cmd_fail(2, "%s is not empty: move the folder away first", c.to);
    if (copy_all(&c, false, &err) < 0)
        return access(c.to, F_OK) == 0
                   ? cmd_fail(1, "%s (the incomplete data is in %s: empty it before the next try)",
                              err.msg, c.to)
                   : cmd_fail(1, "%s", err.msg);
    return print_copied(&c, "restored to", c.to);
}
