#include "config/config.h"

#include <stdlib.h>
#include <unistd.h>

#include "tap.h"

static struct config config;
static struct err err;

/* Reads a file of these lines; what is wrong with it, or "read". */
static const char *reading(const char *lines)
{
    char path[] = "/tmp/platen-config-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    const char *colon;
    int done;

    fputs(lines, file);
    fclose(file);
    config_init(&config, &err);
    done = config_read(&config, path, &err);
    unlink(path);
    if (done == 0)
        return "read";
    colon = strchr(err.msg, ',');
    return colon ? colon + 2 : err.msg;
}

static const char *setting(const char *name, const char *value)
{
    return config_set(&config, name, value, &err) < 0 ? err.msg : "set";
}

static const char *listening(const char *listen)
{
    static char shown[64];
    char address[40];
    uint16_t port;

    if (config_split_listen(listen, address, sizeof address, &port, &err) < 0)
        return "refused";
    snprintf(shown, sizeof shown, "%s %d", address, port);
    return shown;
}

int main(void)
{
    ok(config_init(&config, &err) == 0, "every default is acceptable");
    is_str(config.listen, "127.0.0.1:8080", "texts have their defaults");
    is_int(config.retention, 24 * 3600 * 1000, "times are milliseconds");
    is_int(config.max_file_size, 2000000000, "sizes are decimal bytes");
    is_str(setting("retention", "90m"), "set", "a setting can be set");
    is_int(config.retention, 90 * 60000, "to a time with a unit");
    is_str(setting("max-file-size", "5M"), "set", "with dashes too");
    is_str(setting("max_file_size", "5 M"),
           "max_file_size must be a number of bytes such as 500k, "
           "20M or 2G",
           "a wrong size is refused");
    is_str(setting("lease", "99999999999999999d"),
           "lease must be a time such as 250ms, 30s, 5m, 24h or 7d", "so is one that overflows");
    is_str(setting("workers", "-1"), "workers must be a whole number", "and a negative number");
    is_str(setting("allow_unsandboxed", "perhaps"), "allow_unsandboxed must be true or false",
           "and half a truth");
    is_str(setting("colour", "red"), "there is no setting colour", "an unknown one is named");

    is_str(reading("# a comment\nworkers = 3\nlisten = [::1]:0\n"), "read", "a file can be read");
    is_int(config.workers, 3, "and counts");
    is_str(reading("workers = 3\ncolour = red\n"), "line 2: there is no setting colour",
           "a mistake is found with its line");
    is_str(reading("nonsense\n"), "line 1: not a setting (name = value)", "so is nonsense");
    is_str(reading("[plan pro]\nrequests_per_month = 7\n[plan team]\nbytes_per_month = 1G\n"),
           "read", "plans are sections");
    is_int(plans_find(&config.plans, "pro")->requests_per_month, 7,
           "a built-in one can be changed");
    is_int(plans_find(&config.plans, "pro")->bytes_per_month, 500000000, "and keeps the rest");
    is_int(plans_find(&config.plans, "team")->bytes_per_month, 1000000000, "others can be added");
    is_str(reading("[nothing]\nx = 1\n"), "line 2: there is no section [nothing]",
           "other sections are refused");
    setenv("PLATEN_WORKERS", "5", 1);
    is_str(reading("workers = 3\n"), "read", "with the environment set");
    is_int(config.workers, 5, "it beats the file");
    ok(config_read(&config, "/nowhere", &err) < 0, "a missing file is an error");

    is_str(listening("127.0.0.1:80"), "127.0.0.1 80", "an address and a port");
    is_str(listening("[::1]:8080"), "::1 8080", "of IPv6 too");
    is_str(listening("8080"), "refused", "a port alone is refused");
    is_str(listening("localhost:99999"), "refused", "so is a port beyond 65535");
    return done_testing();
}
