/* How jobs end, through the whole way: server, zygote, process, report, verdict. */
#include "sandbox/worker/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "declare/tool_run/run.h"
#include "rig.h"

static void test_opening(const char *rogue, struct worker *worker)
{
    size_t n;
    const struct tool *const *tools = worker_tools(worker, &n);
    struct err err;

    ok(n > 10, "the program reports its tools");
    is_str(tools[0]->name, "escape", "the program reports the names of its tools");
    is_str(tools[0]->params[1].name, "number", "the program reports the parameters of its tools");
    ok(strstr(worker_layers(worker), "rlimits"), "the layers of the sandbox are known: %s",
       worker_layers(worker));
    ok(!worker_open("none", "/nonexistent/program", false, &err), "a missing program is an error");
    ok(strstr(err.msg, "No such file"), "that says so: %s", err.msg);
    ok(!worker_open("true", "/bin/true", false, &err),
       "a program that is not a worker is an error");
    ok(!rig_variant(rogue, "dies", true, &err), "a worker program that ends at once is an error");
    ok(!worker_open("cat", "/bin/cat", false, &err), "a program that answers nonsense is an error");
}

static void test_done(struct worker *worker)
{
    RIG(rig, worker, "echo", "", 0);

    if (!ok(rig_run(&rig) == WORKER_DONE, "a tool that does its work is done (%s)", rig.err.msg))
        return;
    is_str(rig_text(&rig), "in", "the output has the result");
    is_str(rig.result.kind, "pdf", "the result has its kind");
    is_int(rig.result.n_outputs, 1, "a result of one file has one output");
    is_str(rig.result.outputs[0].name, "", "the output of a result of one file has no name");
    is_int(rig.result.outputs[0].bytes, 7, "the output has its size");
    is_int(rig.result.outputs[0].pages, 3, "the output has its number of pages");
    is_int(strlen(rig.result.outputs[0].sha256), 64, "the output has a digest of 64 digits");
    is_int(rig.result.n_warnings, 1, "a warning of the tool is reported");
    is_str(rig.result.warnings[0].message, "1 files of \"stem\"", "the warning has its text");
    ok(rig.result.peak_bytes > 0 && rig.result.run_ms >= 0,
       "time and peak memory of the job are reported");
}

static void test_parts(struct worker *worker)
{
    RIG(rig, worker, "parts", "", 3);

    if (!ok(rig_run(&rig) == WORKER_DONE, "a tool may give parts (%s)", rig.err.msg))
        return;
    is_str(rig.result.kind, "zip", "several parts are a ZIP");
    is_int(rig.result.n_outputs, 3, "each part is an output");
    is_str(rig.result.outputs[1].name, "part (2).pdf", "each output has the name of its part");
    char bytes[9];
    ok(pread(rig.output, bytes, 9, rig.result.outputs[2].offset) == 9 &&
           memcmp(bytes, "%PDF-part", 9) == 0,
       "each output has the offset of its part");
}

static void test_files(struct worker *worker)
{
    RIG(rig, worker, "attached", "", 0);
    struct tool_input file = { .fd = rig_file("a key") };
    struct param_input params[] = { { "file", NULL, &file }, { "text", "x" } };

    is_str((rig_run(&rig), rig_text(&rig)), "nothing",
           "a file parameter that was not given is empty");
    if (ftruncate(rig.output, 0) < 0)
        abort();
    rig.job.params = params;
    rig_run(&rig);
    is_str(rig_text(&rig), "a key, 5 bytes of 1 documents",
           "a parameter's file arrives beside the documents (%s)", rig.err.msg);
    close(file.fd);
}

