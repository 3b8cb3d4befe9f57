#include "rogue.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fdio.h"
#include "declare/tool_run/run.h"
#include "sandbox/confinement/sandbox.h"
#include "sandbox/zygote/zygote.h"

const struct param rogue_params_table[3] = {
    TEXT(struct rogue_params, text, "Text.", .preset = "", .max = 4000),
    INT(struct rogue_params, number, "Number.", .preset = "0", .min = 0, .max = 1e15),
    UPLOAD(struct rogue_params, file, "A file.", .max = 1000),
};

#define TOOL(id, word, ...)                                                                        \
    {                                                                                              \
        .name = word, .summary = word, .accepts = { "pdf" }, .gives = "pdf", .max_files = 1000,    \
        .params = rogue_params_table, .n_params = COUNT(rogue_params_table),                       \
        .params_size = sizeof(struct rogue_params), .run = id, .many = true, __VA_ARGS__           \
    }

/* A result of our own: `text` after the magic bytes. */
static int give(struct tool_run *run, const char *text, struct err *err)
{
    AUTO_CLOSE int out = open(run->output, O_RDWR | O_CREAT | O_TRUNC, 0600);

    if (out < 0)
        return err_sys(err, "output");
    if (fdio_write(out, "%PDF-", 5, err) < 0 || fdio_write(out, text, strlen(text), err) < 0)
        return -1;
    return tool_done(run, 0, err);
}

static int pids(struct tool_run *run, const void *params, struct err *err)
{
    char text[64];

    (void) params;
    snprintf(text, sizeof text, "%d %d", (int) getpid(), (int) getppid());
    return give(run, text, err);
}

/* Opens inputs and output again by path, as libqpdf does. */
static int echo(struct tool_run *run, const void *params, struct err *err)
{
    AUTO_FCLOSE FILE *out = fopen(run->output, "wb+");
    char chunk[4096];
    size_t got;

    (void) params;
    if (!out)
        return err_sys(err, "output");
    for (size_t i = 0; i < run->n_inputs; i++) {
        AUTO_FCLOSE FILE *in = fopen(run->inputs[i].path, "rb");

        if (!in)
            return err_sys(err, "input");
        while ((got = fread(chunk, 1, sizeof chunk, in)) > 0)
            fwrite(chunk, 1, got, out);
        tool_progress(run, (double) (i + 1) / (double) run->n_inputs);
    }
    if (fflush(out) != 0)
        return err_sys(err, "output");
    tool_warn(run, "echoed", "%zu files of \"%s\"", run->n_inputs, run->stem);
    return tool_done(run, 3, err);
}

/* Gives what is in the file of a parameter, read by its path. */
static int attached(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_CLOSE int fd = p->file ? open(p->file->path, O_RDONLY) : -1;

    if (!p->file)
        return give(run, "nothing", err);
    if (fd < 0 || fdio_read_all(fd, 1000, &text, err) < 0)
        return err_sys(err, "file");
    buf_printf(&text, ", %d bytes of %zu documents", (int) p->file->bytes, run->n_inputs);
    return give(run, buf_text(&text), err);
}

static int say(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;

    return give(run, p->text, err);
}

static int parts(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;

    for (int64_t i = 0; i < p->number; i++) {
        AUTO_CLOSE int out = open(tool_part(run), O_RDWR | O_CREAT | O_TRUNC, 0600);

        if (out < 0 || fdio_write(out, "%PDF-part", 9, err) < 0)
            return err_sys(err, "part");
        if (tool_part_done(run, "part.pdf", 1, err) < 0)
            return -1;
    }
    return tool_parts_done(run, err);
}

/* Says how it is called, with pids, then does nothing for ever. */
static int sleeper(struct tool_run *run, const void *params, struct err *err)
{
    AUTO_CLOSE int out = open(run->output, O_RDWR | O_CREAT | O_TRUNC, 0600);
    int numbers[2] = { (int) getpid(), (int) getppid() };

    (void) params;
    if (fdio_write(out, numbers, sizeof numbers, err) < 0)
        return -1;
    tool_progress(run, 0.5);
    for (;;)
        nanosleep(&(struct timespec){ .tv_sec = 3600 }, NULL);
}

/* Like sleeper, with a process of its own that does nothing for ever: says their pids. */
static int forker(struct tool_run *run, const void *params, struct err *err)
{
    AUTO_CLOSE int out = open(run->output, O_RDWR | O_CREAT | O_TRUNC, 0600);
    int numbers[2] = { (int) getpid(), (int) fork() };

    (void) params;
    while (numbers[1] == 0)
        nanosleep(&(struct timespec){ .tv_sec = 3600 }, NULL);
    if (fdio_write(out, numbers, sizeof numbers, err) < 0)
        return -1;
    tool_progress(run, 0.5);
    for (;;)
        nanosleep(&(struct timespec){ .tv_sec = 3600 }, NULL);
}

