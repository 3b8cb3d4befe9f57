#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/scope.h"
#include "cmd/doctor/doctor.h"
#include "data/store/store.h"
#include "data/store_postgres/store_postgres_open.h"
#include "data/store_sqlite/store_sqlite_open.h"

#define SYNCS        20
#define SLOW_US      20000
#define CLOCK_FAR_MS 60000 /* that a clock may differ by without a word */
#define PATH_ROOM    4096
#define SQLITE_ROOM  1e6 /* bytes */

static void check_space(struct report *report, const struct config *config, int folder)
{
    struct statvfs st;
    double left, size;

    if (fstatvfs(folder, &st) < 0)
        return;
    left = (double) st.f_bavail * (double) st.f_frsize;
    size = (double) st.f_blocks * (double) st.f_frsize;
    if (left < (double) config->min_free_space) {
        report_line(report, FINDING_FAIL, "disk space",
                    "%.1f GB free, less than min_free_space: uploads are refused", left / 1e9);
        report_fix(report, "free some, or set retention or min_free_space lower");
    } else if (left < 5e9 || left < size / 20) {
        report_line(report, FINDING_WARN, "disk space", "%.1f of %.1f GB free", left / 1e9,
                    size / 1e9);
        report_fix(report, "one upload may have max_request_size, %.1f GB",
                   (double) config->max_request_size / 1e9);
    } else {
        report_line(report, FINDING_OK, "disk space", "%.1f of %.1f GB free", left / 1e9,
                    size / 1e9);
    }
    if (st.f_files && st.f_favail < 10000) {
        report_line(report, FINDING_WARN, "inodes", "only %llu are left",
                    (unsigned long long) st.f_favail);
        report_fix(report, "each job has 2 to 5 files");
    }
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

    return (x > y) - (x < y);
}

/* Measures a small durable write, which every 202 waits for, in a file without a name. */
static void check_speed(struct report *report, int folder)
{
    AUTO_CLOSE int fd = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    int64_t times[SYNCS], median;
    char block[4096] = "";

    if (fd < 0) {
        report_line(report, FINDING_FAIL, "disk", "the data folder cannot be written to: %s",
                    strerror(errno));
        report_fix(report, "chown it to the user platen runs as, or put it on a file system with "
                           "O_TMPFILE (ext4, xfs, btrfs)");
        return;
    }
    for (int i = 0; i < SYNCS; i++) {
        int64_t began = clock_mono_us();

        if (pwrite(fd, block, sizeof block, (off_t) i * (off_t) sizeof block) < 0 ||
            fdatasync(fd) < 0) {
            report_line(report, FINDING_FAIL, "disk", "a write failed: %s", strerror(errno));
            return;
        }
        times[i] = clock_mono_us() - began;
    }
    qsort(times, SYNCS, sizeof times[0], compare);
    median = times[SYNCS / 2];
    report_line(report, median > SLOW_US ? FINDING_WARN : FINDING_OK, "disk speed",
                "a durable write takes %.2f ms (median of %d), %.2f ms at worst",
                (double) median / 1e3, SYNCS, (double) times[SYNCS - 1] / 1e3);
    if (median > SLOW_US)
        report_fix(report, "every accepted upload waits for two of them: use a local SSD, not a "
                           "network folder");
}

/* Checks whether others may read entries of the folder. */
static void check_entries(struct report *report, const struct config *config)
{
    DIR *folder = opendir(config->data);
    struct dirent *entry;
    int open_ones = 0;
    char first[256] = "";

    while (folder && (entry = readdir(folder)) != NULL) {
        struct stat st;

        if (entry->d_name[0] == '.' || fstatat(dirfd(folder), entry->d_name, &st, 0) < 0 ||
            !(st.st_mode & 0077))
            continue;
        if (open_ones++ == 0)
            snprintf(first, sizeof first, "%s", entry->d_name);
    }
    if (folder)
        closedir(folder);
    if (open_ones == 0)
        return;
    report_line(report, FINDING_WARN, "permissions", "%s%s may be read by other users", first,
                open_ones > 1 ? " and others" : "");
    report_fix(report, "chmod -R go= %s", config->data);
}

static void check_permissions(struct report *report, const struct config *config, int folder)
{
    struct stat st;

    if (fstat(folder, &st) < 0)
        return;
    if (st.st_mode & 0077) {
        report_line(report, FINDING_FAIL, "data folder", "%s is open to other users (mode %o)",
                    config->data, st.st_mode & 07777);
        report_fix(report, "chmod 700 %s", config->data);
    } else if (st.st_uid != geteuid() && geteuid() != 0) {
        report_line(report, FINDING_FAIL, "data folder", "%s belongs to user %u, this is user %u",
                    config->data, st.st_uid, geteuid());
        report_fix(report,
                   "run doctor as the user the server runs as: sudo -u platen platen doctor");
    } else {
        report_line(report, FINDING_OK, "data folder", "%s, only its owner's", config->data);
    }
    check_entries(report, config);
}