static void test_most(struct worker *worker)
{
    enum { N = 1000 };
    static int inputs[N];
    static const char *names[N];
    RIG(rig, worker, "echo", "", 0);
    RIG(parts, worker, "parts", "", 10000);

    for (int i = 0; i < N; i++) {
        inputs[i] = rig_file("%PDF-");
        names[i] = "0123456789012345678901234567890123456789012345678901234567890123.pdf";
    }
    rig.job.inputs = inputs;
    rig.job.input_names = names;
    rig.job.n_inputs = N;
    is_int(rig_run(&rig), WORKER_DONE, "a job may have 1000 inputs (%s)", rig.err.msg);
    is_int(rig.result.n_outputs ? rig.result.outputs[0].bytes : 0, 5 * N, "1000 inputs all arrive");
    rig.job.n_inputs = N + 1;
    is_str((rig_run(&rig), rig_outcome(&rig)),
           "failed too_many_files: a job has at most 1000 files", "1001 inputs are refused");
    for (int i = 0; i < N; i++)
        close(inputs[i]);
    is_int(rig_run(&parts), WORKER_DONE, "a job may have 10000 parts (%s)", parts.err.msg);
    is_int(parts.result.n_outputs, 10000, "10000 parts are all reported");
}

static void test_secrets(struct worker *worker)
{
    char secret[3000] = "";
    RIG(first, worker, "say", secret, 0);
    RIG(latin, worker, "say", "x", 0);

    snprintf(secret, sizeof secret, "%2500s", "Tfdsfu/Jo/Nfnpsz");
    is_int(rig_run(&first), WORKER_DONE, "a job with a secret is done");
    setenv("PLATEN_SECRET", "of the server", 1);
#ifdef PLATEN_SANITIZERS /* they do not let a tool search what is not its own */
    RIG(second, worker, "search", "", 0);
#else
    RIG(second, worker, "search", "Secret.In.Memory", 0); /* each letter + 1 is the one above */
#endif
    is_int(rig_run(&second), WORKER_DONE, "and another job (%s)", second.err.msg);
    ok(!strstr(rig_text(&second), "found"),
       "the next job finds no secret of the previous one in memory");
    ok(!strstr(rig_text(&second), "PLATEN_SECRET"),
       "a job's environment has nothing of the server's");
    ok(strstr(rig_text(&second), "LANG=C.UTF-8"), "a job's environment has LANG=C.UTF-8");
    latin.params[0].value = "\xff";
    is_int(rig_run(&latin), WORKER_FAILED,
           "a parameter that is not UTF-8 reaches the tool and fails");
    is_str(latin.err.field, "text", "the failure names the parameter that is not UTF-8");
}

static void test_failures(struct worker *worker)
{
    RIG(fail, worker, "fail", "the password is wrong", ERR_WRONG_PASSWORD);
    RIG(fake, worker, "fail", "no more requests", ERR_QUOTA_EXCEEDED);
    RIG(none, worker, "nothing-like-it", "", 0);
    RIG(bad, worker, "say", "", 0);

    rig_run(&fail);
    is_str(rig_outcome(&fail), "failed wrong_password: the password is wrong",
           "a tool's error is the job's");
    is_str(fail.err.field, "pages", "a tool's error names its field");
    rig_run(&fake);
    is_str(rig_outcome(&fake), "failed internal_error: a worker's report is inconsistent",
           "an error that only the server may give is not believed");
    is_int(rig_run(&none), WORKER_FAILED, "a tool that does not exist is an error");
    bad.params[1].value = "-5";
    rig_run(&bad);
    is_int(bad.err.code, ERR_INVALID_PARAMETER, "parameters are judged again (%s)", bad.err.msg);
}

static bool count(void *arg, double fraction)
{
    (void) fraction;
    ++*(int *) arg;
    return true;
}

static void test_deadlines(struct worker *worker)
{
    RIG(sleeps, worker, "sleep", "", 0);
    RIG(spins, worker, "spin", "", 0);
    int calls = 0;

    sleeps.job.limits.run_ms = 1100;
    sleeps.job.progress = count;
    sleeps.job.arg = &calls;
    rig_run(&sleeps);
    is_str(rig_outcome(&sleeps), "failed limit_exceeded: the job took longer than 1100 ms",
           "a job that sleeps ends at its time limit");
    ok(sleeps.result.run_ms >= 1100 && sleeps.result.run_ms < 60000,
       "a job that sleeps ends neither before its time limit nor long after it");
    ok(calls >= 2, "progress was told meanwhile, though nothing moved (%d times)", calls);
    spins.job.limits.run_ms = 1000;
    rig_run(&spins);
    is_str(rig_outcome(&spins), "failed limit_exceeded: the job took longer than 1 s",
           "a job that computes ends at its time limit");
    ok(spins.result.cpu_ms > 0, "whose processor time is known (%lld ms)",
       (long long) spins.result.cpu_ms);
}

