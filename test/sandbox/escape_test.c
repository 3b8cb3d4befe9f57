/*
 * What a captured process tries, and that it is denied: by the whole sandbox, and by each layer
 * that is said to deny it with the other layers switched off, so that no layer hides behind
 * another.
 */
#include <arpa/inet.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "../worker/rig.h"

#define L(abi) ((abi) << 8) /* Landlock, from this ABI */
#define S      1            /* seccomp */
#define R      2            /* rlimits */
#define E      4            /* the machine may forbid it by itself */

static const struct {
    const char *name, *what;
    int layers;
} escapes[] = {
#define ESCAPE(name, what, layers) { #name, what, layers },
#include "../worker/escape.def"
#undef ESCAPE
};

enum outcome { ALLOWED, DENIED, KILLED, STRANGE };

/* A program that was run in place of the tool ends without a word, and with status 0. */
static enum outcome try_by(struct worker *worker, const char *tool, const char *name, int port,
                           char *said, size_t cap)
{
    RIG(rig, worker, tool, name, port);

    rig.job.limits.run_ms = 20000;
    rig_run(&rig);
    snprintf(said, cap, "%s", rig.err.msg);
    if (rig.end == WORKER_FAILED && strncmp(rig.err.msg, "denied", 6) == 0)
        return DENIED;
    if (rig.end == WORKER_FAILED && strcmp(rig.err.msg, "allowed") == 0)
        return ALLOWED;
    if (rig.end == WORKER_LOST && strstr(rig.err.msg, "sandbox forbids"))
        return KILLED;
    if (rig.end == WORKER_LOST && strstr(rig.err.msg, "status 0"))
        return ALLOWED;
    return STRANGE;
}

static enum outcome try(struct worker *worker, const char *name, int port, char *said, size_t cap)
{
    return try_by(worker, "escape", name, port, said, cap);
}

static bool skips(const char *layer, const char *why)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_count, layer, why);
    return true;
}

static void test_whole(const char *rogue, int port)
{
    struct err err = { 0 };
    struct worker *worker = worker_open("rogue", rogue, false, &err);
    char said[256];

    if (!ok(worker, "the whole sandbox starts (%s)", err.msg))
        return;
    printf("# %s\n", worker_layers(worker));
    for (size_t i = 0; i < COUNT(escapes); i++) {
        enum outcome outcome = try(worker, escapes[i].name, port, said, sizeof said);

#ifdef PLATEN_SANITIZERS
        if (strcmp(escapes[i].name, "much_memory") == 0 &&
            skips(escapes[i].what, "sanitizers need the address space"))
            continue;
#endif
        ok(outcome == DENIED || outcome == KILLED, "the sandbox denies %s (%s)", escapes[i].what,
           said);
    }
    worker_close(worker);
}

/* One layer, or none of the three: then everything must be allowed. */
static void test_layer(const char *rogue, const char *layer, int bit, int port)
{
    char variant[32], said[256];
    struct err err = { 0 };
    struct worker *worker;
    const char *found;

    snprintf(variant, sizeof variant, "only-%s", layer);
    worker = rig_variant(rogue, variant, true, &err);
    if (!ok(worker, "the program starts with %s alone (%s)", layer, err.msg))
        return;
    found = strstr(worker_layers(worker), layer);
    if (bit && !found) {
        skips(layer, "the machine has no such layer");
        worker_close(worker);
        return;
    }
    for (size_t i = 0; i < COUNT(escapes); i++) {
        int needs = escapes[i].layers & (bit == L(1) ? ~0xff : bit);
        enum outcome outcome;

        if (bit && !needs)
            continue;
        if (bit == L(1) && L((int) strtol(found + strlen("landlock-"), NULL, 10)) < needs) {
            skips(escapes[i].what, "this Landlock is too old");
            continue;
        }
#ifdef PLATEN_SANITIZERS
        if (strcmp(escapes[i].name, "much_memory") == 0 &&
            skips(escapes[i].what, "sanitizers need the address space"))
            continue;
#endif
        outcome = try(worker, escapes[i].name, port, said, sizeof said);
        if (bit)
            ok(outcome == DENIED || outcome == KILLED, "%s alone denies %s (%s)", layer,
               escapes[i].what, said);
        else if (outcome != ALLOWED && escapes[i].layers & E)
            skips(escapes[i].what, "this machine forbids it to everybody");
        else
            ok(outcome == ALLOWED, "without a sandbox %s is possible (%s)", escapes[i].what, said);
    }
    worker_close(worker);
}

