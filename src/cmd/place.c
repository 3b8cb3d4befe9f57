#include "cmd/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/value/file_kind.h"

#define ANYBODY     0666
#define RESULT_ROOM 300 /* for the name of a result in a folder */

_Static_assert(PLACE_PATH >= PATH_MAX, "realpath(3) needs as much");

static int fail(const char *path, struct err *err)
{
    return err_set(err, ERR_INVALID_REQUEST, "%.150s: %s", path, strerrordesc_np(errno));
}

static int set_path(struct place *place, const char *path, struct err *err)
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
    return set_path(place, out, err);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Where the "%d" or "%03d" of a name is, and how long; NULL: there is none. */
static const char *find_number(const char *path, size_t *n)
{
    const char *percent = base_name(path);

    while ((percent = strchr(percent, '%')) != NULL) {
        size_t digits = strspn(percent + 1, "0123456789");

        *n = digits + 2;
        if (digits <= 2 && percent[digits + 1] == 'd')
            return percent;
        percent++;
    }
    return NULL;
}

static int find(struct place *place, const char *out, const struct place_rules *rules, mode_t mask,
                struct err *err)
{
    size_t n = strlen(out), number;
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
    if (find_number(out, &number)) {
        place->kind = PLACE_NUMBERED;
        return set_path(place, out, err);
    }
    if (lstat(out, &st) == 0)
        return err_set(err, ERR_INVALID_REQUEST,
                       "%.150s is a symbolic link whose target does not exist", out);
    if (n > 0 && out[n - 1] == '/') {
        place->kind = PLACE_FOLDER;
        if (mkdir(out, 0777) < 0 || !realpath(out, place->path))
            return fail(out, err);
        return 0;
    }
    place->kind = PLACE_FILE;
    return set_path(place, out, err);
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
    if (place->kind != PLACE_FOLDER && slash)
        slash[slash == out] = '\0';
    else if (place->kind != PLACE_FOLDER)
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

/* The name of a part may itself contain "%d", which is then not a number. */
static int settle_on_file(struct place *file, const char *path, struct err *err)
{
    if (file->kind == PLACE_NUMBERED)
        file->kind = PLACE_FILE;
    if (file->kind == PLACE_FILE)
        return 0;
    return err_set(err, ERR_INVALID_REQUEST, "%.150s is there and no file", path);
}

/* A name in the folder: what is there already follows the same rules as a file given as OUT. */
static int find_in_folder(const struct place *folder, const char *name, struct place *file,
                          struct err *err)
{
    char path[PLACE_PATH + RESULT_ROOM];

    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    if (find(file, path, &folder->rules, folder->mask, err) < 0)
        return -1;
    return settle_on_file(file, path, err);
}

static int save_part(const struct place *file, int fd, const struct worker_output *part,
                     struct err *err)
{
    AUTO_CLOSE int to = place_stage(file, err);

    if (to < 0 || fdio_copy(fd, part->offset, part->bytes, to, err) < 0)
        return -1;
    return name_file(to, file, err);
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
        if (find_in_folder(folder, result->outputs[i].name, &file, err) < 0 ||
            save_part(&file, fd, &result->outputs[i], err) < 0)
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

/* Not "x.png" for a PDF. A ZIP is called .zip or has no ending; for other kinds an ending that says
 * no kind is as good as none. */
static bool is_name_of(const char *path, const char *kind)
{
    const char *said = file_kind_of_name(path);

    if (strcmp(kind, "zip") == 0)
        return !strchr(base_name(path), '.') || (said && strcmp(said, "zip") == 0);
    return !said || strcmp(said, kind) == 0;
}

static int refuse_name(const char *path, const char *kind, struct err *err)
{
    if (strcmp(kind, "zip") == 0)
        return err_set(err, ERR_INVALID_REQUEST,
                       "the result is several files: give -o FOLDER/, -o NAME-%%d or -o NAME.zip, "
                       "not %.100s",
                       base_name(path));
    return err_set(err, ERR_INVALID_REQUEST,
                   "the result is a file of the kind %s: give -o NAME.%s, not %.100s", kind,
                   file_kind_extension(kind) ? file_kind_extension(kind) : kind, base_name(path));
}

int place_check_kind(const struct place *place, const char *gives, bool many,
                     const char *const *also, struct err *err)
{
    if (place->kind != PLACE_FILE && place->kind != PLACE_NUMBERED)
        return 0;
    for (; *also; also++)
        if (is_name_of(place->path, *also))
            return 0;
    if (is_name_of(place->path, gives) ||
        (many && place->kind == PLACE_FILE && is_name_of(place->path, "zip")))
        return 0;
    return refuse_name(place->path, gives, err);
}

static int digit(char c)
{
    return c - '0';
}

/* The file of part `number`, counted from 1. */
static int find_part(const struct place *place, size_t number, struct place *file, struct err *err)
{
    char path[PLACE_PATH + RESULT_ROOM];
    size_t n = 0;
    const char *at = find_number(place->path, &n);
    int width = n == 2 ? 0 : n == 3 ? digit(at[1]) : digit(at[1]) * 10 + digit(at[2]);

    snprintf(path, sizeof path, at[1] == '0' ? "%.*s%0*zu%s" : "%.*s%*zu%s",
             (int) (at - place->path), place->path, width, number, at + n);
    if (find(file, path, &place->rules, place->mask, err) < 0)
        return -1;
    return settle_on_file(file, path, err);
}

static int save_numbered(const struct place *place, int fd, const struct worker_result *result,
                         struct err *err)
{
    struct place file;

    if (result->n_outputs == 1) {
        if (!is_name_of(place->path, result->kind))
            return refuse_name(place->path, result->kind, err);
        return find_part(place, 1, &file, err) < 0 ? -1 : name_file(fd, &file, err);
    }
    for (size_t i = 0; i < result->n_outputs; i++) {
        const char *kind = file_kind_of_name(result->outputs[i].name);

        if (kind && !is_name_of(place->path, kind))
            return refuse_name(place->path, kind, err);
        if (find_part(place, i + 1, &file, err) < 0)
            return -1;
    }
    for (size_t i = 0; i < result->n_outputs; i++)
        if (find_part(place, i + 1, &file, err) < 0 ||
            save_part(&file, fd, &result->outputs[i], err) < 0)
            return -1;
    return 0;
}

int place_save(const struct place *place, const char *name, int fd,
               const struct worker_result *result, struct err *err)
{
    switch (place->kind) {
    case PLACE_STREAM:
        return save_stream(place, fd, err);
    case PLACE_FILE:
        if (!is_name_of(place->path, result->kind))
            return refuse_name(place->path, result->kind, err);
        return name_file(fd, place, err);
    case PLACE_NUMBERED:
        return save_numbered(place, fd, result, err);
    case PLACE_FOLDER:
        break;
    }
    return save_in_folder(place, name, fd, result, err);
}
