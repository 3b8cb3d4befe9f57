/*
 * The layers that are not about system calls: the user, capabilities and no_new_privs, each alone;
 * and what happens where layers are missing.
 */
#include <dirent.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/wait.h>

#include "../worker/rig.h"

static char folder[] = "/tmp/platen-layers-XXXXXX";

/* What a job says that runs `tool` on `path` in a program with these layers. */
static const char *said(const char *rogue, const char *layers, const char *tool, const char *path)
{
    static char text[256];
    struct err err = { 0 };
    struct worker *worker = rig_variant(rogue, layers, true, &err);

    if (!worker) {
        snprintf(text, sizeof text, "%s", err.msg);
        return text;
    }
    RIG(rig, worker, tool, path, 0);
    rig_run(&rig);
    snprintf(text, sizeof text, "%s", rig.end == WORKER_DONE ? rig_text(&rig) : rig.err.msg);
    worker_close(worker);
    return text;
}

static void make_file(char *path, size_t cap, const char *name, uid_t owner, mode_t mode)
{
    AUTO_CLOSE int fd = -1;

    snprintf(path, cap, "%s/%s", folder, name);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || fchown(fd, owner, (gid_t) -1) < 0 || fchmod(fd, mode) < 0)
        abort();
}

static void test_user(const char *rogue)
{
    char path[64];

    make_file(path, sizeof path, "of-root", 0, 0600);
    is_str(said(rogue, "only-nothing", "open", path), "opened", "root opens root's files");
    is_str(said(rogue, "only-user", "open", path), "open: Permission denied",
           "the user a worker becomes does not");
    unlink(path);
}

static void test_capabilities(const char *rogue)
{
    char path[64];

    make_file(path, sizeof path, "of-another", 1234, 0600);
    is_str(said(rogue, "only-nothing", "open", path), "opened", "root opens everybody's files");
    is_str(said(rogue, "only-capabilities", "open", path), "open: Permission denied",
           "without capabilities it does not");
    unlink(path);
}

static void test_no_new_privs(const char *rogue)
{
    AUTO_CLOSE int program = open(rogue, O_RDONLY | O_CLOEXEC);
    char path[64];
    struct stat st;
    struct err err;

    make_file(path, sizeof path, "setuid", 0, 0600);
    AUTO_CLOSE int copy = open(path, O_WRONLY | O_CLOEXEC);
    if (fstat(program, &st) < 0 || fdio_copy(program, 0, st.st_size, copy, &err) < 0 ||
        fchmod(copy, 04755) < 0)
        abort();
    close(scope_take_fd(&copy)); /* what is open for writing is not run */
    const char *before = said(rogue, "only-user", "run", path);
    if (strstr(before, "status 42")) {
        ok(true, "a set-user-ID program makes an ordinary process root");
        ok(strstr(said(rogue, "only-ordinary", "run", path), "status 0"),
           "with no_new_privs it does not (%s)", said(rogue, "only-ordinary", "run", path));
    } else {
        ok(true, "no_new_privs alone # SKIP /tmp knows no set-user-ID programs (%s)", before);
    }
    unlink(path);
}

/* A child of this process; the worker program is the only one. */
static pid_t find_child(void)
{
    DIR *all = opendir("/proc");
    struct dirent *entry;
    pid_t child = 0;

    while (all && !child && (entry = readdir(all))) {
        char path[300], text[200] = "";
        AUTO_FCLOSE FILE *stat = NULL;
        const char *state;

        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        stat = fopen(path, "re");
        if (!stat || !fgets(text, sizeof text, stat))
            continue;
        state = strrchr(text, ')');
        if (state && strlen(state) > 4 && strtol(state + 4, NULL, 10) == getpid())
            child = (pid_t) strtol(entry->d_name, NULL, 10);
    }
    if (all)
        closedir(all);
    return child;
}

/* The job and its zygote have one user: without Landlock only the kernel's own rules are left. */
static void test_zygote_memory(const char *rogue)
{
#ifdef PLATEN_SANITIZERS
    ok(rogue, "the memory of a zygote # SKIP sanitizers need ptrace(2) to look for leaks");
    return;
#endif
    struct err err = { 0 };
    struct worker *worker = rig_variant(rogue, "only-ordinary", true, &err);
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/mem", (int) find_child());
    if (!ok(worker, "a worker without Landlock starts (%s)", err.msg))
        return;
    RIG(rig, worker, "open", path, 0);
    rig_run(&rig);
    is_str(rig.end == WORKER_DONE ? rig_text(&rig) : rig.err.msg, "open: Permission denied",
           "a job cannot open the memory of its zygote");
    worker_close(worker);
}

