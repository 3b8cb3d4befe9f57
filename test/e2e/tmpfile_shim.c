/*
 * tmpfile_shim: a library for LD_PRELOAD that makes a program meet a file system without O_TMPFILE,
 * as vfat and NFS are, wherever it is: such a file is refused, and so is a second name for one that
 * has lost its own.
 */
#undef _FORTIFY_SOURCE /* whose open() is an inline function */
#undef _FILE_OFFSET_BITS
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int refuse(int flags)
{
    if ((flags & O_TMPFILE) != O_TMPFILE)
        return 0;
    errno = EOPNOTSUPP;
    return -1;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        unsigned mode = 0;                                                                         \
        va_list ap;                                                                                \
                                                                                                   \
        va_start(ap, flags);                                                                       \
        if (flags & O_CREAT)                                                                       \
            mode = va_arg(ap, unsigned);                                                           \
        va_end(ap);                                                                                \
        return refuse(flags) < 0 ? -1 : (int) syscall(SYS_openat, AT_FDCWD, path, flags, mode);    \
    }

OPEN(open)
OPEN(open64)

int linkat(int from, const char *path, int to, const char *name, int flags)
{
    if (strncmp(path, "/proc/self/fd/", 14) == 0) {
        errno = ENOENT;
        return -1;
    }
    return (int) syscall(SYS_linkat, from, path, to, name, flags);
}
