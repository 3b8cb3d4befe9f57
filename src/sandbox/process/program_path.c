#include "sandbox/process/program_path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int program_path(const char *folder, const char *name, char *out, size_t cap, struct err *err)
{
    char own[PATH_MAX], *slash;

    if (!*folder) {
        ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);

        if (n < 0)
            return err_sys(err, "find the own program");
        own[n] = '\0';
        slash = strrchr(own, '/');
        if (slash)
            *slash = '\0';
        folder = own;
    }
    if ((size_t) snprintf(out, cap, "%s/%s", folder, name) >= cap)
        return err_set(err, ERR_INTERNAL, "the path of the programs is too long");
    if (folder == own && access(out, F_OK) < 0 &&
        (size_t) snprintf(out, cap, PLATEN_PROGRAMS "/%s", name) >= cap)
        return err_set(err, ERR_INTERNAL, "the path of the programs is too long");
    return 0;
}
