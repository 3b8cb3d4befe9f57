#include "cmd/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"

#define ANYBODY     0666
#define RESULT_ROOM 300 /* for the name of a result in a folder */

_Static_assert(PLACE_PATH >= PATH_MAX, "realpath(3) needs as much");

static int fail(const char *path, struct err *err)
{
    return err_set(err, ERR_INVALID_REQUEST, "%.150s: %s", path, strerrordesc_np(errno));
}

static int take_path(struct place *place, const char *path, struct err *err)
{
    if ((size_t) snprintf(place->path, sizeof place->path, "%s", path) < sizeof place->path)
        return 0;
    errno = ENAMETOOLONG;
    return fail(path, err);
}

/* Names of open descriptors and devices: a file in their place would be of no use to anybody. */
static bool is_special(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

static bool is_input(const struct place *place)
{
    struct stat st;

    for (size_t i = 0; i < place->rules.n_inputs; i++) {
        const char *path = place->rules.inputs[i];
        int found = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path, &st);

        if (found == 0 && st.st_dev == place->replaced.st_dev &&
            st.st_ino == place->replaced.st_ino)
            return true;
    }
    return false;
}

static int find_file(struct place *place, const char *out, struct err *err)
{
    place->kind = PLACE_FILE;
    place->exists = true;
    if (!(place->replaced.st_mode & 0222) && !place->rules.force)
        return err_set(err, ERR_INVALID_REQUEST, "%.150s is read-only: add --force to replace it",
                       out);
    if (is_input(place) && !place->rules.force)
        return err_set(err, ERR_INVALID_REQUEST,
                       "%.150s is also an input: add --force to replace it", out);
    return realpath(out, place->path) ? 0 : fail(out, err);
}

static int find_existing(struct place *place, const char *out, struct err *err)
{
    if (S_ISDIR(place->replaced.st_mode)) {
        place->kind = PLACE_FOLDER;
        return realpath(out, place->path) ? 0 : fail(out, err);
    }
    if (S_ISREG(place->replaced.st_mode) && !is_special(out))
        return find_file(place, out, err);
    place->kind = PLACE_STREAM;
    return take_path(place, out, err);
}

static int find(struct place *place, const char *out, const struct place_rules *rules, mode_t mask,
                struct err *err)
{
    size_t n = strlen(out);
    struct stat st;

    *place = (struct place){ .kind = PLACE_STREAM, .mask = mask, .rules = *rules };
    if (strcmp(out, "-") == 0) {
        if (isatty(STDOUT_FILENO))
            return err_set(err, ERR_INVALID_REQUEST,
                           "the result is not text: redirect standard output, or give -o FILE");
        return 0;
    }
    if (stat(out, &place->replaced) == 0)
        return find_existing(place, out, err);
    if (lstat(out, &st) == 0)
        return err_set(err, ERR_INVALID_REQUEST, "%.150s is a symbolic link to nothing", out);
    if (n > 0 && out[n - 1] == '/') {
        place->kind = PLACE_FOLDER;
        if (mkdir(out, 0777) < 0 || !realpath(out, place->path))
            return fail(out, err);
        return 0;
    }
    place->kind = PLACE_FILE;
    return take_path(place, out, err);
}

int place_find(struct place *place, const char *out, const struct place_rules *rules,
               struct err *err)
{
    mode_t mask = umask(0);

    umask(mask);
    return find(place, out, rules, mask, err);
}

static void folder_of(const struct place *place, char out[static PLACE_PATH])
{
    const char *temporary = getenv("TMPDIR");
    char *slash;

    if (place->kind == PLACE_STREAM) {
        snprintf(out, PLACE_PATH, "%s", temporary && *temporary ? temporary : "/tmp");
        return;
    }
    snprintf(out, PLACE_PATH, "%s", place->path);
    slash = strrchr(out, '/');
    if (place->kind == PLACE_FILE && slash)
        slash[slash == out] = '\0';
    else if (place->kind == PLACE_FILE)
        snprintf(out, PLACE_PATH, ".");
}

