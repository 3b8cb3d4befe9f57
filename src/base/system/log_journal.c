#include "base/system/log_journal.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all variables below */
static char where[sizeof((struct sockaddr_un *) 0)->sun_path] = "/run/systemd/journal/socket";
static int sock = -1;

void log_journal_at(const char *path)
{
    pthread_mutex_lock(&lock);
    snprintf(where, sizeof where, "%s", path ? path : "/run/systemd/journal/socket");
    if (sock >= 0)
        close(sock);
    sock = -1;
    pthread_mutex_unlock(&lock);
}

/* Writes one line NAME=value. A line's end in the value would begin another field. */
static void put_field(struct buf *out, const char *prefix, const struct log_field *field)
{
    buf_puts(out, prefix);
    for (const char *p = field->name; *p; p++)
        buf_printf(out, "%c", isalnum((unsigned char) *p) ? toupper((unsigned char) *p) : '_');
    buf_puts(out, "=");
    if (!field->text)
        buf_printf(out, "%lld", (long long) field->number);
    for (const char *p = field->text; p && *p; p++)
        buf_printf(out, "%c", (unsigned char) *p < ' ' || *p == 0x7f ? ' ' : *p);
    buf_puts(out, "\n");
}

/* The caller holds the lock. */
static bool connected(void)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };

    if (sock >= 0)
        return true;
    sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    memcpy(address.sun_path, where, sizeof where);
    if (sock >= 0 && connect(sock, (struct sockaddr *) &address, sizeof address) == 0)
        return true;
    if (sock >= 0)
        close(sock);
    sock = -1;
    return false;
}

bool log_journal_send(int priority, const char *event, const struct log_field *message,
                      const struct log_field *fields, size_t n)
{
    const struct log_field name = { "EVENT", event, 0 };
    AUTO_BUF struct buf out = BUF_EMPTY;
    bool sent;

    buf_printf(&out, "PRIORITY=%d\nSYSLOG_IDENTIFIER=platen\n", priority);
    put_field(&out, "MESSAGE", message);
    put_field(&out, "PLATEN_", &name);
    for (size_t i = 0; i < n; i++)
        put_field(&out, "PLATEN_", &fields[i]);
    if (out.failed)
        return false;
    pthread_mutex_lock(&lock);
    sent = connected() && send(sock, out.data, out.len, MSG_NOSIGNAL) >= 0;
    if (!sent && sock >= 0) { /* the journal was restarted, or its queue is full */
        close(sock);
        sock = -1;
    }
    pthread_mutex_unlock(&lock);
    return sent;
}
