/* move: all jobs, keys and files of an installation put into another kind of store. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "cmd/cmd.h"
#include "cmd/command.h"
#include "data/blob/blob.h"
#include "data/s3/blob_s3.h"
#include "data/s3/place.h"
#include "data/store/store.h"
#include "data/store_postgres/store_move.h"
#include "data/store_postgres/store_postgres_open.h"
#include "server/api/signing.h"

#define PATH_BYTES 4096

/* What the words say: where to. NULL: the part stays where it is. */
struct target {
    const char *store, *blobs;
};

struct copying {
    struct blob_store *from, *to;
    int64_t copied, there, bytes;
    struct err err; /* of the first file that could not be copied */
    bool failed;
};

static int check(const struct config *config, const struct target *target, struct err *err)
{
    const bool to_sqlite = target->store && strcmp(target->store, "sqlite") == 0;

    if (!target->store && !target->blobs)
        return err_set(err, ERR_MISSING_FIELD, "no target: add --to-store, --to-blobs, or both");
    if (!target->store)
        return 0;
    if (!to_sqlite && strncmp(target->store, "postgres", 8) != 0)
        return err_set(err, ERR_INVALID_PARAMETER,
                       "--to-store takes postgresql://..., or sqlite, not %.100s", target->store);
    if (to_sqlite == !*config->store)
        return err_set(err, ERR_INVALID_PARAMETER,
                       to_sqlite ? "the store is in SQLite already: name the one to take from by "
                                   "--store postgresql://..."
                                 : "a move between two PostgreSQL servers is one of pg_dump and "
                                   "pg_restore");
    return 0;
}

static struct blob_store *open_blobs(const struct config *config, const char *where,
                                     struct err *err)
{
    const bool far = s3_place_is(where);
    char path[PATH_BYTES];

    if (cmd_data_path(config, far ? "scratch" : "blobs", path, sizeof path, err) < 0)
        return NULL;
    return far ? blob_s3_open(where, path, err) : blob_fs_open(*where ? where : path, err);
}

/* Returns 1 if a blob with these bytes exists, 0 if it does not, or differs, -1 on an error. */
static int is_there(struct blob_store *blobs, const char *job_id, const char *name, int64_t bytes,
                    const char *wanted, struct err *err)
{
    char found[DIGEST_TEXT];
    int64_t n;
    AUTO_CLOSE int fd = blob_open(blobs, job_id, name, INT64_MAX, &n, err);

    if (fd < 0)
        return err->code == ERR_NOT_FOUND ? 0 : -1;
    if (n != bytes)
        return 0;
    return fdio_digest(fd, 0, n, found, err) < 0 ? -1 : strcmp(found, wanted) == 0;
}

static int publish(struct copying *c, const char *job_id, const char *name, int fd, int64_t bytes,
                   struct err *err)
{
    struct blob_item item = { .fd = blob_stage(c->to, err) };
    int done;

    if (item.fd < 0)
        return -1;
    snprintf(item.name, sizeof item.name, "%s", name);
    done = fdio_copy(fd, 0, bytes, item.fd, err);
    if (done == 0) {
        blob_remove(c->to, job_id, name); /* another of this name */
        done = blob_publish(c->to, job_id, &item, 1, err);
    }
    close(item.fd);
    return done;
}

static int copy_one(struct copying *c, const char *job_id, const char *name, struct err *err)
{
    char digest[DIGEST_TEXT];
    int64_t bytes;
    AUTO_CLOSE int fd = blob_open(c->from, job_id, name, INT64_MAX, &bytes, err);
    int there;

    if (fd < 0)
        return err->code == ERR_NOT_FOUND ? 0 : -1; /* it was removed just now */
    if (fdio_digest(fd, 0, bytes, digest, err) < 0)
        return -1;
    there = is_there(c->to, job_id, name, bytes, digest, err);
    if (there != 0) {
        c->there += there > 0;
        return there < 0 ? -1 : 0;
    }
    if (publish(c, job_id, name, fd, bytes, err) < 0)
        return -1;
    c->copied++;
    c->bytes += bytes;
    there = is_there(c->to, job_id, name, bytes, digest, err);
    if (there == 0)
        err_set(err, ERR_INTERNAL, "%s.%s was written, and differs when read back", job_id, name);
    return there == 1 ? 0 : -1;
}

