/* data: the data folder and its database, for the commands of the server. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"
#include "cmd/cmd.h"
#include "data/store/store.h"
#include "data/store_postgres/store_postgres_open.h"
#include "data/store_sqlite/store_sqlite_open.h"

int cmd_act_as_owner(const struct config *config, struct err *err)
{
    struct stat st;

    if (geteuid() != 0 || stat(config->data, &st) < 0 || st.st_uid == 0)
        return 0;
    if (setgroups(0, NULL) < 0 || setresgid(st.st_gid, st.st_gid, st.st_gid) < 0 ||
        setresuid(st.st_uid, st.st_uid, st.st_uid) < 0)
        return err_sys(err, "act as the owner of %s", config->data);
    return 0;
}

int cmd_data_path(const struct config *config, const char *name, char *out, size_t cap,
                  struct err *err)
{
    if (mkdir(config->data, 0700) < 0 && errno != EEXIST)
        return err_sys(err, "make the data folder %s", config->data);
    if ((size_t) snprintf(out, cap, "%s/%s", config->data, name) >= cap)
        return err_set(err, ERR_INTERNAL, "the path of the data folder is too long");
    return 0;
}

int cmd_lock_data(const struct config *config, struct err *err)
{
    char path[4096];
    AUTO_CLOSE int fd = -1;

    if (cmd_data_path(config, "lock", path, sizeof path, err) < 0)
        return -1;
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_sys(err, "open %s", path);
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return scope_take_fd(&fd);
    return errno == EWOULDBLOCK ? err_set(err, ERR_INVALID_REQUEST,
                                          "a server runs on %s: stop it first", config->data)
                                : err_sys(err, "lock %s", path);
}

void cmd_data_shown(const struct config *config, char out[static 4096])
{
    _Static_assert(PATH_MAX <= 4096, "realpath(3) needs as much");

    if (!realpath(config->data, out))
        snprintf(out, 4096, "%s", config->data);
}

struct store *cmd_open_store(const struct config *config, bool make, struct err *err)
{
    char path[4096];

    if (cmd_act_as_owner(config, err) < 0)
        return NULL;
    if (*config->store)
        return store_postgres_open(config->store, err);
    if (make) {
        if (cmd_data_path(config, "platen.db", path, sizeof path, err) < 0)
            return NULL;
    } else if ((size_t) snprintf(path, sizeof path, "%s/platen.db", config->data) >= sizeof path) {
        err_set(err, ERR_INTERNAL, "the path of the data folder is too long");
        return NULL;
    } else if (access(path, F_OK) < 0 && errno == ENOENT) {
        err_set(err, ERR_INTERNAL,
                "there is no database in %.120s: name the server's folder by --data or --config",
                config->data);
        return NULL;
    }
    return store_sqlite_open(path, err);
}