/* Not every file system has files without a name (vfat, NFS, 9p): there one loses its name. */
static int open_nameless(const char *folder)
{
    char path[PLACE_PATH + 20];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
    snprintf(path, sizeof path, "%s/.platen-XXXXXX", folder);
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

int place_stage(const struct place *place, struct err *err)
{
    char folder[PLACE_PATH];
    AUTO_CLOSE int fd = -1;

    folder_of(place, folder);
    fd = open_nameless(folder);
    if (fd < 0)
        return fail(folder, err);
    if (fchmod(fd, ANYBODY) < 0)
        return err_sys(err, "temporary file");
    return scope_take_fd(&fd);
}

static int copy_whole(int from, int to, struct err *err)
{
    struct stat st;

    if (fstat(from, &st) < 0)
        return err_sys(err, "the result");
    return fdio_copy(from, 0, (int64_t) st.st_size, to, err);
}

/* The mode and the owner of the file that is replaced; the owner only as far as this user may. */
static void dress(int fd, const struct place *place)
{
    if (!place->exists) {
        fchmod(fd, ANYBODY & ~place->mask);
        return;
    }
    if (fchown(fd, place->replaced.st_uid, place->replaced.st_gid) < 0)
        fchmod(fd, place->replaced.st_mode & 0777); /* no set-user-ID bit for another owner */
    else
        fchmod(fd, place->replaced.st_mode & 07777);
}

/* A second name for the nameless file, or a copy where the file system gives it none. */
static int name_temporary(int fd, const struct place *place, const char *temporary, struct err *err)
{
    AUTO_CLOSE int copy = -1;
    char from[40];

    dress(fd, place);
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    if (linkat(AT_FDCWD, from, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0)
        return 0;
    copy = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (copy < 0)
        return err_sys(err, "write %.150s", place->path);
    dress(copy, place);
    return copy_whole(fd, copy, err);
}

/* Gives a file without a name its name, over one that may be there. */
static int name_file(int fd, const struct place *place, struct err *err)
{
    char temporary[PLACE_PATH + RESULT_ROOM];
    sigset_t all, before;
    int done;

    snprintf(temporary, sizeof temporary, "%s.%d.tmp", place->path, gettid());
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    done = name_temporary(fd, place, temporary, err);
    if (done == 0 && rename(temporary, place->path) < 0)
        done = err_sys(err, "write %.150s", place->path);
    if (done < 0)
        unlink(temporary);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return done;
}

/* A name in the folder: what is there already follows the same rules as a file given as OUT. */
static int find_in_folder(const struct place *folder, const char *name, struct place *file,
                          struct err *err)
{
    char path[PLACE_PATH + RESULT_ROOM];

    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    if (find(file, path, &folder->rules, folder->mask, err) < 0)
        return -1;
    return file->kind == PLACE_FILE
               ? 0
               : err_set(err, ERR_INVALID_REQUEST, "%.150s is there and no file", path);
}

static int save_part(const struct place *folder, int fd, const struct worker_output *part,
                     struct err *err)
{
    AUTO_CLOSE int to = -1;
    struct place file;

    if (find_in_folder(folder, part->name, &file, err) < 0)
        return -1;
    to = place_stage(&file, err);
    if (to < 0 || fdio_copy(fd, part->offset, part->bytes, to, err) < 0)
        return -1;
    return name_file(to, &file, err);
}

static int save_in_folder(const struct place *folder, const char *name, int fd,
                          const struct worker_result *result, struct err *err)
{
    struct place file;

    if (result->n_outputs == 1)
        return find_in_folder(folder, name, &file, err) < 0 ? -1 : name_file(fd, &file, err);
    for (size_t i = 0; i < result->n_outputs; i++)
        if (find_in_folder(folder, result->outputs[i].name, &file, err) < 0)
            return -1;
    for (size_t i = 0; i < result->n_outputs; i++)
        if (save_part(folder, fd, &result->outputs[i], err) < 0)
            return -1;
    return 0;
}

static int save_stream(const struct place *place, int fd, struct err *err)
{
    AUTO_CLOSE int opened = -1;

    if (*place->path) {
        opened = open(place->path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
        if (opened < 0)
            return fail(place->path, err);
    }
    return copy_whole(fd, *place->path ? opened : STDOUT_FILENO, err);
}

/* "x.pdf" cannot be the name of a ZIP; "x.zip" and "x" can. */
static int check_name(const struct place *place, const struct worker_result *result,
                      struct err *err)
{
    const char *slash = strrchr(place->path, '/'), *name = slash ? slash + 1 : place->path;
    const char *dot = strrchr(name, '.');

    if (strcmp(result->kind, "zip") != 0 || !dot || strcasecmp(dot, ".zip") == 0)
        return 0;
    return err_set(err, ERR_INVALID_REQUEST,
                   "the result is several files: give -o FOLDER/ or -o NAME.zip, not %.100s", name);
}

int place_save(const struct place *place, const char *name, int fd,
               const struct worker_result *result, struct err *err)
{
    switch (place->kind) {
    case PLACE_STREAM:
        return save_stream(place, fd, err);
    case PLACE_FILE:
        return check_name(place, result, err) < 0 ? -1 : name_file(fd, place, err);
    case PLACE_FOLDER:
        break;
    }
    return save_in_folder(place, name, fd, result, err);
}
