#include "cmd/source.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "cmd/place.h"

#define INTERRUPT 3 /* Ctrl-C, as a terminal sends it */
#define CHUNK     ((size_t) 1 << 16)

static int copy_to_end(int from, int to, const char *path, struct err *err)
{
    AUTO_FREE char *chunk = malloc(CHUNK);
    ssize_t n;

    if (!chunk)
        return err_sys(err, "input");
    while ((n = read(from, chunk, CHUNK)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(err, ERR_INVALID_REQUEST, "%.150s: %s", path, strerrordesc_np(errno));
        if (fdio_write(to, chunk, (size_t) n, err) < 0)
            return -1;
    }
    return 0;
}

static int spool(int from, const char *path, struct err *err)
{
    const struct place temporary = { .kind = PLACE_STREAM };
    AUTO_CLOSE int to = place_stage(&temporary, err);

    if (to < 0 || copy_to_end(from, to, path, err) < 0)
        return -1;
    if (lseek(to, 0, SEEK_SET) < 0)
        return err_sys(err, "input");
    return scope_take_fd(&to);
}

int source_open(const char *path, int64_t *bytes, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *shown = standard ? "standard input" : path;
    AUTO_CLOSE int fd =
        standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_set(err, ERR_INVALID_REQUEST, "%.150s: %s", shown, strerrordesc_np(errno));
    if (S_ISDIR(st.st_mode))
        return err_set(err, ERR_INVALID_REQUEST, "%.150s is a folder: give its files", shown);
    if (isatty(fd))
        return err_set(err, ERR_INVALID_REQUEST, "%.150s is a terminal, which has no document",
                       shown);
    if (standard || !S_ISREG(st.st_mode) || (geteuid() == 0 && !(st.st_mode & S_IROTH))) {
        int copy = spool(fd, shown, err);

        if (copy < 0)
            return -1;
        close(scope_take_fd(&fd));
        fd = copy;
        if (fstat(fd, &st) < 0)
            return err_sys(err, "input");
    }
    *bytes = (int64_t) st.st_size;
    return scope_take_fd(&fd);
}

/* One byte at a time: what follows the line may be a document (source_open of "-"). Ctrl-C ends a
 * line of a terminal, and is kept. */
static ssize_t read_line(int fd, bool terminal, char *line, size_t cap)
{
    size_t n = 0;
    char c;

    while (n + 1 < cap) {
        ssize_t got = read(fd, &c, 1);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 && n == 0)
            return -1;
        if (got <= 0 || c == '\n')
            break;
        line[n++] = c;
        if (terminal && c == INTERRUPT)
            break;
    }
    while (n > 0 && line[n - 1] == '\r')
        n--;
    line[n] = '\0';
    return (ssize_t) n;
}

int source_secret(const char *name, char *line, size_t cap, struct err *err)
{
    struct termios shown, hidden;
    sigset_t interrupts, before;
    ssize_t n;

    if (tcgetattr(STDIN_FILENO, &shown) < 0) {
        n = read_line(STDIN_FILENO, false, line, cap);
    } else {
        /* An interrupt waits until the terminal shows again what is typed. */
        sigemptyset(&interrupts);
        sigaddset(&interrupts, SIGINT);
        sigaddset(&interrupts, SIGTERM);
        sigaddset(&interrupts, SIGTSTP);
        sigprocmask(SIG_BLOCK, &interrupts, &before);
        hidden = shown;
        hidden.c_lflag &= ~(tcflag_t) (ECHO | ECHOE | ECHOK | ECHONL);
        hidden.c_lflag |= ICANON;
        hidden.c_cc[VEOL] = INTERRUPT; /* Ctrl-C ends the line too */
        hidden.c_lflag &= ~(tcflag_t) ISIG;
        /* Hidden before it is asked for: what is typed after the prompt is not shown nor lost. */
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
        fprintf(stderr, "%s: ", name);
        n = read_line(STDIN_FILENO, true, line, cap);
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
        fputc('\n', stderr);
        sigprocmask(SIG_SETMASK, &before, NULL);
        if (n > 0 && line[n - 1] == INTERRUPT)
            raise(SIGINT);
    }
    return n < 0 ? err_set(err, ERR_MISSING_FIELD, "%s: standard input has no line for it", name)
                 : 0;
}
