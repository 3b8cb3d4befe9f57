/* The store in a file among processes: killed in the middle, and shared. The store is opened after
 * each fork, never before. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "data/store_sqlite/store_sqlite_open.h"
#include "store_contract.h"
#include "store_sqlite_temp.h"
#include "tap.h"

#define PUTTERS  4
#define ANSWERED 400 /* puts before the kill */
#define DEADLINE 60000
#define ADDED    20 /* keys from another process */

struct putter {
    struct store *store;
    int64_t account;
    int pipe;
    pthread_t thread;
};

/* Writes the id of each job to the pipe once it was promised to be there. */
static void *put_for_ever(void *arg)
{
    const struct putter *p = arg;
    struct store_terms terms = contract_terms();
    struct err err;

    for (;;) {
        struct job job = contract_job(p->account);
        struct store_receipt receipt;

        if (store_put(p->store, &job, &terms, &receipt, &err) < 0 ||
            write(p->pipe, job.id, ID_TEXT) != ID_TEXT)
            return NULL;
    }
}

static _Noreturn void put_until_killed(int pipe)
{
    struct err err;
    struct putter p = { .store = store_sqlite_open(temp_path("crash.db"), &err), .pipe = pipe };
    struct putter all[PUTTERS];

    if (!p.store)
        _exit(1);
    p.account = contract_account(p.store);
    for (int i = 0; i < PUTTERS; i++) {
        all[i] = p;
        pthread_create(&all[i].thread, NULL, put_for_ever, &all[i]);
    }
    for (int i = 0; i < PUTTERS; i++)
        pthread_join(all[i].thread, NULL);
    _exit(1);
}

/* The next id a child wrote whole, within the deadline. */
static bool next_id(int fd, char id[static ID_TEXT])
{
    struct pollfd pfd = { .fd = fd, .events = POLLIN };

    return poll(&pfd, 1, DEADLINE) == 1 && read(fd, id, ID_TEXT) == ID_TEXT;
}

static void test_killed(void)
{
    static char ids[20 * ANSWERED][ID_TEXT];
    int ends[2], status, there = 0;
    size_t n = 0;
    struct err err;
    pid_t child;

    if (pipe(ends) < 0 || (child = fork()) < 0)
        return;
    if (child == 0)
        put_until_killed(ends[1]);
    close(ends[1]);
    while (n < ANSWERED && next_id(ends[0], ids[n]))
        n++;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    while (n < COUNT(ids) && next_id(ends[0], ids[n]))
        n++;
    close(ends[0]);
    ok(n >= ANSWERED && WIFSIGNALED(status), "a process that puts jobs is killed");

    STORE *store = store_sqlite_open(temp_path("crash.db"), &err);
    ok(store != NULL, "the store of a killed process can be opened again");
    for (size_t i = 0; store && i < n; i++)
        there += contract_state(store, ids[i]) == JOB_PENDING;
    is_int(there, n, "every job that was accepted is in the store");
    int64_t pending = 0, running = 0;
    store_depth(store, &pending, &running, &err);
    ok(pending >= there && pending <= there + PUTTERS,
       "jobs of calls that were not finished may be in the store");
    is_int(contract_usage(store, 1, MONTH).requests, pending, "each job in the store was counted");
    char id[ID_TEXT];
    for (there = 0; contract_claim(store, id); there++)
        ;
    is_int(there, pending, "each job in the store can be claimed");
}

static _Noreturn void add_keys(int go, int done)
{
    char text[KEY_TEXT], byte;
    struct err err;

    if (read(go, &byte, 1) != 1)
        _exit(1);
    struct store *store = store_sqlite_open(temp_path("shared.db"), &err);
    for (int i = 0; store && i < ADDED; i++) {
        struct key key = { .name = "second process", .plan = "pro" };

        key_make(KEY_MANAGE, false, text);
        key_split(text, key.prefix, key.digest);
        if (store_key_add(store, &key, &err) < 0) {
            printf("# key %d: %s\n", i, err.msg);
            _exit(1);
        }
    }
    store_close(store);
    if (!store || write(done, "d", 1) != 1)
        _exit(1);
    _exit(0);
}

static atomic_bool stop;
static atomic_int refused, accepted;

static void *put_until_stopped(void *arg)
{
    const struct putter *p = arg;
    struct store_terms terms = contract_terms();
    struct err err;

    while (!stop) {
        struct job job = contract_job(p->account);
        struct store_receipt receipt;

        if (store_put(p->store, &job, &terms, &receipt, &err) < 0)
            refused++;
        else
            accepted++;
    }
    return NULL;
}

static void test_shared(void)
{
    struct putter putters[PUTTERS];
    struct pollfd pfd;
    int go[2], done[2], status, before;
    struct err err;
    pid_t child;

    if (pipe(go) < 0 || pipe(done) < 0 || (child = fork()) < 0)
        return;
    if (child == 0)
        add_keys(go[0], done[1]);
    STORE *store = store_sqlite_open(temp_path("shared.db"), &err);
    int64_t account = contract_account(store);
    for (int i = 0; i < PUTTERS; i++) {
        putters[i] = (struct putter){ .store = store, .account = account };
        pthread_create(&putters[i].thread, NULL, put_until_stopped, &putters[i]);
    }
    before = accepted;
    ok(write(go[1], "g", 1) == 1, "another process starts while a server is under load");
    pfd = (struct pollfd){ .fd = done[0], .events = POLLIN };
    is_int(poll(&pfd, 1, DEADLINE), 1, "another process can add keys");
    stop = true;
    for (int i = 0; i < PUTTERS; i++)
        pthread_join(putters[i].thread, NULL);
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
       "the other process adds keys without an error");
    ok(accepted > before, "the server accepts jobs meanwhile (%d)", accepted - before);
    is_int(refused, 0, "the server refuses no job meanwhile");
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    store_key_list(store, &keys, &err);
    is_int(keys.n, ADDED + 1, "the server knows the keys at once");
    is_int(contract_usage(store, account, MONTH).requests, accepted,
           "the server has counted its own jobs");
}

/* Several programs started at the same time on a folder that is empty yet. */
static void test_first(void)
{
    int go[2], failed = 0, status;
    pid_t children[6];
    struct err err;
    char byte;

    if (pipe(go) < 0)
        return;
    for (size_t i = 0; i < COUNT(children); i++) {
        if ((children[i] = fork()) != 0)
            continue;
        close(go[1]);
        if (read(go[0], &byte, 1) != 0)
            _exit(2);
        struct store *store = store_sqlite_open(temp_path("first.db"), &err);
        if (!store)
            printf("# %s\n", err.msg);
        else
            contract_account(store);
        store_close(store);
        _exit(!store);
    }
    close(go[1]);
    for (size_t i = 0; i < COUNT(children); i++)
        failed += waitpid(children[i], &status, 0) != children[i] || status != 0;
    close(go[0]);
    is_int(failed, 0, "several processes can make the database at the same time");
    STORE *store = store_sqlite_open(temp_path("first.db"), &err);
    AUTO_STORE_KEYS struct store_keys keys = { 0 };
    store_key_list(store, &keys, &err);
    is_int(keys.n, COUNT(children), "all of the processes have used one database");
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    temp_open();
    test_killed();
    test_shared();
    test_first();
    temp_close();
    return done_testing();
}
