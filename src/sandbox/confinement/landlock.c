#include "sandbox/confinement/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/scope.h"
#include "sandbox/process/peer_files.h"

/* Debian 12's <linux/landlock.h> has ABI 2; these are the kernel's constants up to ABI 7
 * (include/uapi/linux/landlock.h). */
#define FS_EXECUTE    (1ULL << 0)
#define FS_WRITE_FILE (1ULL << 1)
#define FS_READ_FILE  (1ULL << 2)
#define FS_READ_DIR   (1ULL << 3)
#define FS_REMOVE_DIR (1ULL << 4)
#define FS_REMOVE     (1ULL << 5)
#define FS_MAKE_DIR   (1ULL << 7)
#define FS_MAKE_FILE  (1ULL << 8)
#define FS_REFER      (1ULL << 13)
#define FS_TRUNCATE   (1ULL << 14)
#define FS_OWN                                                                                     \
    (FS_WRITE_FILE | FS_READ_FILE | FS_READ_DIR | FS_REMOVE_DIR | FS_REMOVE | FS_MAKE_DIR |        \
     FS_MAKE_FILE | FS_REFER | FS_TRUNCATE)
/* All rights to create or remove names: of folders, files, sockets, pipes, links, devices. */
#define FS_NAMES  (0x3ffULL << 4)
#define NET_ALL   3ULL /* bind and connect of TCP */
#define SCOPE_ALL 3ULL /* abstract Unix sockets, signals */

#define CREATE_VERSION 1U
#define PATH_BENEATH   1
#define KNOWN_ABI      7

struct ruleset {
    uint64_t fs, net, scoped;
};

struct path_beneath {
    uint64_t allowed;
    int32_t fd;
} __attribute__((packed));

static const char *const readable_folders[] = {
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/etc/fonts",
    "/var/cache/fontconfig",
    "/usr/share/fontconfig",
    "/usr/lib",
    "/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    NULL,
};

/* File system rights: 13 in ABI 1, then REFER (2), TRUNCATE (3), IOCTL_DEV (5). */
static uint64_t handled_fs(int abi)
{
    uint64_t bits = 13;

    if (abi >= 2)
        bits = 14;
    if (abi >= 3)
        bits = 15;
    if (abi >= 5)
        bits = 16;
    return (1ULL << bits) - 1;
}

static void look_up(struct landlock *landlock, const char *path)
{
    int fd = landlock->n_folders < COUNT(landlock->folders) ? open(path, O_PATH | O_CLOEXEC) : -1;

    if (fd >= 0)
        landlock->folders[landlock->n_folders++] = fd;
}

static void look_up_all(struct landlock *landlock, const char *const *paths)
{
    for (; landlock->abi && paths && *paths; paths++)
        look_up(landlock, *paths);
}

static void prepare_rules(struct landlock *landlock, const char *const *folders)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_VERSION);

    *landlock = (struct landlock){ .abi = abi < 0 ? 0 : abi < KNOWN_ABI ? (int) abi : KNOWN_ABI };
    look_up_all(landlock, folders);
}

void landlock_prepare(struct landlock *landlock, const char *const *more)
{
    prepare_rules(landlock, readable_folders);
    look_up_all(landlock, more);
}

void landlock_prepare_client(struct landlock *landlock)
{
    prepare_rules(landlock, peer_files);
    landlock->network = true;
}

/* Creates a ruleset that handles the file system rights `fs`. */
static int create(int abi, uint64_t fs, bool network)
{
    struct ruleset rules = { .fs = fs };
    size_t size = sizeof rules.fs;

    if (abi >= 4) {
        rules.net = network ? 0 : NET_ALL;
        size += sizeof rules.net;
    }
    if (abi >= 6) {
        rules.scoped = SCOPE_ALL;
        size += sizeof rules.scoped;
    }
    return (int) syscall(SYS_landlock_create_ruleset, &rules, size, 0);
}

