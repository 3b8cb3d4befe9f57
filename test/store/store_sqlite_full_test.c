/* The store in a file on a disk that is full: a small file system of our own, if we may have one.
 */
#include <sched.h>
#include <sys/mount.h>

#include "base/scope.h"
#include "data/store_sqlite/store_sqlite_open.h"
#include "store_contract.h"
#include "store_sqlite_temp.h"
#include "tap.h"

#define DISK "size=1200k"

static bool write_text(const char *path, const char *text)
{
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);

    return fd >= 0 && write(fd, text, strlen(text)) > 0;
}

/* A user namespace in which we are root. */
static bool become_root(void)
{
    char uid[32], gid[32];

    snprintf(uid, sizeof uid, "0 %u 1", getuid());
    snprintf(gid, sizeof gid, "0 %u 1", getgid());
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && write_text("/proc/self/uid_map", uid) &&
           write_text("/proc/self/setgroups", "deny") && write_text("/proc/self/gid_map", gid);
}

/* In a mount namespace that goes with this process. Before the first thread. */
static bool mount_disk(void)
{
    if (unshare(CLONE_NEWNS) < 0 && !become_root())
        return false;
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", temp_folder, "tmpfs", MS_NOSUID | MS_NODEV, DISK) == 0;
}

/* A file that leaves no byte free. */
static void fill_disk(void)
{
    static const char block[4096];
    int fd = open(temp_path("ballast"), O_WRONLY | O_CREAT | O_TRUNC, 0600);

    while (write(fd, block, sizeof block) > 0)
        ;
    close(fd);
}

int main(void)
{
    struct store_terms terms = contract_terms();
    char id[ID_TEXT], kept[ID_TEXT];
    struct store *store;
    struct job job;
    struct err err;
    int code, accepted = 0;

    temp_open();
    if (!mount_disk()) {
        rmdir(temp_folder);
        printf("1..0 # SKIP may not mount a file system\n");
        return 0;
    }
    store = store_sqlite_open(temp_path("full.db"), &err);
    if (!ok(store != NULL, "there is room for an empty store")) {
        printf("# %s\n", err.msg);
        return done_testing();
    }
    int64_t account = contract_account(store);
    contract_put(store, account, kept);
    fill_disk();
    /* The log has some room in what it has taken already. */
    do {
        job = contract_job(account);
        job.run_at = NOW + 1; /* after the one that is kept */
        code = contract_refusal(store, &job, &terms, &err);
        accepted += code < 0;
    } while (code < 0 && accepted < 100000);
    is_int(code, ERR_STORAGE_FULL,
           "a full disk is reported as ERR_STORAGE_FULL (after %d jobs: %s)", accepted, err.msg);
    is_int(contract_state(store, job.id), -1, "a job that was refused is not in the store");
    is_int(contract_state(store, kept), JOB_PENDING,
           "a job before the refused one is in the store");
    is_int(contract_usage(store, account, MONTH).requests, accepted + 1,
           "the accepted jobs are counted");
    unlink(temp_path("ballast"));
    is_int(contract_refusal(store, &job, &terms, &err), -1,
           "a job is accepted when there is room again");
    is_int(contract_claim(store, id), 1, "a job is claimed when there is room again");
    is_str(id, kept, "the claimed job is the first one");
    store_close(store);
    store = store_sqlite_open(temp_path("full.db"), &err);
    is_int(contract_usage(store, account, MONTH).requests, accepted + 2,
           "all accepted jobs are counted after reopening");
    store_close(store);
    umount(temp_folder);
    rmdir(temp_folder);
    return done_testing();
}