/* A tool that may start threads can do that and no more. */
static void test_threads(const char *rogue, const char *variant, int port)
{
    struct err err = { 0 };
    struct worker *worker = rig_variant(rogue, variant, true, &err);
    char said[256];

    if (!ok(worker, "%s starts (%s)", variant, err.msg))
        return;
    for (size_t i = 0; i < COUNT(escapes); i++) {
        enum outcome outcome;

        if (!(escapes[i].layers & S))
            continue;
        outcome = try_by(worker, "escape-threads", escapes[i].name, port, said, sizeof said);
        if (strcmp(escapes[i].name, "start_thread") == 0)
            ok(outcome == ALLOWED, "%s lets a tool that needs it start a thread (%s)", variant,
               said);
        else
            ok(outcome == DENIED || outcome == KILLED, "but still denies %s (%s)", escapes[i].what,
               said);
    }
    worker_close(worker);
}

/* Nor can one that may make processes do more than that, and what waits for them. */
static void test_processes(const char *rogue, const char *variant, int port)
{
    static const char *const allowed[] = { "fork_child", "fork_bomb", "grandchild" };
    struct err err = { 0 };
    struct worker *worker = rig_variant(rogue, variant, true, &err);
    char said[256];

    if (!ok(worker, "%s starts (%s)", variant, err.msg))
        return;
    for (size_t i = 0; i < COUNT(escapes); i++) {
        enum outcome outcome;
        bool may = false;

        if (!(escapes[i].layers & S))
            continue;
        for (size_t k = 0; k < COUNT(allowed); k++)
            may = may || strcmp(escapes[i].name, allowed[k]) == 0;
        outcome = try_by(worker, "escape-fork", escapes[i].name, port, said, sizeof said);
        if (may)
            ok(outcome == ALLOWED, "%s lets a tool that needs it do so: %s (%s)", variant,
               escapes[i].what, said);
        else
            ok(outcome == DENIED || outcome == KILLED, "but still denies %s (%s)", escapes[i].what,
               said);
    }
    worker_close(worker);
}

/* Listens on a TCP port, and on an abstract Unix socket named after it. */
static int listen_tcp(int *fd)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t n = sizeof at;

    *fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*fd < 0 || bind(*fd, (struct sockaddr *) &at, sizeof at) < 0 || listen(*fd, 100) < 0 ||
        getsockname(*fd, (struct sockaddr *) &at, &n) < 0)
        return -1;
    return ntohs(at.sin_port);
}

static bool listen_abstract(int *fd, int port)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    size_t n = (size_t) snprintf(at.sun_path + 1, sizeof at.sun_path - 1, "platen-%d", port);

    *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    n += offsetof(struct sockaddr_un, sun_path) + 1;
    return *fd >= 0 && bind(*fd, (struct sockaddr *) &at, (socklen_t) n) == 0 &&
           listen(*fd, 100) == 0;
}

int main(int argc, char **argv)
{
    AUTO_CLOSE int tcp = -1;
    AUTO_CLOSE int abstract = -1;
    int port = listen_tcp(&tcp);

    if (!ok(argc == 2 && port > 0 && listen_abstract(&abstract, port), "the test listens"))
        return done_testing();
    test_layer(argv[1], "ordinary", 0, port);
    test_whole(argv[1], port);
    test_layer(argv[1], "rlimits", R, port);
    test_layer(argv[1], "landlock", L(1), port);
    test_layer(argv[1], "seccomp", S, port);
    test_threads(argv[1], "only-seccomp", port);
    test_threads(argv[1], "rogue", port);
    test_processes(argv[1], "only-seccomp", port);
    test_processes(argv[1], "rogue", port);
    return done_testing();
}