/* SQLite needs some space besides the database even for reading. */
static bool is_full(const char *folder)
{
    struct statvfs st;

    return statvfs(folder, &st) == 0 && (double) st.f_bavail * (double) st.f_frsize < SQLITE_ROOM;
}

static void check_postgres(struct report *report, const char *url)
{
    int64_t ahead_ms;
    int version = 0;
    struct err err;

    if (store_postgres_examine(url, &version, &ahead_ms, &err) < 0) {
        report_line(report, FINDING_FAIL, "database", "%s", err.msg);
        if (err.code == ERR_INVALID_REQUEST)
            report_fix(report, "run the platen that made it, or a newer one, on this machine too");
        else if (err.code == ERR_INVALID_PARAMETER)
            report_fix(report, "write `store` as postgresql://user@host:5432/database");
        else
            report_fix(report,
                       "check `store`, that PostgreSQL runs there, and the password in the file "
                       "that PGPASSFILE names; psql with the same address shows more");
    } else if (version == 0) {
        report_line(report, FINDING_OK, "database",
                    "PostgreSQL answers; the server makes its tables");
    } else {
        report_line(report, FINDING_OK, "database", "PostgreSQL, of version %d", version);
    }
    if (llabs(ahead_ms) < CLOCK_FAR_MS)
        return;
    report_line(report, FINDING_WARN, "clock of database", "%lld s %s that of this machine",
                llabs(ahead_ms) / 1000, ahead_ms > 0 ? "ahead of" : "late by");
    report_fix(report, "set the clock of the machine that is wrong: run a time service, as chrony; "
                       "until then servers follow the database's clock");
}

static void check_database(struct report *report, const struct config *config)
{
    char path[PATH_ROOM];
    int version = 0;
    struct err err;

    if (*config->store) {
        check_postgres(report, config->store);
        return;
    }
    snprintf(path, sizeof path, "%s/platen.db", config->data);
    if (access(path, F_OK) < 0) {
        report_line(report, FINDING_OK, "database", "not made yet; the server makes it");
    } else if (store_sqlite_examine(path, &version, &err) == 0) {
        report_line(report, FINDING_OK, "database", "sound, of version %d", version);
    } else if (is_full(config->data)) {
        report_line(report, FINDING_FAIL, "database",
                    "cannot be looked at, as the disk is full: %s", err.msg);
        report_fix(report, "free some space and run doctor again: a full disk does not damage the "
                           "database");
    } else if (err.code == ERR_INVALID_REQUEST) {
        report_line(report, FINDING_FAIL, "database", "%s", err.msg);
    } else {
        report_line(report, FINDING_FAIL, "database", "%s", err.msg);
        report_fix(report,
                   "stop the server, keep a copy of %s, restore the last backup; sqlite3's "
                   ".recover may save rows",
                   path);
    }
}

bool doctor_server_runs(const struct config *config)
{
    char path[PATH_ROOM];

    snprintf(path, sizeof path, "%s/lock", config->data);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

static void check_lock(struct report *report, const struct config *config)
{
    report_line(report, FINDING_OK, "server", "%s",
                doctor_server_runs(config) ? "one runs on this data folder"
                                           : "none runs on this data folder");
}

/* The server creates its data folder, but not the folders above it. */
static void check_parent(struct report *report, const struct config *config)
{
    char parent[PATH_ROOM];
    size_t n = strlen(config->data);
    char *slash;

    while (n > 1 && config->data[n - 1] == '/')
        n--;
    snprintf(parent, sizeof parent, "%.*s", (int) n, config->data);
    slash = strrchr(parent, '/');
    if (slash)
        slash[slash == parent] = '\0';
    else
        snprintf(parent, sizeof parent, ".");
    if (faccessat(AT_FDCWD, parent, W_OK | X_OK, AT_EACCESS) == 0) {
        report_line(report, FINDING_WARN, "data folder", "%s is not there", config->data);
        report_fix(report, "the server makes it; if it should be there, name the right one with "
                           "data in the settings");
        return;
    }
    report_line(report, FINDING_FAIL, "data folder",
                "%s is not there, and cannot be made in %s: %s", config->data, parent,
                strerror(errno));
    report_fix(report,
               "make it as root and give it to the user that platen runs as: install -d -m "
               "700 -o USER %s",
               config->data);
}

void doctor_storage(struct report *report, const struct config *config)
{
    AUTO_CLOSE int folder = open(config->data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (folder < 0 && errno == ENOENT) {
        check_parent(report, config);
        if (*config->store)
            check_postgres(report, config->store);
        return;
    }
    if (folder < 0) {
        report_line(report, FINDING_FAIL, "data folder", "%s: %s", config->data, strerror(errno));
        report_fix(report, "make it a folder of the user that platen runs as, or name another with "
                           "data in the settings");
        return;
    }
    check_permissions(report, config, folder);
    check_space(report, config, folder);
    check_speed(report, folder);
    check_database(report, config);
    check_lock(report, config);
}
