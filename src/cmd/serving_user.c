/* serving_user: the user that the server runs as. */
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/system/log.h"
#include "base/system/process.h"
#include "cmd/serving.h"
#include "sandbox/process/starter.h"

#define BIT(capability) (1ULL << (capability))
/* It ends jobs, which have another user, and may listen at a low port. */
#define ALWAYS (BIT(CAP_KILL) | BIT(CAP_NET_BIND_SERVICE))
/* A root that owns its data folder has its files and no more. */
#define AS_ROOT                                                                                    \
    (ALWAYS | BIT(CAP_DAC_OVERRIDE) | BIT(CAP_DAC_READ_SEARCH) | BIT(CAP_CHOWN) | BIT(CAP_FOWNER))
#define SERVICE_USER "platen"

struct user {
    uid_t uid;
    gid_t gid;
    char name[64]; /* "" if it has none */
};

/* The folder that is there, or the nearest one above it. */
static bool nearest_folder(const char *path, char *out, size_t cap)
{
    char *slash;
    struct stat st;

    if ((size_t) snprintf(out, cap, "%s", path) >= cap)
        return false;
    while (stat(out, &st) < 0) {
        slash = strrchr(out, '/');
        if (errno != ENOENT || (slash && slash == out))
            return false;
        if (slash)
            *slash = '\0';
        else
            snprintf(out, cap, ".");
    }
    return true;
}

/* access(2) asks as the real user, whose rights these then are. */
static bool may_search(const struct user *user, const char *folder)
{
    uid_t uid = getuid();
    gid_t gid = getgid();
    bool may = false;

    if (setresgid(user->gid, (gid_t) -1, (gid_t) -1) == 0 &&
        setresuid(user->uid, (uid_t) -1, (uid_t) -1) == 0)
        may = access(folder, R_OK | X_OK) == 0;
    if (setresuid(uid, (uid_t) -1, (uid_t) -1) < 0 || setresgid(gid, (gid_t) -1, (gid_t) -1) < 0)
        abort(); /* root may always become root again */
    return may;
}

/* The user to become; NULL with *why if there is none. */
static const struct user *find_user(const struct config *config, struct user *user,
                                    const char **why)
{
    char folder[4096];
    struct stat st;
    bool there = stat(config->data, &st) == 0;
    const struct passwd *known;

    *why = "the data folder belongs to root";
    if (there && st.st_uid == 0)
        return NULL;
    *why = "there is no data folder whose owner it could become, and no user " SERVICE_USER;
    known = there ? getpwuid(st.st_uid) : getpwnam(SERVICE_USER);
    if (!there && !known)
        return NULL;
    user->uid = there ? st.st_uid : known->pw_uid;
    user->gid = there ? st.st_gid : known->pw_gid;
    snprintf(user->name, sizeof user->name, "%s", known ? known->pw_name : "");
    *why = "the user that it would become cannot reach the data folder";
    return nearest_folder(config->data, folder, sizeof folder) && may_search(user, folder) ? user
                                                                                           : NULL;
}

/* Files that a server wrote as root into another user's folder could not be opened any more. */
static int check_files(const struct config *config, const struct user *user, struct err *err)
{
    static const char *const names[] = { "platen.db", "url.key", "lock", "blobs" };
    char path[4096];
    struct stat st;

    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", config->data, names[i]);
        if (stat(path, &st) == 0 && st.st_uid == 0)
            return err_set(err, ERR_INVALID_REQUEST,
                           "%.100s belongs to root, and its folder to user %u, which the server "
                           "becomes: chown -R %u %.100s",
                           path, user->uid, user->uid, config->data);
    }
    return 0;
}

static int become(const struct config *config, const struct user *user, struct err *err)
{
    if (mkdir(config->data, 0700) == 0 && chown(config->data, user->uid, user->gid) < 0)
        return err_sys(err, "give %s to its user", config->data);
    if (check_files(config, user, err) < 0)
        return -1;
    if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0 ||
        (*user->name ? initgroups(user->name, user->gid) : setgroups(0, NULL)) < 0 ||
        setresgid(user->gid, user->gid, user->gid) < 0 ||
        setresuid(user->uid, user->uid, user->uid) < 0)
        return err_sys(err, "become user %u", user->uid);
    if (process_keep_capabilities(ALWAYS, err) < 0)
        return -1;
    process_close_to_others(); /* another user made it open again */
    log_info("server.user", KV("uid", (int64_t) user->uid), KV("gid", (int64_t) user->gid),
             KV("user", user->name));
    return 0;
}

int serving_leave_root(const struct config *config, struct err *err)
{
    struct user user = { 0 };
    const char *why;

    if (geteuid() != 0)
        return 0;
    if (starter_begin(config->programs, err) < 0)
        return -1;
    if (find_user(config, &user, &why))
        return become(config, &user, err);
    log_warn("server.root", KV("why", why),
             KV("instead", "it stays root with few capabilities: give the data folder to a user of "
                           "its own (chown -R), which the server then becomes"));
    return process_keep_capabilities(AS_ROOT, err);
}
