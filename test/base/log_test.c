#include "base/log.h"

#include <sys/mman.h>
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

int main(void)
{
    char longer[4000];

    fd = memfd_create("log", 0);
    dup2(fd, STDERR_FILENO);
    clock_hold(1795244519123);
    log_info("job.done", KV("job", "id-1"), KV("ms", 12));
    is_str(written(), "time=2026-11-21T07:01:59.123Z level=info event=job.done job=id-1 ms=12\n",
           "one line an event, key=value");
    log_info("x", KV("why", "two words\n\"forged\" level=error"));
    is_str(written(),
           "time=2026-11-21T07:01:59.123Z level=info event=x "
           "why=\"two words\\u000a\\\"forged\\\" level=error\"\n",
           "a value can forge neither a field nor a line");
    log_debug("quiet", KV("a", 1));
    is_str(written(), "", "below the threshold nothing is written");
    memset(longer, 'x', sizeof longer);
    longer[3999] = '\0';
    log_info("x", KV("long", longer));
    ok(strlen(written()) <= 2048 && text[strlen(text) - 1] == '\n', "a long line is cut");
    log_setup(LOG_DEBUG, LOG_JSON);
    log_warn("x", KV("a", "\\"), KV("b", (int64_t) -1));
    is_str(written(),
           "{\"time\":\"2026-11-21T07:01:59.123Z\",\"level\":\"warn\",\"event\":\"x\","
           "\"a\":\"\\\\\",\"b\":-1}\n",
           "JSON on request");
    return done_testing();
}