static bool stop_when_half(void *arg, double fraction)
{
    (void) arg;
    return fraction < 0.5;
}

static bool cancel_when_half(void *arg, double fraction)
{
    if (fraction >= 0.5)
        eventfd_write(*(int *) arg, 1);
    return true;
}

static bool is_gone(int output)
{
    int pids[2] = { 0, 0 };

    return pread(output, pids, sizeof pids, 0) == sizeof pids && kill(pids[0], 0) < 0 &&
           errno == ESRCH;
}

static void test_cancelling(struct worker *worker)
{
    RIG(refused, worker, "sleep", "", 0);
    RIG(cancelled, worker, "sleep", "", 0);
    RIG(before, worker, "sleep", "", 0);
    AUTO_CLOSE int event = eventfd(0, EFD_CLOEXEC);
    int64_t start = clock_mono_ms();

    refused.job.progress = stop_when_half;
    is_int(rig_run(&refused), WORKER_CANCELLED, "progress that returns false stops the job");
    ok(is_gone(refused.output), "the process of a job that progress stopped has ended");
    cancelled.job.progress = cancel_when_half;
    cancelled.job.arg = &event;
    cancelled.job.cancel = event;
    is_int(rig_run(&cancelled), WORKER_CANCELLED,
           "a job whose cancel descriptor becomes readable is cancelled");
    ok(is_gone(cancelled.output), "the process of a cancelled job has ended");
    before.job.cancel = event;
    is_int(rig_run(&before), WORKER_CANCELLED,
           "a job whose cancel descriptor was readable before is cancelled");
    ok(clock_mono_ms() - start < 300000, "a job that is cancelled at once does not wait");
}

static void test_crashes(struct worker *worker)
{
    static const int signals[] = { SIGSEGV, SIGABRT, SIGBUS, SIGKILL, SIGTERM };

    for (size_t i = 0; i < COUNT(signals); i++) {
        RIG(rig, worker, "die", "", signals[i]);

        rig_run(&rig);
        is_int(rig.end, WORKER_LOST, "a job that dies of %s is lost (%s)", sigabbrev_np(signals[i]),
               rig_outcome(&rig));
    }
    RIG(rig, worker, "die", "", 0);
    is_int(rig_run(&rig), WORKER_LOST, "a job's process that ends without a report is lost");
    RIG(next, worker, "echo", "", 0);
    is_int(rig_run(&next), WORKER_DONE, "the next job after a lost one is done");
}

/* A crash is tried again; in the end it says what the client can do. */
static void test_crashes_of_office(const char *rogue)
{
    struct err err;
    struct worker *worker = worker_open(WORKER_OFFICE, rogue, false, &err);
    RIG(crash, worker, "die", "", SIGSEGV);
    RIG(kill, worker, "die", "", SIGKILL);

    crash.job.limits.office_cpu_ms = kill.job.limits.office_cpu_ms = 60000;
    rig_run(&crash);
    ok(crash.end == WORKER_LOST && crash.err.code == ERR_CORRUPT_FILE &&
           strstr(crash.err.msg, "save it again"),
       "a document of which LibreOffice crashes is called damaged (%s)", rig_outcome(&crash));
    rig_run(&kill);
    ok(kill.end == WORKER_LOST && kill.err.code == ERR_INTERNAL,
       "but not if something else ends LibreOffice (%s)", rig_outcome(&kill));
    worker_close(worker);
}

static void test_unreadable(struct worker *worker)
{
    RIG(rig, worker, "echo", "", 0);

    if (geteuid() != 0) {
        ok(true, "an input that the job's user may not open # SKIP needs root");
        return;
    }
    fchmod(rig.input, 0600);
    rig_run(&rig);
    ok(rig.end == WORKER_FAILED && rig.err.code == ERR_INTERNAL &&
           strstr(rig.err.msg, "cannot open its file 1: Permission denied"),
       "an input that the job's user may not open is the server's fault, and is told as that (%s)",
       rig_outcome(&rig));
}

