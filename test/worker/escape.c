#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fdio.h"
#include "declare/tool_run/run.h"
#include "rogue.h"

/* Each attempt returns -1 with errno if it was denied. */
struct attempt {
    const struct tool_run *run;
    int64_t number; /* the TCP port of the test */
};

static int opens(const char *path, int flags)
{
    AUTO_CLOSE int fd = open(path, flags | O_CLOEXEC, 0600);

    return fd < 0 ? -1 : 0;
}

static int read_passwd(const struct attempt *a)
{
    (void) a;
    return opens("/etc/passwd", O_RDONLY);
}

static int list_root(const struct attempt *a)
{
    DIR *dir = opendir("/");

    (void) a;
    return dir && readdir(dir) ? closedir(dir) : -1;
}

static int create_file(const struct attempt *a)
{
    char path[64];

    (void) a;
    snprintf(path, sizeof path, "/tmp/platen-escape-%d", (int) getpid());
    return opens(path, O_RDWR | O_CREAT) < 0 ? -1 : unlink(path);
}

static int write_input(const struct attempt *a)
{
    return opens(a->run->inputs[0].path, O_RDWR);
}

static int truncate_input(const struct attempt *a)
{
    return truncate(a->run->inputs[0].path, a->run->inputs[0].bytes);
}

static int self_memory(const struct attempt *a)
{
    (void) a;
    return opens("/proc/self/mem", O_RDWR);
}

static int opens_of_parent(const char *file)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", (int) getppid(), file);
    return opens(path, O_RDONLY);
}

static int parent_environ(const struct attempt *a)
{
    (void) a;
    return opens_of_parent("environ");
}

static int parent_maps(const struct attempt *a)
{
    (void) a;
    return opens_of_parent("maps");
}

static struct sockaddr_in loopback(int64_t port)
{
    return (struct sockaddr_in){ .sin_family = AF_INET,
                                 .sin_port = htons((uint16_t) port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static int connect_tcp(const struct attempt *a)
{
    struct sockaddr_in to = loopback(a->number);
    AUTO_CLOSE int fd = socket(AF_INET, SOCK_STREAM, 0);

    return fd < 0 ? -1 : connect(fd, (struct sockaddr *) &to, sizeof to);
}

static int listen_tcp(const struct attempt *a)
{
    struct sockaddr_in at = loopback(0);
    AUTO_CLOSE int fd = socket(AF_INET, SOCK_STREAM, 0);

    (void) a;
    return fd < 0 || bind(fd, (struct sockaddr *) &at, sizeof at) < 0 ? -1 : listen(fd, 1);
}

/* The test listens on "\0platen-PORT". */
static int connect_abstract(const struct attempt *a)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    AUTO_CLOSE int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    int n = snprintf(to.sun_path + 1, sizeof to.sun_path - 1, "platen-%d", (int) a->number);

    return fd < 0 ? -1
                  : connect(fd, (struct sockaddr *) &to,
                            (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + (size_t) n));
}

static int bind_unix(const struct attempt *a)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    AUTO_CLOSE int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    (void) a;
    snprintf(at.sun_path, sizeof at.sun_path, "/tmp/platen-escape-%d.sock", (int) getpid());
    if (fd < 0 || bind(fd, (struct sockaddr *) &at, sizeof at) < 0)
        return -1;
    return unlink(at.sun_path);
}

static int create_udp(const struct attempt *a)
{
    AUTO_CLOSE int fd = socket(AF_INET, SOCK_DGRAM, 0);

    (void) a;
    return fd < 0 ? -1 : 0;
}

static int create_pair(const struct attempt *a)
{
    int pair[2];

    (void) a;
    return socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
}

static int signal_parent(const struct attempt *a)
{
    (void) a;
    return kill(getppid(), 0);
}

/* Landlock (ABI 6) stops such a signal when it is sent, which cannot be seen from here. */
static int signal_by_fcntl(const struct attempt *a)
{
    AUTO_CLOSE int fd = open(a->run->output, O_RDWR | O_CLOEXEC);
    struct f_owner_ex owner = { F_OWNER_PID, getppid() };

    if (fd < 0 || fcntl(fd, F_SETSIG, SIGURG) < 0 || fcntl(fd, F_SETOWN_EX, &owner) < 0)
        return -1;
    return 0;
}

static int signal_by_tgkill(const struct attempt *a)
{
    (void) a;
    return tgkill(getppid(), getppid(), 0);
}

static int signal_all(const struct attempt *a)
{
    (void) a;
    return kill(-1, 0);
}

static int trace_parent(const struct attempt *a)
{
    (void) a;
    if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) < 0)
        return -1;
    return 0; /* ends with this process */
}

static int read_parent(const struct attempt *a)
{
    static char here[16], there[16]; /* the same place in both: the parent was forked */
    struct iovec to = { here, sizeof here }, from = { there, sizeof there };

    (void) a;
    return process_vm_readv(getppid(), &to, 1, &from, 1, 0) < 0 ? -1 : 0;
}

static int take_descriptor(const struct attempt *a)
{
    int parent = (int) syscall(SYS_pidfd_open, getppid(), 0);

    (void) a;
    return parent < 0 ? -1 : (int) syscall(SYS_pidfd_getfd, parent, 0, 0) < 0 ? -1 : 0;
}

static int execute(const struct attempt *a)
{
    (void) a;
    return execl("/bin/true", "true", NULL);
}