/* A memory file or a pipe belongs to no file hierarchy and cannot be named in a rule; the kernel
 * does not restrict opening it either. EINVAL: a right for folders on a plain file
 * (ld.so.cache). */
static int allow(int ruleset, int fd, uint64_t rights)
{
    struct path_beneath rule = { rights, fd };

    if (syscall(SYS_landlock_add_rule, ruleset, PATH_BENEATH, &rule, 0) == 0 || errno == EBADFD)
        return 0;
    if (errno != EINVAL || !(rights & FS_READ_DIR))
        return -1;
    rule.allowed = rights & ~FS_READ_DIR;
    return (int) syscall(SYS_landlock_add_rule, ruleset, PATH_BENEATH, &rule, 0);
}

int landlock_enter(const struct landlock *landlock, const int *readable, size_t n_readable,
                   const int *writable, size_t n_writable, int folder, struct err *err)
{
    AUTO_CLOSE int ruleset = create(landlock->abi, handled_fs(landlock->abi), landlock->network);
    uint64_t update = (FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE) & handled_fs(landlock->abi);

    if (ruleset < 0)
        return err_sys(err, "landlock: new ruleset");
    for (size_t i = 0; i < landlock->n_folders; i++)
        if (allow(ruleset, landlock->folders[i], FS_READ_FILE | FS_READ_DIR) < 0)
            return err_sys(err, "landlock: folder %zu", i);
    for (size_t i = 0; i < n_readable; i++)
        if (allow(ruleset, readable[i], FS_READ_FILE) < 0)
            return err_sys(err, "landlock: input %zu", i);
    for (size_t i = 0; i < n_writable; i++)
        if (allow(ruleset, writable[i], update) < 0)
            return err_sys(err, "landlock: output %zu", i);
    if (folder > 0 && allow(ruleset, folder, FS_OWN & handled_fs(landlock->abi)) < 0)
        return err_sys(err, "landlock: the job's folder");
    if (syscall(SYS_landlock_restrict_self, ruleset, 0) < 0)
        return err_sys(err, "landlock: restrict");
    return 0;
}

static int allow_paths(int ruleset, const char *const *paths, uint64_t rights, struct err *err)
{
    for (; *paths; paths++) {
        AUTO_CLOSE int fd = open(*paths, O_PATH | O_CLOEXEC);

        if (fd >= 0 && allow(ruleset, fd, rights) < 0)
            return err_sys(err, "landlock: %.100s", *paths);
    }
    return 0;
}

int landlock_enter_companion(const struct landlock *landlock, const struct landlock_paths *paths,
                             int folder, struct err *err)
{
    AUTO_CLOSE int ruleset = create(landlock->abi, handled_fs(landlock->abi), false);
    uint64_t read = FS_READ_FILE | FS_READ_DIR;

    if (ruleset < 0)
        return err_sys(err, "landlock: new ruleset");
    if (allow_paths(ruleset, paths->readable, read, err) < 0 ||
        allow_paths(ruleset, paths->writable, read | FS_WRITE_FILE, err) < 0 ||
        allow_paths(ruleset, paths->executable, FS_READ_FILE | FS_EXECUTE, err) < 0)
        return -1;
    if (allow(ruleset, folder, FS_OWN & handled_fs(landlock->abi)) < 0)
        return err_sys(err, "landlock: the program's folder");
    if (syscall(SYS_landlock_restrict_self, ruleset, 0) < 0)
        return err_sys(err, "landlock: restrict");
    return 0;
}

int landlock_enter_zygote(const struct landlock *landlock, int folder, struct err *err)
{
    uint64_t fs = FS_NAMES & handled_fs(landlock->abi);
    AUTO_CLOSE int ruleset = create(landlock->abi, fs, false);

    if (ruleset < 0)
        return err_sys(err, "landlock: new ruleset");
    if (folder > 0 && allow(ruleset, folder, fs) < 0)
        return err_sys(err, "landlock: the program's folder");
    if (syscall(SYS_landlock_restrict_self, ruleset, 0) < 0)
        return err_sys(err, "landlock: restrict");
    return 0;
}