static void copy_blob(void *arg, const char *job_id, const char *name)
{
    struct copying *c = arg;

    if (!c->failed && copy_one(c, job_id, name, &c->err) < 0)
        c->failed = true;
}

static int move_blobs(const struct config *config, const struct target *target, struct err *err)
{
    struct copying c = { .from = open_blobs(config, config->blobs, err) };
    int done = -1;

    if (c.from && (c.to = open_blobs(config, target->blobs, err)) != NULL)
        done = blob_each(c.from, copy_blob, &c, err);
    blob_close(c.from);
    blob_close(c.to);
    if (done == 0 && c.failed) {
        *err = c.err;
        done = -1;
    }
    if (done == 0)
        printf("files: %lld copied (%lld bytes), %lld existed already\n", (long long) c.copied,
               (long long) c.bytes, (long long) c.there);
    return done;
}

/* The key of download addresses: in the database of several servers, else in the data folder. */
static int move_url_key(const struct config *config, const char *url, bool to_postgres,
                        struct err *err)
{
    struct store *store = store_postgres_open(url, err);
    char path[PATH_BYTES], key[SIGNING_KEY];
    int done = -1;

    if (store && cmd_data_path(config, "url.key", path, sizeof path, err) == 0 &&
        signing_load(path, key, err) == 0)
        done = store_share(store, "url.key", key, sizeof key, err);
    store_close(store);
    if (done < 0 || to_postgres)
        return done;
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0 || fdio_write(fd, key, strlen(key), err) < 0 || fsync(fd) < 0)
        return err_sys(err, "write %s", path);
    return 0;
}

/* Before the first file is copied: what is refused at the end would be for nothing. */
static int check_stores(const struct config *config, const struct target *target, struct err *err)
{
    const bool to_postgres = target->store && strcmp(target->store, "sqlite") != 0;
    char path[PATH_BYTES];

    if (!target->store)
        return 0;
    if (cmd_data_path(config, "platen.db", path, sizeof path, err) < 0)
        return -1;
    return store_move_check(path, to_postgres ? target->store : config->store, to_postgres, err);
}

static int move_store(const struct config *config, const struct target *target, struct err *err)
{
    const bool to_postgres = strcmp(target->store, "sqlite") != 0;
    const char *url = to_postgres ? target->store : config->store;
    struct store_moved moved = { 0 };
    char path[PATH_BYTES];

    if (cmd_data_path(config, "platen.db", path, sizeof path, err) < 0)
        return -1;
    if (to_postgres) {
        struct config own = *config;

        /* Opened once, so that it is of the newest version. */
        *own.store = '\0';
        struct store *store = cmd_open_store(&own, false, err);
        if (!store)
            return -1;
        store_close(store);
    }
    if ((to_postgres ? store_move_to_postgres(path, url, &moved, err)
                     : store_move_to_sqlite(url, path, &moved, err)) < 0 ||
        move_url_key(config, url, to_postgres, err) < 0)
        return -1;
    for (size_t i = 0; i < STORE_MOVE_TABLES; i++)
        if (strcmp(moved.tables[i].name, "clock") != 0)
            printf("%s: %lld\n", moved.tables[i].name, (long long) moved.tables[i].rows);
    return 0;
}

int cmd_move(int argc, char **argv)
{
    struct command_words words;
    struct target target;
    struct config config;
    struct err err;

    if (cmd_begin(&config, &words, argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    target.store = command_value(&words, "to-store");
    target.blobs = command_value(&words, "to-blobs");
    if (check(&config, &target, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    if (access(config.data, F_OK) < 0)
        return cmd_fail(
            1,
            "there is no data folder %s: a move needs the one of the server whose data is moved "
            "(--data)",
            config.data);
    if (cmd_act_as_owner(&config, &err) < 0 || cmd_lock_data(&config, &err) < 0 ||
        check_stores(&config, &target, &err) < 0)
        return cmd_fail(1, "%s", err.msg);
    /* The files first: rows that are there name files that are there. */
    if ((target.blobs && move_blobs(&config, &target, &err) < 0) ||
        (target.store && move_store(&config, &target, &err) < 0))
        return cmd_fail(1, "%s; nothing is lost: run the same command again to continue", err.msg);
    puts("All was read back and is the same. Change the settings `store` and `blobs` before you "
         "start a server;\nwhat was moved is still where it was: remove it when the servers run.");
    return 0;
}