static int spin(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;
    volatile uint64_t n = 0;

    (void) run, (void) err;
    while (p->number == 0)
        n++;
    return 0;
}

static int fail(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;

    (void) run;
    return err_field(err, (enum err_code) p->number, "pages", "%s", p->text);
}

static int die(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;

    (void) run, (void) err;
    if (p->number == 0)
        _exit(0);
    signal((int) p->number, SIG_DFL);
    raise((int) p->number);
    return err_set(err, ERR_INTERNAL, "still there");
}

/* Takes memory until there is none; then fails politely, aborts, or uses what it did not get. */
static int hog(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;
    volatile char *more;

    (void) run;
    while ((more = malloc(1 << 20)))
        *more = 1;
    if (p->number == 0)
        return err_set(err, ERR_INTERNAL, "out of memory");
    if (p->number == 1)
        abort();
    *more = 1;
    return 0;
}

/* Takes `number` bytes in small pieces, and says how many page faults there were. */
static int grow(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;
    struct rusage before, after;
    char text[32];

    getrusage(RUSAGE_SELF, &before);
    for (int64_t n = 0; n < p->number; n += 4096) {
        volatile char *piece = malloc(4096); /* never freed: the process ends */

        if (!piece)
            return err_set(err, ERR_INTERNAL, "out of memory");
        *piece = 1;
    }
    getrusage(RUSAGE_SELF, &after);
    snprintf(text, sizeof text, "%ld", after.ru_minflt - before.ru_minflt);
    return give(run, text, err);
}

static int large(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;
    AUTO_CLOSE int out = open(run->output, O_RDWR | O_CREAT | O_TRUNC, 0600);
    char chunk[4096] = "%PDF-";

    for (int64_t done = 0; done < p->number; done += (int64_t) sizeof chunk)
        if (fdio_write(out, chunk, sizeof chunk, err) < 0)
            return -1;
    return tool_done(run, 0, err);
}

static int report_pipe(void)
{
    struct stat st;

    for (int fd = 3; fd < 1024; fd++)
        if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode))
            return fd;
    return -1;
}

/* Writes `text` into its report `number` times, as lines if it looks like one, and sleeps. */
static int forge(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;
    int fd = report_pipe();

    for (int64_t i = 0; i < p->number; i++)
        if (fdio_write(fd, p->text, strlen(p->text), err) < 0 ||
            (*p->text == '{' && fdio_write(fd, "\n", 1, err) < 0))
            return -1;
    return sleeper(run, params, err);
}

/* Writes `text` into its report, with a new line for each '|', and ends as if all were well. */
static int lie(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;
    AUTO_CLOSE int out = open(run->output, O_RDWR | O_CREAT | O_TRUNC, 0600);
    int fd = report_pipe();

    if (fdio_write(out, "%PDF-0123456789", 15, err) < 0)
        return -1;
    for (const char *c = p->text; *c; c++)
        if (fdio_write(fd, *c == '|' ? "\n" : c, 1, err) < 0)
            return -1;
    if (fdio_write(fd, "\n", 1, err) < 0)
        return -1;
    _exit(0);
}

/* Which descriptors there are, as text. */
static int descriptors(struct tool_run *run, const void *params, struct err *err)
{
    char text[2000] = "";
    size_t n = 0;

    (void) params;
    for (int fd = 0; fd < 4096 && n + 16 < sizeof text; fd++) {
        struct stat st;

        if (fstat(fd, &st) == 0)
            n += (size_t) snprintf(text + n, sizeof text - n, "%s ",
                                   S_ISREG(st.st_mode)    ? "file"
                                   : S_ISFIFO(st.st_mode) ? "pipe"
                                   : S_ISCHR(st.st_mode)  ? "null"
                                                          : "other");
    }
    return give(run, text, err);
}

/* Whether the heap's pages up or down from `page` hold the word. A page that is not there cannot be
 * written to a file. */
static bool on_heap(const char *page, ptrdiff_t direction, const char *word, int scratch)
{
    for (; pwrite(scratch, page, 4096, 0) == 4096; page += direction * 4096)
        if (memmem(page, 4096, word, strlen(word)))
            return true;
    return false;
}

/* The environment, and what of earlier jobs can be found in memory: `text` is looked for, each
 * letter plus one, so that the search does not find itself. */
