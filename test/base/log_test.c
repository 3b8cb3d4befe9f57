#include "base/system/log.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "tap.h"

static char text[8192];
static int fd;

/* What was written since the last call. */
static const char *written(void)
{
    ssize_t n = pread(fd, text, sizeof text - 1, 0);

    text[n > 0 ? n : 0] = '\0';
    if (ftruncate(fd, 0) < 0)
        return "(truncate failed)";
    lseek(fd, 0, SEEK_SET);
    return text;
}

/* Where standard error is the journal, it takes priorities from the lines. */
static void check_prefix(void)
{
    enum log_format format = LOG_JSON;
    char stream[64];
    struct stat st;

    unsetenv("JOURNAL_STREAM");
    ok(log_format_find("auto", &format) && format == LOG_KEY_VALUE, "auto is text on a terminal");
    setenv("JOURNAL_STREAM", "1:2", 1);
    log_format_find("auto", &format);
    is_int(format, LOG_KEY_VALUE, "auto is key=value if JOURNAL_STREAM names another stream");
    fstat(STDERR_FILENO, &st);
    snprintf(stream, sizeof stream, "%ju:%ju", (uintmax_t) st.st_dev, (uintmax_t) st.st_ino);
    setenv("JOURNAL_STREAM", stream, 1);
    log_format_find("auto", &format);
    is_int(format, LOG_PREFIXED, "auto is prefixed if JOURNAL_STREAM names standard error");
    log_setup(LOG_INFO, format);
    log_error("x", KV("a", 1));
    is_str(written(), "<3>event=x a=1\n",
           "a prefixed line begins with syslog's priority and has no time");
    ok(!log_format_find("xml", &format), "an unknown format is refused");
}

static void check_journald(void)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int sock = socket(AF_UNIX, SOCK_DGRAM, 0);
    char entry[2000] = "", folder[] = "/tmp/platen-log-XXXXXX";
    ssize_t n;

    if (!mkdtemp(folder))
        return;
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
    log_setup(LOG_INFO, LOG_JOURNALD);
    log_journal_at(address.sun_path);
    log_warn("job.lost", KV("job", "id-1"));
    is_str(written(), "<4>event=job.lost job=id-1\n",
           "without a journal's socket lines go to standard error");
    if (bind(sock, (struct sockaddr *) &address, sizeof address) < 0)
        return;
    log_warn("job.lost", KV("job", "id-1"), KV("why", "two\nMESSAGE=forged"), KV("ms", 12));
    n = recv(sock, entry, sizeof entry - 1, 0);
    ok(n > 0, "with a journal's socket entries are sent to it");
    is_str(entry,
           "PRIORITY=4\nSYSLOG_IDENTIFIER=platen\n"
           "MESSAGE=event=job.lost job=id-1 why=\"two\\u000aMESSAGE=forged\" ms=12\n"
           "PLATEN_EVENT=job.lost\nPLATEN_JOB=id-1\nPLATEN_WHY=two MESSAGE=forged\nPLATEN_MS=12\n",
           "a journal entry has native fields, and values cannot forge fields");
    is_str(written(), "", "an event sent to the journal is not written to standard error");
    close(sock);
    log_info("x", KV("a", 1));
    is_str(written(), "<6>event=x a=1\n", "after the journal ended lines go to standard error");
    unlink(address.sun_path);
    rmdir(folder);
}

int main(void)
{
    char longer[4000];

    fd = memfd_create("log", 0);
    dup2(fd, STDERR_FILENO);
    clock_hold(1795244519123);
    log_info("job.done", KV("job", "id-1"), KV("ms", 12));
    is_str(written(), "time=2026-11-21T07:01:59.123Z level=info event=job.done job=id-1 ms=12\n",
           "an event is one line of key=value");
    log_info("x", KV("why", "two words\n\"forged\" level=error"));
    is_str(written(),
           "time=2026-11-21T07:01:59.123Z level=info event=x "
           "why=\"two words\\u000a\\\"forged\\\" level=error\"\n",
           "a value with blanks, quotes or line breaks is escaped");
    log_debug("quiet", KV("a", 1));
    is_str(written(), "", "an event below the level is not written");
    memset(longer, 'x', sizeof longer);
    longer[3999] = '\0';
    log_info("x", KV("long", longer));
    ok(strlen(written()) <= 2048 && text[strlen(text) - 1] == '\n',
       "a long line is cut at 2048 bytes");
    log_setup(LOG_DEBUG, LOG_JSON);
    log_warn("x", KV("a", "\\"), KV("b", (int64_t) -1));
    is_str(written(),
           "{\"time\":\"2026-11-21T07:01:59.123Z\",\"level\":\"warn\",\"event\":\"x\","
           "\"a\":\"\\\\\",\"b\":-1}\n",
           "an event is one line of JSON in the format LOG_JSON");
    check_prefix();
    check_journald();
    return done_testing();
}