static int execute_descriptor(const struct attempt *a)
{
    char *const argv[] = { (char[]){ "true" }, NULL };
    int fd = open("/bin/true", O_PATH | O_CLOEXEC);

    (void) a;
    return (int) syscall(SYS_execveat, fd, "", argv, environ, AT_EMPTY_PATH);
}

static int fork_child(const struct attempt *a)
{
    pid_t pid = fork();

    (void) a;
    if (pid == 0)
        _exit(0);
    return pid < 0 ? -1 : waitpid(pid, NULL, 0) < 0 ? -1 : 0;
}

/* Fifty are a bomb enough to see. */
static int fork_bomb(const struct attempt *a)
{
    int made = 0;

    for (int i = 0; i < 50; i++)
        made += fork_child(a) == 0;
    return made ? 0 : -1;
}

static int grandchild(const struct attempt *a)
{
    pid_t pid = fork();

    (void) a;
    if (pid == 0)
        _exit(fork() < 0); /* it ends at once too: it is enough that it came to be */
    return pid < 0 ? -1 : waitpid(pid, NULL, 0) < 0 ? -1 : 0;
}

/* What kills a job's processes together would miss one that does. */
static int leave_group(const struct attempt *a)
{
    (void) a;
    return setpgid(0, 0);
}

static void *nothing(void *arg)
{
    return arg;
}

static int start_thread(const struct attempt *a)
{
    pthread_t thread;
    int number = pthread_create(&thread, NULL, nothing, NULL);

    (void) a;
    if (number == 0)
        return pthread_join(thread, NULL);
    errno = number;
    return -1;
}

static int new_user_namespace(const struct attempt *a)
{
    (void) a;
    return unshare(CLONE_NEWUSER);
}

static int io_uring(const struct attempt *a)
{
    struct io_uring_params params = { 0 };

    (void) a;
    return (int) syscall(SYS_io_uring_setup, 4, &params) < 0 ? -1 : 0;
}

static int keyring(const struct attempt *a)
{
    (void) a;
    return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1) < 0 ? -1 : 0;
}

static int new_memory_file(const struct attempt *a)
{
    (void) a;
    return memfd_create("x", MFD_CLOEXEC) < 0 ? -1 : 0;
}

static int code_in_memory(const struct attempt *a)
{
    void *p =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void) a;
    return p == MAP_FAILED ? -1 : 0;
}

static int data_to_code(const struct attempt *a)
{
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void) a;
    return p == MAP_FAILED ? -1 : mprotect(p, 4096, PROT_READ | PROT_EXEC);
}

/* What the job itself has written, in its result or in memory, is not to be run. */
static int file_to_code(const struct attempt *a)
{
    static const int maps[] = { MAP_PRIVATE, MAP_SHARED };
    AUTO_CLOSE int fd = open(a->run->output, O_RDWR | O_CLOEXEC);

    if (pwrite(fd, "\xc3", 1, 0) != 1) /* a return */
        return 0;
    for (size_t i = 0; i < COUNT(maps); i++)
        if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, maps[i], fd, 0) != MAP_FAILED)
            return 0;
    return -1;
}

static int own_session(const struct attempt *a)
{
    (void) a;
    return setsid() < 0 ? -1 : 0;
}

static int undo_death(const struct attempt *a)
{
    (void) a;
    return prctl(PR_SET_PDEATHSIG, 0);
}

static int many_files(const struct attempt *a)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) { /* without the layer there is room to be had */
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    for (int i = 0; i < 10000; i++)
        if (open(a->run->inputs[0].path, O_RDONLY | O_CLOEXEC) < 0)
            return -1;
    return 0;
}

static int much_memory(const struct attempt *a)
{
    void *p = mmap(NULL, (size_t) 8 << 30, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    (void) a;
    return p == MAP_FAILED ? -1 : 0;
}

static int large_file(const struct attempt *a)
{
    AUTO_CLOSE int fd = open(a->run->output, O_RDWR | O_CLOEXEC);

    signal(SIGXFSZ, SIG_IGN);
    return ftruncate(fd, 1 << 30);
}

static int raise_limits(const struct attempt *a)
{
    struct rlimit limit = { 1, 1 };

    (void) a;
    return setrlimit(RLIMIT_CORE, &limit);
}

static const struct {
    const char *name;
    int (*attempt)(const struct attempt *a);
} escapes[] = {
#define ESCAPE(name, what, layers) { #name, name },
#include "escape.def"
#undef ESCAPE
};

static int run_escape(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;
    struct attempt attempt = { run, p->number };

    for (size_t i = 0; i < COUNT(escapes); i++) {
        if (strcmp(escapes[i].name, p->text) != 0)
            continue;
        if (escapes[i].attempt(&attempt) < 0)
            return err_set(err, ERR_UNSUPPORTED_CONTENT, "denied: %s", strerrorname_np(errno));
        return err_set(err, ERR_UNSUPPORTED_CONTENT, "allowed");
    }
    return err_set(err, ERR_INTERNAL, "no such attempt");
}

#define ESCAPE_TOOL(word, ...)                                                                     \
    {                                                                                              \
        .name = word, .summary = "Tries to get out.", .accepts = { "pdf" }, .gives = "pdf",        \
        .max_files = 1, .params = rogue_params_table, .n_params = COUNT(rogue_params_table),       \
        .params_size = sizeof(struct rogue_params), .run = run_escape, __VA_ARGS__                 \
    }

const struct tool rogue_escape = ESCAPE_TOOL("escape", .threads = false);
const struct tool rogue_escape_threads = ESCAPE_TOOL("escape-threads", .threads = true);
const struct tool rogue_escape_fork = ESCAPE_TOOL("escape-fork", .processes = true);