static int search(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_CLOSE int scratch = open(tool_part(run), O_RDWR);
    AUTO_FREE char *heap = malloc(1);
    const char *page = heap - ((uintptr_t) heap & 4095);
    char word[64] = "";

    for (size_t i = 0; p->text[i] && i < sizeof word - 1; i++)
        word[i] = (char) (p->text[i] + 1);
    for (char **e = environ; *e; e++)
        buf_printf(&text, "%s;", *e);
    if (*word && (on_heap(page, 1, word, scratch) || on_heap(page, -1, word, scratch)))
        buf_puts(&text, "found");
    return give(run, buf_text(&text), err);
}

static int open_file(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;
    AUTO_CLOSE int fd = open(p->text, O_RDONLY | O_CLOEXEC);

    return fd < 0 ? err_sys(err, "open") : give(run, "opened", err);
}

/* The program then says by its exit status whether it is root. */
static int run_program(struct tool_run *run, const void *params, struct err *err)
{
    const struct rogue_params *p = params;

    (void) run;
    execl(p->text, "rogue", "whoami", NULL);
    return err_sys(err, "run");
}

/* Fills its scratch file with `number` bytes, and waits. */
static int spill(struct tool_run *run, const void *params, struct err *err)
{
    static const char megabyte[1 << 20] = { 1 };
    const struct rogue_params *p = params;
    AUTO_CLOSE int fd = open(tool_part(run), O_WRONLY | O_CLOEXEC);

    for (int64_t n = 0; n < p->number; n += (int64_t) sizeof megabyte)
        if (fdio_write(fd, megabyte, sizeof megabyte, err) < 0)
            return -1;
    for (;;)
        pause();
}

static const struct tool tools[] = {
    TOOL(echo, "echo"),
    TOOL(say, "say"),
    TOOL(parts, "parts"),
    TOOL(sleeper, "sleep"),
    TOOL(spin, "spin"),
    TOOL(fail, "fail"),
    TOOL(die, "die"),
    TOOL(hog, "hog"),
    TOOL(grow, "grow"),
    TOOL(large, "large"),
    TOOL(forge, "forge"),
    TOOL(lie, "lie"),
    TOOL(descriptors, "descriptors"),
    TOOL(search, "search"),
    TOOL(pids, "pids"),
    TOOL(open_file, "open"),
    TOOL(run_program, "run"),
    TOOL(attached, "attached"),
    TOOL(spill, "spill"),
    TOOL(forker, "fork", .processes = true),
};

static const struct {
    const char *name;
    unsigned layers;
} variants[] = {
    { "only-nothing", 0 },
    { "only-user", SANDBOX_USER },
    { "only-capabilities", SANDBOX_CAPABILITIES },
    { "only-no_new_privs", SANDBOX_NO_NEW_PRIVS },
    { "only-ordinary", SANDBOX_USER | SANDBOX_CAPABILITIES | SANDBOX_NO_NEW_PRIVS },
    { "only-rlimits",
      SANDBOX_USER | SANDBOX_CAPABILITIES | SANDBOX_NO_NEW_PRIVS | SANDBOX_RLIMITS },
    { "only-landlock",
      SANDBOX_USER | SANDBOX_CAPABILITIES | SANDBOX_NO_NEW_PRIVS | SANDBOX_LANDLOCK },
    { "only-seccomp",
      SANDBOX_USER | SANDBOX_CAPABILITIES | SANDBOX_NO_NEW_PRIVS | SANDBOX_SECCOMP },
};

/* Its trial never ends by itself. */
static const struct zygote_trial trial = {
    .tool = "sleep", .name = "in.pdf", .data = "%PDF-", .n = 5
};
static const int calls[] = { SYS_wait4 };
static struct zygote_setup setup = { .trials = &trial,
                                     .warm_late = true,
                                     .needs = { .calls = calls, .n_calls = COUNT(calls) } };

int main(int argc, char **argv)
{
    const struct tool *list[COUNT(tools) + 5] = { &rogue_escape, &rogue_escape_threads,
                                                  &rogue_escape_fork, &rogue_asker,
                                                  &rogue_presumer };
    const char *slash = strrchr(argv[0], '/');

    /* What a program run by a job's process is for: whom it would run as. */
    if (argc == 2 && strcmp(argv[1], "whoami") == 0)
        return geteuid() == 0 ? 42 : 0;
    for (size_t i = 0; i < COUNT(variants); i++)
        if (slash && strcmp(slash + 1, variants[i].name) == 0)
            sandbox_only(variants[i].layers);
    if (slash && strcmp(slash + 1, "dies") == 0)
        return 1;
    setup.n_trials = slash && strncmp(slash + 1, "tries", 5) == 0;
    if (slash && strcmp(slash + 1, "tries-shortly") == 0)
        setup.trial_ms = 200;
    for (size_t i = 0; i < COUNT(tools); i++)
        list[i + 5] = &tools[i];
    return zygote_main_with("rogue", list, COUNT(list), &setup, argc, argv);
}