static void test_limits(struct worker *worker)
{
    RIG(large, worker, "large", "", RIG_OUTPUT + 4096);

    rig_run(&large);
    is_str(rig_outcome(&large),
           "failed limit_exceeded: the job wrote a file larger than 67108864 bytes",
           "a result cannot be larger than allowed");
    RIG(spill, worker, "spill", "", 3 * RIG_MEMORY);
    spill.job.limits.output_bytes = 4 * RIG_MEMORY;
    close(spill.scratch);
    spill.scratch = spill.job.scratch = fdio_memory_file(&spill.err);
    rig_run(&spill);
    is_str(rig_outcome(&spill), "failed limit_exceeded: the job needed more memory than 268 MB",
           "a scratch file in memory counts as memory");
#ifndef PLATEN_SANITIZERS
    static const char *const ways[] = { "fails politely", "aborts", "uses what it did not get" };

    for (int way = 0; way < 3; way++) {
        RIG(hog, worker, "hog", "", way);

        rig_run(&hog);
        is_str(rig_outcome(&hog), "failed limit_exceeded: the job needed more memory than 268 MB",
               "a job that runs out of memory and %s is over a limit", ways[way]);
    }
#endif
}

#ifndef PLATEN_SANITIZERS /* their memory is not the C library's */
#define GROWN       (128 << 20)
#define SMALL_PAGES (GROWN / 4096)

/* Whether a program that asks for huge pages gets some. */
static bool kernel_has_huge_pages(void)
{
    char text[64] = "";
    AUTO_CLOSE int fd = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);

    return fd >= 0 && read(fd, text, sizeof text - 1) > 0 && !strstr(text, "[never]");
}

static void test_huge_pages(struct worker *worker)
{
    RIG(grow, worker, "grow", "", GROWN);

    rig_run(&grow);
    long faults = strtol(rig_text(&grow), NULL, 10);
    if (!kernel_has_huge_pages())
        ok(true, "# SKIP the kernel has no huge pages");
    else
        ok(faults > 0 && faults < SMALL_PAGES / 2,
           "a heap of 128 MB is made of huge pages: %s page faults", rig_text(&grow));
}
#endif

/* What a captured process may write into its report. */
static void test_forged_reports(struct worker *worker)
{
    static const struct {
        const char *text;
        int64_t times;
        const char *what;
    } forged[] = {
        { "rubbish", 1000000, "rubbish without end" },
        { "{\"progress\":0.1}", 1000000, "more than 8 MB of it" },
        { "{}", 1, "an object that says nothing" },
        { "{\"progress\":2}", 1, "impossible progress" },
        { "{\"progress\":0.1,\"more\":1}", 1, "a key too many" },
        { "{\"output\":\"../x\",\"offset\":0,\"bytes\":1,\"pages\":1,\"sha256\":\"\"}", 1,
          "a name with a path" },
        { "{\"warning\":\"Bad Code\",\"message\":\"x\"}", 1, "a code that is no word" },
        { "{\"warning\":\"code\",\"message\":\"a\\nb\"}", 1, "a message of two lines" },
        { "{\"warning\":\"code\",\"message\":\"x\"}", 101, "too many warnings" },
    };

    for (size_t i = 0; i < COUNT(forged); i++) {
        RIG(rig, worker, "forge", forged[i].text, forged[i].times);

        rig_run(&rig);
        ok(rig.end == WORKER_FAILED && rig.err.code == ERR_INTERNAL &&
               strstr(rig.err.msg, "report"),
           "a report with %s ends the job (%s)", forged[i].what, rig_outcome(&rig));
    }
    RIG(deep, worker, "forge", "[[[[[[[[[[[[[[[[", 200);
    is_int(rig_run(&deep), WORKER_FAILED, "so does one that is nested deeply (%s)", deep.err.msg);
    RIG(line, worker, "forge", "[[[[[[[[[[[[[[[[", 300);
    is_int(rig_run(&line), WORKER_FAILED, "and a line that is too long (%s)", line.err.msg);
    /* How it ended is seen, not told. */
    RIG(done, worker, "forge", "{\"done\":\"pdf\"}", 1);
    is_int(rig_run(&done), WORKER_FAILED, "a process that reports its end and continues is failed");
}