static void test_none(const char *rogue)
{
    struct err err = { 0 };
    struct worker *worker = rig_variant(rogue, "only-rlimits", false, &err);

    ok(!worker && strstr(err.msg, "allow_unsandboxed"),
       "with neither Landlock nor seccomp a worker does not start (%s)", err.msg);
    worker = rig_variant(rogue, "only-rlimits", true, &err);
    ok(worker && !strstr(worker_layers(worker), "seccomp"), "unless it was allowed to");
    worker_close(worker);
    worker = rig_variant(rogue, "only-landlock", false, &err);
    ok(!worker && strstr(err.msg, "no seccomp"), "Landlock alone is not enough (%s)", err.msg);
    worker = rig_variant(rogue, "only-seccomp", false, &err);
    ok(!worker && strstr(err.msg, "no Landlock"), "nor is seccomp alone (%s)", err.msg);
    worker = rig_variant(rogue, "only-seccomp", true, &err);
    ok(worker, "unless it was allowed to");
    worker_close(worker);
}

/* The layers a worker has in a container that answers the call with the errno. clone3 and
 * namespaces are forbidden too, as containers do. */
static const char *layers_without(const char *rogue, int call, int number, bool allowed)
{
    static char text[256];
    int pair[2];
    pid_t pid;

    if (pipe(pair) < 0)
        abort();
    pid = fork();
    if (pid == 0) {
        scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
        struct worker *worker;
        struct err err;

        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 0);
        seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t) number), call, 0);
        if (seccomp_load(filter) < 0)
            _exit(1);
        worker = worker_open("rogue", rogue, allowed, &err);
        RIG(rig, worker, "echo", "", 0);
        if (worker && rig_run(&rig) == WORKER_DONE)
            dprintf(pair[1], "%s", worker_layers(worker));
        else
            dprintf(pair[1], "%s", worker ? rig.err.msg : err.msg);
        _exit(0);
    }
    close(pair[1]);
    memset(text, 0, sizeof text);
    if (read(pair[0], text, sizeof text - 1) < 0)
        abort();
    close(pair[0]);
    waitpid(pid, NULL, 0);
    return text;
}

static void test_containers(const char *rogue)
{
    const char *layers = layers_without(rogue, SCMP_SYS(landlock_create_ruleset), ENOSYS, true);

    ok(!strstr(layers, "landlock") && strstr(layers, "rlimits,seccomp"),
       "a kernel without Landlock leaves the rest, if that is allowed (%s)", layers);
    layers = layers_without(rogue, SCMP_SYS(landlock_restrict_self), EPERM, true);
    ok(!strstr(layers, "landlock") && strstr(layers, "rlimits,seccomp"),
       "so does a container that only pretends to have it (%s)", layers);
    layers = layers_without(rogue, SCMP_SYS(seccomp), EPERM, true);
    ok(strstr(layers, "rlimits,landlock") && !strstr(layers, "seccomp"),
       "one that forbids seccomp leaves the rest (%s)", layers);
    const char *refused = layers_without(rogue, SCMP_SYS(landlock_create_ruleset), ENOSYS, false);
    ok(strstr(refused, "has no Landlock here") && strstr(refused, "platen doctor"),
       "without allow_unsandboxed a worker is refused there, with what to do (%s)", refused);
    layers = layers_without(rogue, SCMP_SYS(setresuid), EPERM, false);
    ok(!strstr(layers, "user") && strstr(layers, "landlock"),
       "so does one that forbids to change the user (%s)", layers);
}

/* A worker program on a terminal. */
static void test_by_hand(const char *rogue)
{
    int pair[2], status;
    char text[256] = "";
    pid_t pid;

    if (pipe(pair) < 0)
        abort();
    pid = fork();
    if (pid == 0) {
        dup2(pair[1], STDERR_FILENO);
        close_range(3, ~0U, 0);
        execl(rogue, rogue, NULL);
        _exit(127);
    }
    close(pair[1]);
    if (read(pair[0], text, sizeof text - 1) < 0)
        abort();
    close(pair[0]);
    waitpid(pid, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 2 && strstr(text, "platen"),
       "a worker program started by hand says what it is and exits 2: %s", text);
}

int main(int argc, char **argv)
{
    if (argc != 2 || !mkdtemp(folder) || chmod(folder, 0755) < 0)
        return 1;
    test_none(argv[1]);
    test_by_hand(argv[1]);
    test_containers(argv[1]);
    if (geteuid() == 0) {
        test_user(argv[1]);
        test_zygote_memory(argv[1]);
        test_capabilities(argv[1]);
        test_no_new_privs(argv[1]);
    } else {
        ok(true, "user, capabilities and no_new_privs alone # SKIP needs root");
    }
    rmdir(folder);
    return done_testing();
}
