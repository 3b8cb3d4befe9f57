#include "engine/browser/launch.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"

#define DATA_BYTES   8000000000 /* of each process */
#define MEMORY_BYTES 2000000000 /* of all of them */
#define IDLE_BYTES   400000000
#define FILES        65536

static const char *const argv[] = {
    "chromium-headless-shell",
    "--remote-debugging-pipe",
    "--user-data-dir=profile",
    /* One process draws, and one renders the page with all its frames: there is one document to a
     * browser, and its frames have no secrets of each other's. */
    "--disable-gpu",
    "--disable-features=IsolateOrigins,site-per-process,Translate,MediaRouter,OptimizationHints,"
    "SpareRendererForSitePerProcess,PaintHolding",
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
    "--disable-dev-shm-usage",
    /* What a browser does besides showing a page. */
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-speech-api",
    "--disable-sync",
    "--metrics-recording-only",
    "--mute-audio",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--no-service-autorun",
    "--hide-scrollbars",
    "--password-store=basic",
    "--use-mock-keychain",
    /* It has no sockets; these keep it from trying. */
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "about:blank",
    NULL,
};

static const char *const environment[] = { "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC",
                                           "DBUS_SESSION_BUS_ADDRESS=disabled:", NULL };

static const char *const readable[] = {
    "/usr/lib",
    "/lib",
    "/lib64",
    "/usr/lib64",
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/fontconfig",
    "/usr/share/mime",
    "/usr/share/zoneinfo",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/var/cache/fontconfig",
    "/sys/devices/system/cpu",
    "/dev/urandom",
    NULL,
};

/* /proc: the maps of users of its own namespaces. What a user may not write there it does not
 * either. */
static const char *const writable[] = { "/proc", "/dev/null", NULL };
static const char *const executable[] = { LAUNCH_PROGRAM, "/lib64/ld-linux-x86-64.so.2",
                                          "/lib/ld-linux-aarch64.so.1", NULL };

const struct companion_setup launch_browser = {
    .path = LAUNCH_PROGRAM,
    .argv = argv,
    .environment = environment,
    .scope = { .readable = readable,
               .writable = writable,
               .executable = executable,
               .data_bytes = DATA_BYTES,
               .n_files = FILES },
    .memory_bytes = MEMORY_BYTES,
    .idle_bytes = IDLE_BYTES,
};

/* What Chromium needs and cannot be had here. */
enum lack { LACK_NOTHING, LACK_NAMESPACES, LACK_CHROOT, LACK_CODE, LACK_TRIAL };

/* Whether what was written to memory can be executed afterwards, as the code that V8 compiles is.
 */
static bool can_make_code(void)
{
    const size_t bytes = (size_t) sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return page != MAP_FAILED && mprotect(page, bytes, PROT_READ | PROT_EXEC) == 0;
}

/* To be called in a process that ends afterwards. Chromium confines its processes by namespaces of
 * their own, in which it may then change the root folder. Some machines and containers allow them
 * to root alone. */
static enum lack try_confinement(void)
{
    /* As root nothing would be proved. */
    if (geteuid() == 0 &&
        (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0))
        return LACK_NOTHING;
    if (!can_make_code())
        return LACK_CODE;
    if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET) < 0)
        return LACK_NAMESPACES;
    return chroot("/") < 0 ? LACK_CHROOT : LACK_NOTHING;
}

static enum lack find_lack(void)
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0)
        _exit((int) try_confinement());
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return LACK_TRIAL;
    return (enum lack) WEXITSTATUS(status);
}

int launch_look(struct err *err)
{
    static const char *const lacks[] = {
        [LACK_NAMESPACES] = "cannot confine its processes, because user namespaces are not allowed "
                            "here",
        [LACK_CHROOT] = "cannot confine its processes, because chroot is not allowed here",
        [LACK_CODE] =
            "cannot run scripts, because memory that was written may not be executed here",
        [LACK_TRIAL] = "cannot be tried out: no process could be made",
    };
    enum lack lack;

    if (access(LAUNCH_PROGRAM, X_OK) < 0)
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "Chromium is not installed: apt-get install chromium-headless-shell");
    lack = find_lack();
    if (lack == LACK_NOTHING)
        return 0;
    return err_set(err, ERR_UNSUPPORTED_CONTENT, "Chromium %s",
                   lacks[lack < LACK_TRIAL ? lack : LACK_TRIAL]);
}
