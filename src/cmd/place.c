#include "cmd/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"

#define PATH_BYTES 4096

/* A file without a name beside OUT, so that OUT appears whole or not at all. */
int place_stage(const char *out, bool folder, struct err *err)
{
    char path[PATH_BYTES];
    struct stat st;
    char *slash;
    int fd;

    if (!folder && stat(out, &st) == 0 && !S_ISREG(st.st_mode))
        return err_set(err, ERR_INVALID_REQUEST, "%.150s is neither a file nor a folder", out);
    snprintf(path, sizeof path, "%s", out);
    slash = strrchr(path, '/');
    if (!folder && slash)
        slash[slash == path] = '\0';
    else if (!folder)
        snprintf(path, sizeof path, ".");
    fd = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_set(err, ERR_INVALID_REQUEST, "%.150s: %s", path, strerrordesc_np(errno));
    /* The worker may run as another user and opens it again through its descriptor. */
    if (fchmod(fd, 0666) < 0) {
        close(fd);
        return err_sys(err, "temporary file");
    }
    return fd;
}

/* Gives a file without a name its name, over one that may be there. */
static int name_file(int fd, const char *path, struct err *err)
{
    char from[40], temporary[PATH_BYTES + 100];
    mode_t mask = umask(0);

    umask(mask);
    fchmod(fd, 0666 & ~mask);
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    snprintf(temporary, sizeof temporary, "%s.%d.tmp", path, getpid());
    if (linkat(AT_FDCWD, from, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) < 0)
        return err_sys(err, "write %.150s", path);
    if (rename(temporary, path) < 0) {
        err_sys(err, "write %.150s", path);
        unlink(temporary);
        return -1;
    }
    return 0;
}

static int save_part(const char *out, int fd, const struct worker_output *part, struct err *err)
{
    AUTO_CLOSE int to = place_stage(out, true, err);
    char path[PATH_BYTES];

    if (to < 0 || fdio_copy(fd, part->offset, part->bytes, to, err) < 0)
        return -1;
    snprintf(path, sizeof path, "%s/%s", out, part->name);
    return name_file(to, path, err);
}

int place_save(const char *out, bool folder, const char *name, int fd,
               const struct worker_result *result, struct err *err)
{
    char path[PATH_BYTES];

    if (!folder)
        return name_file(fd, out, err);
    if (result->n_outputs == 1) {
        snprintf(path, sizeof path, "%s/%s", out, name);
        return name_file(fd, path, err);
    }
    for (size_t i = 0; i < result->n_outputs; i++)
        if (save_part(out, fd, &result->outputs[i], err) < 0)
            return -1;
    return 0;
}
