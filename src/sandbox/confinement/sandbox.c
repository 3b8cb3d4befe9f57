#include "sandbox/confinement/sandbox.h"

#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/system/process.h"
#include "sandbox/confinement/landlock.h"
#include "sandbox/confinement/rlimits.h"
#include "sandbox/confinement/syscalls.h"

#define NOBODY      65534
#define STACK_BYTES ((size_t) 256 << 10) /* of a process that tries layers */

struct sandbox {
    unsigned layers;
    struct landlock landlock;
    struct sock_fprog program;
    char text[128];
};

static unsigned wanted = SANDBOX_ALL;

void sandbox_only(unsigned layers)
{
    wanted = layers;
}

/* Reads the file itself: getpwnam would load every module of nsswitch.conf, and what these open,
 * into the program that all jobs are forked from. */
static void find_user(uid_t *uid, gid_t *gid)
{
    AUTO_FCLOSE FILE *users = fopen("/etc/passwd", "re");
    const struct passwd *user;

    while (users && (user = fgetpwent(users))) {
        if (strcmp(user->pw_name, "platen-worker") == 0 && user->pw_uid != 0) {
            *uid = user->pw_uid;
            *gid = user->pw_gid;
        }
    }
}

/* Changes the user. A container may have removed the right to: the other layers must then
 * suffice. */
static bool leave_root(void)
{
    uid_t uid = NOBODY;
    gid_t gid = NOBODY;

    if (geteuid() != 0)
        return false;
    find_user(&uid, &gid);
    return setgroups(0, NULL) == 0 && setresgid(gid, gid, gid) == 0 &&
           setresuid(uid, uid, uid) == 0;
}

static bool drop_capabilities(void)
{
    struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
    struct __user_cap_data_struct none[2] = { { 0 }, { 0 } };

    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &head, none) == 0;
}

void sandbox_enter_client(bool another_user)
{
    struct err ignored;

    if (another_user)
        leave_root();
    drop_capabilities();
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    syscalls_enter_client(&ignored);
}

static int enter(const struct sandbox *sandbox, unsigned layers, const struct sandbox_scope *scope,
                 struct err *err)
{
    if (layers & SANDBOX_RLIMITS &&
        rlimits_enter(&scope->limits, scope->n_files, scope->threads || scope->processes, err) < 0)
        return -1;
    if (layers & SANDBOX_LANDLOCK &&
        landlock_enter(&sandbox->landlock, scope->readable, scope->n_readable, scope->writable,
                       scope->n_writable, scope->folder, err) < 0)
        return -1;
    if (layers & SANDBOX_SECCOMP && syscalls_enter(sandbox->program,
                                                   scope->threads     ? SYSCALLS_THREADS
                                                   : scope->processes ? SYSCALLS_FORK
                                                                      : SYSCALLS_ALONE,
                                                   err) < 0)
        return -1;
    return 0;
}

int sandbox_enter(const struct sandbox *sandbox, const struct sandbox_scope *scope, struct err *err)
{
    return enter(sandbox, sandbox->layers, scope, err);
}

int sandbox_enter_zygote(const struct sandbox *sandbox, int parent, enum syscalls_exec exec,
                         struct err *err)
{
    if (sandbox->layers & SANDBOX_LANDLOCK &&
        landlock_enter_zygote(&sandbox->landlock, parent, err) < 0)
        return -1;
    if (sandbox->layers & SANDBOX_SECCOMP && syscalls_enter_zygote(exec, err) < 0)
        return -1;
    return 0;
}

int sandbox_enter_companion(const struct sandbox *sandbox, const struct sandbox_companion *what,
                            int folder, struct err *err)
{
    const struct landlock_paths paths = { what->readable, what->writable, what->executable };

    if (sandbox->layers & SANDBOX_RLIMITS &&
        rlimits_enter_companion(what->data_bytes, what->n_files, err) < 0)
        return -1;
    if (sandbox->layers & SANDBOX_LANDLOCK &&
        landlock_enter_companion(&sandbox->landlock, &paths, folder, err) < 0)
        return -1;
    return 0;
}

struct attempt {
    const struct sandbox *sandbox;
    unsigned layers;
};

static int attempt(void *arg)
{
    const struct attempt *what = arg;
    struct sandbox_scope scope = { .n_files = 64 };
    struct err err;

    return enter(what->sandbox, what->layers, &scope, &err) < 0;
}

/* Tries layers in a process: a container may forbid what the kernel supports. The process shares
 * the memory of this one, which waits for its end as for that of vfork(2): layers are no part of
 * memory, and a copy of it, as fork(2) makes, would take longer than all else that is done here. */
static bool works(const struct sandbox *sandbox, unsigned layers)
{
    struct attempt what = { sandbox, layers };
    char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    int status = 1;
    pid_t pid;

    if (stack == MAP_FAILED)
        return false;
    pid = clone(attempt, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, &what);
    if (pid > 0 && waitpid(pid, &status, 0) != pid)
        status = 1;
    munmap(stack, STACK_BYTES);
    return status == 0;
}

/* Finds the layers that work. Usually all do, and one try confirms that. */
static unsigned try_layers(const struct sandbox *sandbox, unsigned layers)
{
    unsigned working = 0;

    if (layers == 0 || works(sandbox, layers))
        return layers;
    for (unsigned layer = 1; layer <= layers; layer <<= 1)
        if (layers & layer && works(sandbox, layer))
            working |= layer;
    return working;
}

static void describe(struct sandbox *sandbox)
{
    static const char *const names[] = { "user",    "capabilities", "no_new_privs",
                                         "rlimits", "landlock",     "seccomp" };
    size_t n = 0;

    for (size_t i = 0; i < COUNT(names); i++) {
        char abi[16] = "";

        if (!(sandbox->layers & 1U << i))
            continue;
        if (1U << i == SANDBOX_LANDLOCK)
            snprintf(abi, sizeof abi, "-%d", sandbox->landlock.abi);
        n += (size_t) snprintf(sandbox->text + n, sizeof sandbox->text - n, "%s%s%s", n ? "," : "",
                               names[i], abi);
    }
}

struct sandbox *sandbox_open(const struct sandbox_needs *needs, struct err *err)
{
    static const struct sandbox_needs none;
    AUTO_FREE struct sandbox *sandbox = calloc(1, sizeof *sandbox);
    struct syscalls_more more;
    unsigned layers;

    if (!sandbox) {
        err_sys(err, "sandbox");
        return NULL;
    }
    if (wanted & SANDBOX_USER && leave_root())
        sandbox->layers |= SANDBOX_USER;
    if (wanted & SANDBOX_CAPABILITIES && drop_capabilities())
        sandbox->layers |= SANDBOX_CAPABILITIES;
    if (wanted & SANDBOX_NO_NEW_PRIVS && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        sandbox->layers |= SANDBOX_NO_NEW_PRIVS;
    process_close_to_others();
    needs = needs ? needs : &none;
    landlock_prepare(&sandbox->landlock, needs->folders);
    more = (struct syscalls_more){ needs->calls, needs->n_calls, needs->libraries };
    if (syscalls_prepare(&sandbox->program, &more, err) < 0)
        return NULL;
    layers = wanted & SANDBOX_RLIMITS;
    if (sandbox->landlock.abi)
        layers |= wanted & SANDBOX_LANDLOCK;
    if (sandbox->program.len)
        layers |= wanted & SANDBOX_SECCOMP;
    sandbox->layers |= try_layers(sandbox, layers);
    describe(sandbox);
    return scope_take_ptr(&sandbox);
}

const char *sandbox_layers(const struct sandbox *sandbox)
{
    return sandbox->text;
}