#define SHA "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\""

#define OUTPUT(name, bytes)                                                                        \
    "{\"output\":\"" name "\",\"offset\":0,\"bytes\":" bytes ",\"pages\":0,\"sha256\":" SHA "}|"

/* An orderly end with a result of 15 bytes that begins like a PDF file; | ends a line. */
static void test_lies(struct worker *worker)
{
    static const struct {
        const char *text, *what;
    } lies[] = {
        { "{\"done\":\"pdf\"}", "no output" },
        { OUTPUT("", "15") "{\"done\":\"zip\"}", "a kind that it is not" },
        { OUTPUT("", "15") "{\"done\":\"exe\"}", "a kind that there is not" },
        { OUTPUT("", "16") "{\"done\":\"pdf\"}", "an output larger than the file" },
        { OUTPUT("a", "15") "{\"done\":\"pdf\"}", "a part's name" },
        { OUTPUT("", "15"), "no end" },
    };
    RIG(truth, worker, "lie", OUTPUT("", "15") "{\"done\":\"pdf\"}", 0);

    for (size_t i = 0; i < COUNT(lies); i++) {
        RIG(rig, worker, "lie", lies[i].text, 0);

        rig_run(&rig);
        ok(rig.end != WORKER_DONE, "a result with %s is not believed (%s)", lies[i].what,
           rig_outcome(&rig));
    }
    is_int(rig_run(&truth), WORKER_DONE, "one in which all is right is (%s)", truth.err.msg);
}

static void test_descriptors(struct worker *worker)
{
    RIG(rig, worker, "descriptors", "", 0);

    rig_run(&rig);
    /* Three standard streams; then the report, output, scratch and one input, and the descriptor
     * the tool has for its result. */
    char found[64], *copy = strdup(rig_text(&rig)), *word, *rest = NULL;
    int nulls = 0, pipes = 0, files = 0, others = 0;

    for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        nulls += strcmp(word, "null") == 0;
        pipes += strcmp(word, "pipe") == 0;
        files += strcmp(word, "file") == 0;
        others += strcmp(word, "other") == 0;
    }
    free(copy);
    snprintf(found, sizeof found, "%d null %d pipe %d file %d other", nulls, pipes, files, others);
#ifdef PLATEN_SANITIZERS
    ok(files == 3, "a job's process has its files and no other (%s)", found);
#else
    is_str(found, "3 null 1 pipe 3 file 0 other",
           "a job's process has its own descriptors and no other");
#endif
}

/* Descriptors are used up: no job's process was begun, so this is no crash of it. */
static void test_shortage(struct worker *worker)
{
    struct rlimit before, none;

    RIG(rig, worker, "echo", "", 0);
    getrlimit(RLIMIT_NOFILE, &before);
    none = (struct rlimit){ 3, before.rlim_max };
    setrlimit(RLIMIT_NOFILE, &none);
    rig_run(&rig);
    setrlimit(RLIMIT_NOFILE, &before);
    ok(rig.end == WORKER_FAILED && rig.err.shortage, "a lack of descriptors is told as one (%s)",
       rig.err.msg);
    rig_run(&rig);
    ok(rig.end == WORKER_DONE,
       "a job that failed for lack of descriptors is done once there are some");
}

int main(int argc, char **argv)
{
    struct err err = { 0 };
    struct worker *worker = argc == 2 ? worker_open("rogue", argv[1], false, &err) : NULL;

    if (!ok(worker, "a worker program starts (%s)", err.msg))
        return done_testing();
    test_opening(argv[1], worker);
    test_done(worker);
    test_parts(worker);
    test_files(worker);
    test_most(worker);
    test_secrets(worker);
    test_failures(worker);
    test_deadlines(worker);
    test_cancelling(worker);
    test_crashes(worker);
    test_crashes_of_office(argv[1]);
#ifndef PLATEN_SANITIZERS
    test_huge_pages(worker);
#endif
    test_limits(worker);
    test_unreadable(worker);
    test_forged_reports(worker);
    test_lies(worker);
    test_descriptors(worker);
    test_shortage(worker);
    worker_close(worker);
    return done_testing();
}
