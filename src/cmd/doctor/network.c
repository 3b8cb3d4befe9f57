#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/scope.h"
#include "cmd/doctor/doctor.h"
#include "server/config/validate.h"
#include "server/http/fetch.h"
#include "server/http/tls.h"

#define PATIENCE_MS 3000
#define SOON        (21LL * 86400)

/* Tries to listen on the address. Returns 0, or errno. */
static int try_bind(const char *address, uint16_t port)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(port) };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
    bool is_v4 = inet_pton(AF_INET, address, &v4.sin_addr) == 1;
    AUTO_CLOSE int fd = -1;
    int yes = 1;

    if (!is_v4 && inet_pton(AF_INET6, address, &v6.sin6_addr) != 1)
        return EINVAL;
    fd = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if ((is_v4 ? bind(fd, (struct sockaddr *) &v4, sizeof v4)
               : bind(fd, (struct sockaddr *) &v6, sizeof v6)) < 0)
        return errno;
    return 0;
}

/* Whether the program that uses the address is a platen. */
static bool is_platen(const struct config *config, const char *address, uint16_t port)
{
    const struct fetch fetch = { .address = address,
                                 .port = port,
                                 .tls = *config->tls_certificate != '\0',
                                 .path = "/healthz",
                                 .token = "",
                                 .timeout_ms = PATIENCE_MS };
    AUTO_BUF struct buf body = BUF_EMPTY;
    struct err err;

    return fetch_get(&fetch, &body, &err) == 200 && strstr(buf_text(&body), "\"ok\"");
}

static void check_address(struct report *report, const struct config *config)
{
    char address[128];
    struct err err;
    uint16_t port;
    int busy;

    if (config_split_listen(config->listen, address, sizeof address, &port, &err) < 0)
        return; /* doctor_settings reports that */
    busy = try_bind(address, port);
    if (busy == 0) {
        report_line(report, FINDING_OK, "listen", "%s is free", config->listen);
    } else if (busy == EADDRINUSE && is_platen(config, address, port)) {
        if (doctor_server_runs(config)) {
            report_line(report, FINDING_OK, "listen", "a platen answers at %s", config->listen);
            return;
        }
        report_line(report, FINDING_WARN, "listen",
                    "a platen answers at %s, and it is not one of this data folder",
                    config->listen);
        report_fix(report, "stop that server, or set listen to another port");
    } else if (busy == EADDRINUSE) {
        report_line(report, FINDING_FAIL, "listen", "another program has %s", config->listen);
        report_fix(report, "find it with: ss -ltnp; or set listen to another port");
    } else {
        report_line(report, FINDING_FAIL, "listen", "%s: %s", config->listen, strerror(busy));
        report_fix(report, busy == EACCES
                               ? "ports below 1024 need AmbientCapabilities=CAP_NET_BIND_SERVICE "
                                 "in the unit, or a proxy"
                               : "name an address of this machine: ip address");
    }
}

static void check_tls(struct report *report, const struct config *config)
{
    int64_t expires = 0, left;
    char when[CLOCK_TEXT];
    struct stat st;
    struct err err;

    if (!*config->tls_certificate || !*config->tls_key)
        return;
    if (tls_examine(config->tls_certificate, config->tls_key, &expires, &err) < 0) {
        report_line(report, FINDING_FAIL, "TLS", "%s", err.msg);
        report_fix(report, "name a PEM certificate and its PEM key, readable by the server's user");
        return;
    }
    left = expires - clock_wall_ms() / 1000;
    clock_format(expires * 1000, when);
    report_line(report,
                left < 0      ? FINDING_FAIL
                : left < SOON ? FINDING_WARN
                              : FINDING_OK,
                "TLS", "the certificate %s %s", left < 0 ? "ended" : "is good until", when);
    if (left < SOON)
        report_fix(report, "renew it; SIGHUP has the server read it again");
    if (stat(config->tls_key, &st) == 0 && st.st_mode & 0004) {
        report_line(report, FINDING_FAIL, "TLS", "everybody may read the key %s", config->tls_key);
        report_fix(report, "chmod 640 %s", config->tls_key);
    }
}

void doctor_network(struct report *report, const struct config *config)
{
    check_address(report, config);
    if (*config->base_url)
        report_line(report, FINDING_OK, "base_url", "%s", config->base_url);
    else
        report_line(report, FINDING_OK, "base_url",
                    "not set: addresses of results are made from each request%s",
                    config->trusted_proxies.n ? "; the proxies must pass on host and scheme" : "");
    check_tls(report, config);
}

struct telling {
    struct report *report;
    int n;
};

static void print_finding(void *arg, const struct validate_finding *finding)
{
    struct telling *telling = arg;

    report_line(telling->report, finding->fatal ? FINDING_FAIL : FINDING_WARN, "settings", "%s",
                finding->text);
    telling->n++;
}

static void report_stray(void *arg, int line, const struct err *fault)
{
    struct telling *telling = arg;

    (void) line;
    report_line(telling->report, FINDING_WARN, "settings", "%s", fault->msg);
    telling->n++;
}

void doctor_settings(struct report *report, const struct config *config)
{
    struct telling telling = { report, 0 };

    validate_config(config, print_finding, &telling);
    config_strays(report_stray, &telling);
    if (telling.n == 0)
        report_line(report, FINDING_OK, "settings", "%s%s",
                    *config->file ? config->file : "no file, only defaults, environment and words",
                    *config->file ? " has no faults" : "");
}
